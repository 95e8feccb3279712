#pragma once

#include <optional>
#include <variant>

#include "sim/allocator/block.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

/// A block was handed out.
struct Allocated {
    BlockId block{};
    Address address;
};

/// A request of 0 bytes gives a null pointer and touches nothing.
struct NullPointer {};

/// torch.OutOfMemoryError, with the figures of its message. All in bytes.
struct OutOfMemory {
    Bytes requested;
    Bytes rounded;
    /// What the message names: the segment that could not be had.
    Bytes segment;
    /// Free on the device, in total on the device, and allowed by the memory fraction.
    Bytes device_free;
    Bytes device_total;
    std::optional<Bytes> limit;
    Bytes allocated;
    Bytes reserved;
};

using MallocResult = std::variant<Allocated, NullPointer, OutOfMemory>;

}  // namespace highwater
