#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sim/core/address.hpp"
#include "sim/hazards/access.hpp"
#include "sim/hazards/clock.hpp"

namespace highwater {

/// Who has accessed which memory, as far as it can still matter: of each range the writes and reads
/// that were not yet followed, in order, by a write or by another read.
class ShadowMemory {
  public:
    /// The last tensor there that was freed.
    struct Freed {
        Instance instance = kNoInstance;
        std::uint32_t op = 0;
        /// Streams were recorded for it, and the allocator forgot them.
        bool uses_lost = false;
    };
    /// A range of memory with one history; its beginning is its key.
    struct Cell {
        Address end;
        /// The tensor that lives there.
        Instance held = kNoInstance;
        Freed freed;
        /// What the allocator saw done before it hands this memory out again.
        std::shared_ptr<const Clock> awaited;
        /// The last of them is the last in the order of the Program: its content is there.
        std::vector<Access> writes;
        std::vector<Access> reads;
    };
    using Cells = std::map<Address, Cell>;
    using Iterator = Cells::iterator;

    /// Is told of what is wrong with an access.
    class Listener {
      public:
        virtual ~Listener() = default;
        /// Nothing orders the two.
        virtual void unordered(const Access& first, const Access& second, Iterator cell) = 0;
        /// What `second` reads is what `first` wrote for another tensor since its own was made.
        virtual void overwritten(const Access& first, const Access& second, Iterator cell) = 0;
        /// What `second` copies is what a replay, `first`, wrote over what the graph's replay
        /// before (`first.unread`) had left there.
        virtual void outrun(const Access& first, const Access& second, Iterator cell) = 0;
    };

    /// The first of the cells that cover the range and nothing else, made where there are none. It
    /// stays valid while one tensor holds the range.
    Iterator cells(Address begin, Address end);

    /// A tensor comes to live in the range. Gives its first cell; adds to `awaited` what the
    /// allocator waited for.
    Iterator hold(Address begin, Address end, Instance instance, Clock& awaited);
    /// The tensor whose first cell it is goes.
    void let_go(Iterator first,
                Address end,
                const Freed& freed,
                const std::shared_ptr<const Clock>& awaited);

    // `known` is what is done before the access; `first` and `end` are as `cells` gives them.

    void read(
        Iterator first, Address end, const Access& access, const Clock& known, Listener& listener);
    void write(
        Iterator first, Address end, const Access& access, const Clock& known, Listener& listener);

    /// The memory goes back to the device. Calls `last` for each access, first.
    void drop(Address begin,
              Address end,
              const std::function<void(const Access& access, Iterator cell)>& last);

    Cells& all() { return cells_; }

  private:
    Iterator split_at(Address at);
    void unite(Iterator first, Address end);
    void unite_unused(Iterator cell);

    Cells cells_;
};

}  // namespace highwater
