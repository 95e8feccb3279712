#include "sim/allocator/settings_error.hpp"

namespace highwater {

std::string_view python_exception(SettingsError::Kind kind) {
    switch (kind) {
        case SettingsError::Kind::kValueError:
        case SettingsError::Kind::kInvalidArgument:
            return "ValueError";
        case SettingsError::Kind::kInternalAssert:
            return "RuntimeError";
        case SettingsError::Kind::kOutOfRange:
            return "IndexError";
    }
    return "Exception";
}

}  // namespace highwater
