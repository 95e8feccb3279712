#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// What a line of a budget is for.
enum class BudgetItem : std::uint8_t {
    kWeights,
    kKvCache,
    /// Of libraries, in the default pool.
    kWorkspaces,
    /// Other tensors that are alive to the end of the run.
    kStaticBuffers,
    /// Other tensors that are not.
    kTemporaries,
    /// What blocks are larger than what was asked for.
    kRounding,
    /// Freed, and waiting for other streams or for a capture to end.
    kWaiting,
    /// Free in the default pool, and kept.
    kCached,
    /// What a private pool reserves.
    kPrivatePool,
    /// Of the driver: context, modules, streams, graphs, libraries, collectives.
    kDriver,
};

/// In plain words: "static buffers".
std::string_view name_of(BudgetItem item);

struct BudgetLine {
    BudgetItem item{};
    /// Of a pool or a part of the driver's; else empty.
    std::string name;
    Bytes bytes;
    /// Up or down; what the allocator does is exact.
    Bytes error{};
    /// Where the figure comes from: a line of the scenario, a pool's tensors, a profile.
    std::string source{};
    friend bool operator==(const BudgetLine&, const BudgetLine&) = default;
};

/// Who has the card at one moment. The lines and what is left over add up to the capacity.
struct Budget {
    Bytes capacity;
    std::vector<BudgetLine> lines;
    /// 0 if the lines exceed the capacity.
    Bytes left;
    friend bool operator==(const Budget&, const Budget&) = default;
};

/// Behind operation `op` of the Program.
Budget budget_behind(const Lowered& lowered, std::size_t op, const CostProfile* costs);

}  // namespace highwater::plan
