#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/core/error.hpp"

namespace highwater {

/// The operations of a Program that one phase of its scenario came to: [first, end).
struct PhaseSpan {
    enum class Kind : std::uint8_t {
        kLoadWeights,
        kForward,
        kCapture,
        kReplay,
        kDestroyGraphs,
        kServe,
        kKvCache,
        /// What stands between phases, and all of a scenario without any.
        kSteps,
    };
    Kind kind{};
    /// Where the phase is written.
    SourcePlace place;
    std::size_t first = 0;
    std::size_t end = 0;
    friend bool operator==(const PhaseSpan&, const PhaseSpan&) = default;
};

/// As in the scenario language: "load_weights".
constexpr std::string_view name_of(PhaseSpan::Kind kind) {
    using Kind = PhaseSpan::Kind;
    switch (kind) {
        case Kind::kLoadWeights:
            return "load_weights";
        case Kind::kForward:
            return "forward";
        case Kind::kCapture:
            return "capture";
        case Kind::kReplay:
            return "replay";
        case Kind::kDestroyGraphs:
            return "destroy_graphs";
        case Kind::kServe:
            return "serve";
        case Kind::kKvCache:
            return "kv_cache";
        case Kind::kSteps:
            break;
    }
    return "steps";
}

}  // namespace highwater
