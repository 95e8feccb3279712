#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/snapshot/pickle/origin.hpp"
#include "sim/snapshot/pickle/value.hpp"

namespace highwater::pickle {

/// What a pickle has numbered to name it again. Python numbers every container and string, events
/// among them, so a place takes four bytes, less where most are events or few values stand.
class Memo {
  public:
    /// Throws `InputError` for a number far above those in use, which no pickler writes.
    void put(std::uint64_t key, const Value& value, const Origin& origin);
    /// The number that MEMOIZE takes: how many are in use.
    std::uint64_t next() const { return used_; }
    /// Throws `InputError` for a number that is not in use, and for an event, block, segment or
    /// annotation: each stands in one place only.
    Value get(std::uint64_t key, const Origin& origin) const;

  private:
    struct Page {
        std::uint32_t get(std::size_t i) const;
        void set(std::size_t i, std::uint32_t place);
        void shorten();
        bool shorten_to_codes();
        void shorten_to_others();

        // All of the page's, or the few values that they have: which, say the codes, unless there
        // is one. Or a record, and those that are something else. Empty while the page is unused.
        std::vector<std::uint32_t> places;
        std::vector<std::uint8_t> codes;
        // A bit a place that is no record, and where the first of each word's is in `places`.
        std::vector<std::uint64_t> others;
        std::vector<std::uint16_t> before;
    };

    std::uint32_t packed(const Value& value, const Origin& origin);

    std::vector<Page> pages_;
    std::uint64_t used_ = 0;
    // What does not go into four bytes.
    std::vector<Value> others_;
};

}  // namespace highwater::pickle
