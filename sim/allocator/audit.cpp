#include "sim/allocator/audit.hpp"

#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"

namespace highwater::allocator {
namespace {

class Audit {
  public:
    explicit Audit(const State& s) : s_(s) {}

    std::vector<std::string> findings() {
        for (std::size_t i = 0; i < s_.blocks.places(); ++i) {
            const BlockId id{static_cast<std::uint32_t>(i)};
            if (s_.blocks[id].in_arena) {
                look_at(id, s_.blocks[id]);
            }
        }
        compare_order_of_addresses();
        compare_sets();
        compare_totals();
        compare_pending();
        return findings_;
    }

  private:
    // Formats only what does not hold: the audit runs after every operation of a test.
    template <typename... Values>
    void expect(bool holds, fmt::format_string<const Values&...> what, const Values&... values) {
        if (!holds) {
            findings_.push_back(fmt::format(what, values...));
        }
    }

    void look_at(BlockId id, const Block& block) {
        const auto number = static_cast<std::uint32_t>(id);
        expect(block.size >= kMinBlockSize && block.size % kMinBlockSize == Bytes{0},
               "block {} has {} bytes, no multiple of 512",
               number,
               block.size.count);
        look_at_next(id, block);
        by_address_[block.address] = id;
        if (is_free(block)) {
            auto& sets = block.mapped ? free_ : unmapped_;
            sets[block.pool_stream].insert({block.size, block.address, id});
        }
        note_pending(block);
        sum_up(block);
    }

    void note_pending(const Block& block) {
        pending_events_ += block.event_count;
        if (!block.is_pending()) {
            return;
        }
        parked_ += block.uses != kNoUses ? 1 : 0;
        (block.uses != kNoUses ? parked_bytes_ : waiting_bytes_)[block.pool_stream] += block.size;
    }

    void look_at_next(BlockId id, const Block& block) {
        if (block.next == kNoBlock) {
            return;
        }
        const auto number = static_cast<std::uint32_t>(id);
        const Block& next = s_.blocks[block.next];
        expect(
            next.in_arena && next.prev == id, "block {} is not its next neighbour's prev", number);
        expect(block.end() == next.address,
               "block {} does not end where its next neighbour begins",
               number);
        expect(block.pool_stream == next.pool_stream && block.reservation == next.reservation,
               "block {} and its next neighbour differ in pool or stream",
               number);
        expect(!is_free(block) || !is_free(next) || block.mapped != next.mapped,
               "block {} and its next neighbour are both free, but apart",
               number);
    }

    void sum_up(const Block& block) {
        const PoolKind kind = pool_of(s_, block).kind;
        const auto add = [&](StatByPool MemoryStats::*stat, std::uint64_t amount) {
            Stat& total =
                kind == PoolKind::kSmall ? (totals_.*stat).small_pool : (totals_.*stat).large_pool;
            total.current += amount;
            (totals_.*stat).all.current += amount;
        };
        if (!block.mapped) {
            return;
        }
        add(&MemoryStats::reserved_bytes, block.size.count);
        reserved_[{pool_of(s_, block).usage, home(s_, block).stream}] += block.size;
        add(&MemoryStats::segment, block.prev == kNoBlock && !block.is_expandable() ? 1 : 0);
        if (block.allocated) {
            add(&MemoryStats::allocation, 1);
            add(&MemoryStats::allocated_bytes, block.size.count);
        }
        if (block.is_active()) {
            add(&MemoryStats::active, 1);
            add(&MemoryStats::active_bytes, block.size.count);
            add(&MemoryStats::requested_bytes, block.requested.count);
        } else if (block.is_split() && !block.is_expandable()) {
            add(&MemoryStats::inactive_split, 1);
            add(&MemoryStats::inactive_split_bytes, block.size.count);
        }
    }

    void compare_order_of_addresses() {
        Address end;
        for (const auto& [address, id] : by_address_) {
            expect(address >= end, "block {} overlaps another", static_cast<std::uint32_t>(id));
            end = s_.blocks[id].end();
        }
    }

    void compare_sets() {
        for (std::size_t i = 0; i < s_.pool_streams.size(); ++i) {
            const PoolStreamId id{static_cast<std::uint32_t>(i)};
            compare_free(id);
            compare_unmapped(id);
            compare_bytes(id);
        }
    }

