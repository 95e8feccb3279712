#include "sim/plan/budget/budget.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/core/size_text.hpp"
#include "sim/plan/budget/tensor_items.hpp"
#include "sim/plan/moment.hpp"

namespace highwater::plan {
namespace {

constexpr std::size_t kDefaultPool = 0;

std::string line_of(const Program& program, std::size_t op) {
    if (op >= program.places.size()) {
        return "";
    }
    const SourcePlace& place = program.places[op];
    return place_text({place.file, place.line});
}

// What blocks of the default pools are, beside the tensors in them.
struct DefaultPools {
    Bytes allocated;
    Bytes waiting;
    Bytes cached;
};

DefaultPools default_pools(const Ledger& ledger) {
    DefaultPools pools;
    if (ledger.segments.empty()) {
        // The driver's own pool has none to show.
        const PoolRow& row = ledger.pools.at(kDefaultPool);
        return {row.allocated, Bytes{}, row.reserved - std::min(row.allocated, row.reserved)};
    }
    for (const SegmentInfo& segment : ledger.segments) {
        if (segment.pool != PoolId{}) {
            continue;
        }
        for (const BlockInfo& block : segment.blocks) {
            Bytes& sum = block.state == BlockState::kActiveAllocated     ? pools.allocated
                         : block.state == BlockState::kActivePendingFree ? pools.waiting
                                                                         : pools.cached;
            sum += block.size;
        }
    }
    return pools;
}

class BudgetMaker {
  public:
    BudgetMaker(const Lowered& lowered, const Moment& moment)
        : lowered_(lowered), moment_(moment) {}

    std::vector<BudgetLine> make(const TensorItems& items) {
        add_tensors(items);
        add_rest_of_default_pools();
        add_private_pools();
        add_driver();
        std::erase_if(lines_, [](const BudgetLine& line) { return line.bytes == Bytes{}; });
        return std::move(lines_);
    }

  private:
    void add_tensors(const TensorItems& items) {
        std::map<BudgetItem, BudgetLine> sums;
        for (const std::size_t index : moment_.live) {
            const Placement& placement = moment_.ledger.placements[index];
            if (placement.pool != kDefaultPool) {
                continue;
            }
            const BudgetItem item = items.item_of(placement);
            auto [line, is_first] = sums.try_emplace(item, BudgetLine{item, "", {}});
            if (is_first) {
                line->second.source = line_of(lowered_.program, placement.op);
            }
            line->second.bytes += placement.size;
            tensors_ += placement.size;
        }
        for (auto& [item, line] : sums) {
            lines_.push_back(std::move(line));
        }
    }

    void add_rest_of_default_pools() {
        const DefaultPools pools = default_pools(moment_.ledger);
        constexpr const char* kRules = "the allocator's rules";
        const Bytes asked = std::min(tensors_, pools.allocated);
        lines_.push_back({BudgetItem::kRounding, "", pools.allocated - asked, {}, kRules});
        lines_.push_back({BudgetItem::kWaiting, "", pools.waiting, {}, kRules});
        lines_.push_back({BudgetItem::kCached, "", pools.cached, {}, kRules});
    }

    void add_private_pools() {
        for (std::size_t i = kDefaultPool + 1; i < moment_.ledger.pools.size(); ++i) {
            const PoolRow& row = moment_.ledger.pools[i];
            lines_.push_back({BudgetItem::kPrivatePool,
                              row.name,
                              row.reserved,
                              {},
                              fmt::format("{} of it in tensors", size_text(row.allocated))});
        }
    }

    void add_driver() {
        if (moment_.ledger.driver) {
            for (const DriverTerm& term : *moment_.ledger.driver) {
                lines_.push_back(
                    {BudgetItem::kDriver,
                     term.name.empty() ? std::string(highwater::name_of(term.what)) : term.name,
                     term.bytes,
                     term.error,
                     term.source});
            }
        }
    }

    const Lowered& lowered_;
    const Moment& moment_;
    Bytes tensors_;
    std::vector<BudgetLine> lines_;
};

}  // namespace

std::string_view name_of(BudgetItem item) {
    constexpr std::array<std::string_view, 10> kNames{"weights",
                                                      "KV cache",
                                                      "workspaces",
                                                      "static buffers",
                                                      "temporaries",
                                                      "rounding",
                                                      "waiting for streams",
                                                      "cached, free",
                                                      "private pool",
                                                      "driver"};
    return kNames.at(static_cast<std::size_t>(item));
}

Budget budget_behind(const Lowered& lowered, std::size_t op, const CostProfile* costs) {
    const Moment moment = moment_behind(lowered.program, op, costs);
    Budget budget{lowered.program.machine.total_memory,
                  BudgetMaker(lowered, moment).make(TensorItems(lowered)),
                  {}};
    Bytes used;
    for (const BudgetLine& line : budget.lines) {
        used += line.bytes;
    }
    budget.left = budget.capacity > used ? budget.capacity - used : Bytes{};
    return budget;
}

}  // namespace highwater::plan
