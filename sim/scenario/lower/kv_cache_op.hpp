#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/core/bytes.hpp"

namespace highwater {

/// The allocation of a KV cache.
struct KvCacheOp {
    /// An index into `Program::ops`.
    std::size_t op = 0;
    Bytes per_token;
    /// It has whole blocks of so many tokens.
    std::int64_t block_tokens = 1;
    friend bool operator==(const KvCacheOp&, const KvCacheOp&) = default;
};

}  // namespace highwater
