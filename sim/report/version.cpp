#include "sim/report/version.hpp"

namespace highwater {

std::string_view version() {
    return HIGHWATER_VERSION;
}

}  // namespace highwater
