#include "sim/engine/modelled_settings.hpp"

namespace highwater {

AllocatorSettings modelled_settings(const std::string& conf, const SourcePlace& place) {
    AllocatorSettings settings;
    try {
        settings = parse_settings(conf);
    } catch (const SettingsError& error) {
        throw InputError(place, error.what(), "PyTorch refuses these settings; correct them");
    }
    if (settings.backend != AllocatorBackend::kNative) {
        throw InputError(
            place, "the backend cudaMallocAsync is not simulated", "leave out `backend`");
    }
    return settings;
}

}  // namespace highwater
