#include "sim/engine/modelled_settings.hpp"

namespace highwater {

AllocatorSettings modelled_settings(const std::string& conf, const SourcePlace& place) {
    try {
        return parse_settings(conf);
    } catch (const SettingsError& error) {
        throw InputError(place, error.what(), "PyTorch refuses these settings; correct them");
    }
}

}  // namespace highwater
