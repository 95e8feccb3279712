#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "sim/allocator/block.hpp"
#include "sim/allocator/memory_stats.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "tests/support/catch.hpp"

// How our values read in a failed test.
namespace Catch {

template <>
struct StringMaker<highwater::Bytes> {
    static std::string convert(highwater::Bytes bytes) { return fmt::format("{} B", bytes.count); }
};

template <>
struct StringMaker<highwater::Address> {
    static std::string convert(highwater::Address address) {
        return fmt::format("{:#x}", address.value);
    }
};

template <>
struct StringMaker<highwater::BlockId> {
    static std::string convert(highwater::BlockId id) {
        return fmt::format("block {}", highwater::index_of(id));
    }
};

template <>
struct StringMaker<highwater::Stat> {
    static std::string convert(const highwater::Stat& stat) {
        return fmt::format("{{current {}, peak {}, allocated {}, freed {}}}",
                           stat.current,
                           stat.peak,
                           stat.allocated,
                           stat.freed);
    }
};

}  // namespace Catch
