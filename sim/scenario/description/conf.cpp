#include "sim/scenario/description/conf.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr std::string_view kOtherBackend = "cudaMallocAsync";

[[noreturn]] void refuse(const PlacedText& conf, const SettingsError& error) {
    throw InputError(
        conf.at(error.offset()),
        fmt::format("PyTorch rejects these allocator settings: {}", error.what()),
        fmt::format("mend the text (PyTorch raises {})", python_exception(error.kind())));
}

// The other backend keeps no blocks of its own: none of the rules simulated here are its rules.
void require_native(const AllocatorSettings& settings, const PlacedText& conf) {
    if (settings.backend != AllocatorBackend::kNative) {
        const std::size_t offset = conf.text.find(kOtherBackend);
        throw InputError(conf.at(offset == std::string::npos ? 0 : offset),
                         fmt::format("the backend {} is not modelled", kOtherBackend),
                         "leave out `backend`");
    }
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
        require_native(parse_settings(conf.text), conf);
    } catch (const SettingsError& error) {
        refuse(conf, error);
    }
}

}  // namespace highwater
