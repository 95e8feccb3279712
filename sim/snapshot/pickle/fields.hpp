#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/core/ids.hpp"
#include "sim/snapshot/pickle/origin.hpp"
#include "sim/snapshot/pickle/records.hpp"

namespace highwater::pickle {

/// The entries of a dict by their keys. Whatever throws throws `InputError`.
class Fields {
  public:
    /// `what` the dict is, for messages: "an event".
    Fields(const Records& records,
           std::span<const Value> pairs,
           std::string_view what,
           const Origin& origin)
        : records_(records), pairs_(pairs), what_(what), origin_(origin) {}

    /// The last one, as in Python; null if there is none.
    const Value* find(Word key) const;
    bool has(Word key) const { return find(key) != nullptr; }

    /// From 0 to 2^62.
    std::uint64_t number(Word key) const;
    std::optional<std::uint64_t> number_if_any(Word key) const;
    /// 0 where there is none, and where PyTorch does not know: it writes -1 then, as 2^64 - 1.
    std::int64_t line() const;
    std::optional<Bytes> bytes_if_any(Word key) const;
    std::uint32_t device() const;
    bool flag(Word key) const;
    /// The number of the string in `Records::strings`.
    std::uint32_t string(Word key) const;
    /// One of the words from `first` to `last`: which, from 0.
    std::uint32_t choice(Word key, Word first, Word last) const;
    /// None if there is none.
    StackId frames() const;
    std::optional<PoolId> pool(Word key) const;

    [[noreturn]] void fail(Word key, std::string_view problem) const;

  private:
    std::uint64_t number_in(const Value& value, Word key) const;
    const Value& at(Word key) const;

    const Records& records_;
    std::span<const Value> pairs_;
    std::string_view what_;
    const Origin& origin_;
};

}  // namespace highwater::pickle
