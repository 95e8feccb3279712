#include "sim/scenario/description/conf.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

[[noreturn]] void refuse(const PlacedText& conf, const SettingsError& error) {
    throw InputError(
        conf.at(error.offset()),
        fmt::format("PyTorch rejects these allocator settings: {}", error.what()),
        fmt::format("mend the text (PyTorch raises {})", python_exception(error.kind())));
}

}  // namespace

void apply_conf(AllocatorSettings& settings, const PlacedText& conf) {
    try {
        apply_settings(settings, conf.text);
    } catch (const SettingsError& error) {
        refuse(conf, error);
    }
}

void check_conf(const PlacedText& conf) {
    try {
        static_cast<void>(parse_settings(conf.text));
    } catch (const SettingsError& error) {
        refuse(conf, error);
    }
}

}  // namespace highwater
