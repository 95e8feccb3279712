#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/allocator/settings.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using Kind = SettingsError::Kind;
using Slots = std::array<std::uint64_t, RoundupDivisions::kSlots>;

inline Slots slots_of(const AllocatorSettings& settings) {
    Slots slots{};
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        slots[slot] = settings.roundup_power2_divisions[slot];
    }
    return slots;
}

/// A text, set at run time on default settings: what became of them, and the complaint if any.
struct Applied {
    AllocatorSettings settings;
    std::optional<SettingsError> error;
};

inline Applied applied_to(AllocatorSettings settings, std::string_view text) {
    try {
        apply_settings(settings, text);
    } catch (const SettingsError& error) {
        return {settings, error};
    }
    return {settings, std::nullopt};
}

inline Applied applied(std::string_view text) {
    return applied_to({}, text);
}

/// Default settings after a text that must be accepted.
inline AllocatorSettings accepted(std::string_view text) {
    const Applied outcome = applied(text);
    INFO("text: " << text << "\n" << (outcome.error ? outcome.error->what() : ""));
    REQUIRE_FALSE(outcome.error);
    return outcome.settings;
}

/// The kind of complaint about a text that must be refused.
inline Kind refused(std::string_view text) {
    const Applied outcome = applied(text);
    INFO("text: " << text);
    REQUIRE(outcome.error);
    return outcome.error->kind();
}

}  // namespace highwater

namespace Catch {

template <>
struct StringMaker<highwater::SettingsError::Kind> {
    static std::string convert(highwater::SettingsError::Kind kind) {
        constexpr std::array kNames{
            "ValueError", "internal assert", "not a number", "out of range"};
        return kNames.at(static_cast<std::size_t>(kind));
    }
};

}  // namespace Catch
