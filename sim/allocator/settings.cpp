#include "sim/allocator/settings.hpp"

#include "sim/allocator/settings_keys.hpp"
#include "sim/allocator/settings_tokens.hpp"

namespace highwater {

void apply_settings(AllocatorSettings& settings, std::string_view text) {
    const settings_text::Tokens tokens(text);
    settings.conf = text;
    settings_text::apply_generic_keys(settings, tokens);
    settings_text::apply_cuda_keys(settings, tokens);
}

AllocatorSettings parse_settings(std::string_view text) {
    const settings_text::Tokens tokens(text);
    AllocatorSettings settings;
    settings.conf = text;
    settings.backend = settings_text::backend_at_load(tokens);
    settings_text::apply_cuda_keys(settings, tokens);
    settings_text::apply_generic_keys(settings, tokens);
    return settings;
}

}  // namespace highwater