    void compare_free(PoolStreamId id) {
        const FreeBlocks& free = pool_stream(s_, id).free;
        const auto number = static_cast<std::uint32_t>(id);
        BlockId here = free.first(s_.blocks);
        BlockId before = kNoBlock;
        for (const auto& [size, address, expected] : free_[id]) {
            if (here != expected) {
                findings_.push_back(fmt::format("free blocks {} are out of order", number));
                return;
            }
            expect(free.previous(s_.blocks, here) == before,
                   "free blocks {} do not lead back",
                   number);
            before = here;
            here = free.next(s_.blocks, here);
        }
        expect(here == kNoBlock && free.last(s_.blocks) == before,
               "free blocks {} hold a block that is not free",
               number);
    }

    void compare_unmapped(PoolStreamId id) {
        std::map<Address, BlockId> expected;
        for (const auto& [size, address, block] : unmapped_[id]) {
            expected[address] = block;
        }
        std::vector<BlockId> in_order;
        for (const auto& [address, block] : expected) {
            in_order.push_back(block);
        }
        expect(pool_stream(s_, id).unmapped == in_order,
               "unmapped blocks {} are not by address",
               static_cast<std::uint32_t>(id));
    }

    void compare_bytes(PoolStreamId id) {
        const PoolStream& at = pool_stream(s_, id);
        Bytes free;
        for (const auto& [size, address, block] : free_[id]) {
            free += size;
        }
        expect(at.free.bytes() == free && at.waiting == waiting_bytes_[id] &&
                   at.parked == parked_bytes_[id],
               "pool stream {} miscounts what is free, waiting or parked",
               static_cast<std::uint32_t>(id));
    }

    void compare_totals() {
        const MemoryStats stats = s_.counters.stats();
        std::uint64_t reserved = 0;
        for (const NamedStatByPool& named : kStatsByPool) {
            const StatByPool& counted = stats.*named.value;
            const StatByPool& total = totals_.*named.value;
            compare_total(named.name, "small_pool", counted.small_pool, total.small_pool.current);
            compare_total(named.name, "large_pool", counted.large_pool, total.large_pool.current);
            compare_total(named.name, "all", counted.all, total.all.current);
        }
        for (std::size_t i = 0; i < s_.usages.size(); ++i) {
            reserved += compare_usage(i).count;
        }
        expect(s_.total_allocated.count == reserved, "the bytes from the device are miscounted");
    }

    Bytes compare_usage(std::size_t usage) {
        Bytes total;
        const PoolUsage& counted = s_.usages[usage];
        for (std::size_t i = 0; i < counted.by_stream.size(); ++i) {
            const Bytes held = reserved_[{usage, StreamId{static_cast<std::uint32_t>(i)}}];
            compare_held(counted.by_stream[i], held, usage);
            total += held;
        }
        compare_held(counted.total, total, usage);
        return total;
    }

    void compare_held(const Usage& counted, Bytes held, std::size_t usage) {
        expect(counted.reserved == held && counted.high_water >= held,
               "pool {} miscounts what it reserved",
               usage);
    }

    void compare_total(std::string_view name,
                       std::string_view kind,
                       const Stat& stat,
                       std::uint64_t total) {
        expect(stat.current == total,
               "{}.{} says {}, the blocks say {}",
               name,
               kind,
               stat.current,
               total);
        expect(stat.peak >= stat.current, "{}.{} is above its peak", name, kind);
    }

    void compare_pending() {
        std::size_t queued = 0;
        for (const StreamState& stream : s_.streams) {
            queued += stream.events.size();
        }
        expect(queued == s_.queued_events && queued == pending_events_,
               "the queues of events and the blocks that wait for them disagree");
        expect(parked_ == s_.parked.size(), "the parked blocks are not those with uses");
    }

    using FreeSet = std::set<std::tuple<Bytes, Address, BlockId>>;

    const State& s_;
    std::map<Address, BlockId> by_address_;
    std::map<PoolStreamId, FreeSet> free_;
    std::map<PoolStreamId, FreeSet> unmapped_;
    std::map<std::pair<std::size_t, StreamId>, Bytes> reserved_;
    std::map<PoolStreamId, Bytes> waiting_bytes_;
    std::map<PoolStreamId, Bytes> parked_bytes_;
    MemoryStats totals_;
    std::size_t pending_events_ = 0;
    std::size_t parked_ = 0;
    std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> audit(const State& s) {
    return Audit(s).findings();
}

}  // namespace highwater::allocator
