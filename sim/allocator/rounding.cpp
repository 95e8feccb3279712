#include "sim/allocator/rounding.hpp"

#include <bit>
#include <cstdint>

namespace highwater {
namespace {

/// The next of `divisions` equal steps between the neighbouring powers of two.
Bytes round_to_step(Bytes size, std::uint64_t divisions) {
    if (std::has_single_bit(size.count)) {
        return size;
    }
    const std::uint64_t floor = std::bit_floor(size.count);
    const Bytes step{floor >> std::countr_zero(divisions)};
    return step == Bytes{0} ? Bytes{floor} * 2 : round_up(size, step);
}

/// PyTorch computes the bound in 64 bits, and so do we: from 2^55 divisions up it wraps to 0, which
/// makes every step 0 and every size a power of two. Measured on 2.11.0.
bool rounds_by_steps(Bytes size, std::uint64_t divisions) {
    return divisions > 1 && size.count > kMinBlockSize.count * divisions;
}

}  // namespace

Bytes round_by_divisions(const RoundupDivisions& divisions, Bytes request) {
    const std::uint64_t steps = divisions.divisions_for(request);
    if (request >= kMinBlockSize && rounds_by_steps(request, steps)) {
        return round_to_step(request, steps);
    }
    return round_to_min_block(request);
}

Bytes segment_size(const AllocatorSettings& settings, Bytes rounded) {
    if (uses_small_pool(rounded)) {
        return kSmallBuffer;
    }
    if (rounded < kMinLargeAlloc) {
        return settings.large_segment_size;
    }
    return rounded > kMaxRequest ? rounded : round_up(rounded, kRoundLarge);
}

}  // namespace highwater
