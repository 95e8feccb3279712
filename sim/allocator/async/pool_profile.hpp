#pragma once

#include "sim/core/bytes.hpp"

namespace highwater {

/// What a driver does with the memory behind cudaMallocAsync: measured, and another driver's may
/// differ. The defaults are those of an H200 with driver 580 and CUDA 13.0.
struct PoolProfile {
    /// Device memory is taken and given back in pages of this size.
    Bytes page{std::uint64_t{32} << 20U};
    /// Addresses handed out are multiples of this, or of more.
    Bytes alignment{512};
    /// Addresses of a pool or a graph follow each other within a range of this size, or a larger
    /// request's. Not measured: only that pages of a pool follow each other.
    Bytes address_range{std::uint64_t{1} << 40U};
    friend bool operator==(const PoolProfile&, const PoolProfile&) = default;
};

/// Attributes of a cudaMemPool_t that say whose freed memory a stream may have (CUDA runtime API,
/// cudaMemPoolSetAttribute). All are on by default, and PyTorch sets them so.
struct ReusePolicies {
    /// Of a stream that the request is ordered behind through events.
    bool follow_event_dependencies = true;
    /// Of a stream that has got past the free already.
    bool allow_opportunistic = true;
    /// Of any stream, where the device has no more memory: the request's stream is made to wait for
    /// the free.
    bool allow_internal_dependencies = true;
    friend bool operator==(const ReusePolicies&, const ReusePolicies&) = default;
};

}  // namespace highwater
