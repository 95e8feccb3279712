#pragma once

#include <bit>
#include <cstdint>

#include "sim/snapshot/pickle/words.hpp"

namespace highwater::pickle {

/// What stands on the stack of the machine that reads a pickle: small, so that a list of millions
/// can stand there, and a name of something kept elsewhere where it is not a plain number.
struct Value {
    enum class Kind : std::uint8_t {
        kNone,
        kBool,
        kInt,
        /// An integer that does not fit 64 bits.
        kHugeInt,
        kFloat,
        /// `bits` is its number in `Strings`.
        kString,
        /// Which ones is not kept.
        kBytes,
        /// Two numbers, as pool ids are: `bits` is their number in `Records`.
        kPair,
        kFrame,
        kStack,
        /// Also an empty tuple.
        kEmptyList,
        /// `count` entries of the records of their kind, from `bits`.
        kEvents,
        kBlocks,
        kSegments,
        kAnnotations,
        /// The same, as a list of them and nothing else.
        kEventList,
        kBlockList,
        kSegmentList,
        kAnnotationList,
        /// An event that was passed over.
        kSkippedEvent,
        /// Of anything else: `count` values of `Records`' plain ones, from `bits`; of a dict, key
        /// and value in turns.
        kPlainList,
        kPlainDict,
        /// Still being filled: `bits` is its number in `OpenContainers`.
        kOpen,
    };
    Kind kind = Kind::kNone;
    /// How many levels of lists and dicts are below, for plain ones.
    std::uint8_t depth = 0;
    std::uint32_t count = 0;
    std::int64_t bits = 0;

    double real() const { return std::bit_cast<double>(bits); }
    std::uint32_t number() const { return static_cast<std::uint32_t>(bits); }
    std::size_t first() const { return static_cast<std::size_t>(bits); }
    bool is(Word word) const {
        return kind == Kind::kString && bits == static_cast<std::int64_t>(word);
    }
};
static_assert(sizeof(Value) == 16, "millions of them stand on the stack");

/// Whether it stands for events, blocks, segments or annotations that follow each other.
constexpr bool is_run(Value::Kind kind) {
    return kind >= Value::Kind::kEvents && kind <= Value::Kind::kAnnotations;
}

}  // namespace highwater::pickle
