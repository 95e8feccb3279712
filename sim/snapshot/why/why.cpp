#include "sim/snapshot/why/why.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/allocator/pinned.hpp"
#include "sim/allocator/pools.hpp"

namespace highwater {
namespace {

class Asked {
  public:
    Asked(const allocator::State& s, const OwnerOf& owner_of) : s_(s) {
        for (std::uint32_t i = 0; i < s.blocks.places(); ++i) {
            const Block& block = s.blocks[BlockId{i}];
            if (block.in_arena && block.allocated) {
                note_allocated(BlockId{i}, owner_of(block.address));
            }
        }
        for (const allocator::PinnedSegment& segment : allocator::pinned_segments(s)) {
            note_pinned(segment);
        }
    }

    std::vector<OwnerRow> owners() const {
        std::vector<OwnerRow> rows = rows_;
        std::ranges::sort(rows, {}, &OwnerRow::owner);
        std::ranges::stable_sort(rows, [](const OwnerRow& a, const OwnerRow& b) {
            return std::tie(a.holds_alone, a.holds_with_others, a.allocated) >
                   std::tie(b.holds_alone, b.holds_with_others, b.allocated);
        });
        return rows;
    }

    std::vector<PoolWhy> pools(const std::vector<allocator::PoolStreamBytes>& streams) const {
        std::map<PoolId, PoolWhy> found;
        for (const allocator::PoolStreamBytes& row : streams) {
            PoolWhy& pool = found[row.pool];
            pool.pool = row.pool;
            pool.reserved += row.reserved;
            pool.allocated += row.allocated;
            pool.free += row.free;
            pool.waiting += row.waiting;
            pool.parked += row.parked;
        }
        // An id may have been given twice: the last pool is the one that is there.
        for (const allocator::PoolUsage& usage : s_.usages) {
            if (const auto pool = found.find(usage.id); pool != found.end()) {
                pool->second.last_growth = usage.last_growth;
            }
        }
        return sorted(std::move(found));
    }

  private:
    void note_allocated(BlockId id, const std::string& name) {
        const Block& block = s_.blocks[id];
        const auto [owner, is_new] = row_of_owner_.try_emplace(name, rows_.size());
        if (is_new) {
            rows_.emplace_back().owner = name;
        }
        OwnerRow& row = rows_[owner->second];
        ++row.blocks;
        row.allocated += block.size;
        row_of_block_[id] = owner->second;
        by_pool_[allocator::pool_of(s_, block).owner][name] += block.size;
    }

    void note_pinned(const allocator::PinnedSegment& segment) {
        held_[segment.pool] += segment.held;
        std::set<std::size_t> owners;
        for (const BlockId id : segment.blocks) {
            owners.insert(row_of_block_.at(id));
        }
        const bool is_alone = owners.size() == 1;
        for (const std::size_t owner : owners) {
            OwnerRow& row = rows_[owner];
            (is_alone ? row.holds_alone : row.holds_with_others) += segment.held;
            ++(is_alone ? row.segments_alone : row.segments_with_others);
        }
    }

    std::vector<PoolWhy> sorted(std::map<PoolId, PoolWhy> found) const {
        std::vector<PoolWhy> pools;
        for (auto& [id, pool] : found) {
            if (const auto held = held_.find(id); held != held_.end()) {
                pool.held = held->second;
            }
            pool.owners = largest_owners(id);
            pools.push_back(std::move(pool));
        }
        std::ranges::stable_sort(pools, std::ranges::greater{}, &PoolWhy::reserved);
        return pools;
    }

    std::vector<std::pair<std::string, Bytes>> largest_owners(PoolId id) const {
        const auto of_pool = by_pool_.find(id);
        if (of_pool == by_pool_.end()) {
            return {};
        }
        std::vector<std::pair<std::string, Bytes>> owners(of_pool->second.begin(),
                                                          of_pool->second.end());
        std::ranges::stable_sort(
            owners, std::ranges::greater{}, &std::pair<std::string, Bytes>::second);
        owners.resize(std::min(owners.size(), Why::kOwners));
        return owners;
    }

    const allocator::State& s_;
    std::vector<OwnerRow> rows_;
    std::map<std::string, std::size_t> row_of_owner_;
    std::map<BlockId, std::size_t> row_of_block_;
    std::map<PoolId, std::map<std::string, Bytes>> by_pool_;
    std::map<PoolId, Bytes> held_;
};

}  // namespace

Why why(const allocator::State& s,
        const OwnerOf& owner_of,
        const std::optional<allocator::Request>& request) {
    const Asked asked(s, owner_of);
    Why result;
    result.streams = allocator::bytes_by_pool_stream(s);
    result.pools = asked.pools(result.streams);
    result.owners = asked.owners();
    if (request) {
        result.request =
            Growth{request->requested, request->stream, allocator::stranded(s, *request)};
    }
    return result;
}

}  // namespace highwater
