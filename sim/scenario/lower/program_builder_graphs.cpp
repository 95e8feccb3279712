// ProgramBuilder's graphs and pools.
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/program_builder.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

void ProgramBuilder::prepare_capture(const SourcePlace& place) {
    synchronize(std::nullopt, place);
    empty_cache(place);
}

// Whether CUDA takes the capture is a question to the run, and so whether one that was tried has
// failed: then the graph may be captured into again.
void ProgramBuilder::begin_capture(const CaptureStart& start, const SourcePlace& place) {
    const std::string& graph = start.graph;
    auto& entry = graphs_.get(graph, program_.graphs);
    const bool may_have_failed =
        entry.state.stage == GraphState::Stage::kCaptured && entry.state.is_tried;
    if (entry.state.stage != GraphState::Stage::kNone && !may_have_failed) {
        throw InputError(place,
                         fmt::format("the graph `{}` is captured already", quoted(graph)),
                         "destroy it first, or use another name");
    }
    const std::optional<PoolName> into =
        start.pool ? std::optional(pool_for_capture(*start.pool)) : std::nullopt;
    entry.state.stage = GraphState::Stage::kCapturing;
    entry.state.is_tried = tries_ > 0;
    open_captures_.push_back(graph);
    add(op::BeginCapture{entry.id, start.stream, into, start.mode}, place);
}

void ProgramBuilder::end_capture(const SourcePlace& place, std::optional<StreamId> on) {
    check(!open_captures_.empty(), "a capture ends after it has begun");
    auto& entry = graphs_.get(open_captures_.back(), program_.graphs);
    open_captures_.pop_back();
    entry.state.stage = GraphState::Stage::kCaptured;
    add(op::EndCapture{entry.id, on}, place);
}

ProgramBuilder::Graphs::Entry& ProgramBuilder::captured_graph(const std::string& graph,
                                                              const SourcePlace& place) {
    auto* entry = graphs_.find(graph);
    if (entry != nullptr && entry->state.stage == GraphState::Stage::kCaptured) {
        return *entry;
    }
    if (entry != nullptr && entry->state.stage == GraphState::Stage::kCapturing) {
        throw InputError(place,
                         fmt::format("the capture of `{}` has not ended", quoted(graph)),
                         "move this behind the capture");
    }
    const auto captured = graphs_.names_where(
        [](const GraphState& state) { return state.stage == GraphState::Stage::kCaptured; });
    throw InputError(place,
                     fmt::format("the graph `{}` {}",
                                 quoted(graph),
                                 entry == nullptr ? "has not been captured" : "is destroyed"),
                     suggestion(graph, captured, "capture it first"));
}

bool ProgramBuilder::has_pool(const std::string& pool) const {
    const auto* entry = pools_.find(pool);
    return entry != nullptr && entry->state.kind != PoolState::Kind::kNone;
}

void ProgramBuilder::replay(const std::string& graph, StreamId stream, const SourcePlace& place) {
    add(op::Replay{captured_graph(graph, place).id, stream}, place);
}

void ProgramBuilder::destroy_graph(const std::string& graph, const SourcePlace& place) {
    auto& entry = captured_graph(graph, place);
    entry.state.stage = GraphState::Stage::kNone;
    add(op::DestroyGraph{entry.id}, place);
}

PoolName ProgramBuilder::pool_for_capture(const PlacedText& pool) const {
    const auto* entry = pools_.find(pool.text);
    if (entry == nullptr) {
        refuse_pool_of_capture(pool);
    }
    if (entry->state.kind == PoolState::Kind::kNone) {
        throw InputError(pool.place,
                         fmt::format("the pool `{}` is destroyed", quoted(pool.text)),
                         "create it anew, or use another");
    }
    return entry->id;
}

// `torch.cuda.graph` takes another graph's `pool()` too; here a pool that two graphs share is named
// before either is captured.
void ProgramBuilder::refuse_pool_of_capture(const PlacedText& pool) const {
    if (graphs_.find(pool.text) != nullptr) {
        throw InputError(
            pool.place,
            fmt::format("`{}` is a graph, not a pool", quoted(pool.text)),
            "take `graph_pool_handle: p` before the first capture and give both `pool: p`");
    }
    const auto known = pools_.names_where(
        [](const PoolState& state) { return state.kind != PoolState::Kind::kNone; });
    throw InputError(
        pool.place,
        fmt::format("there is no pool `{}`", quoted(pool.text)),
        suggestion(pool.text,
                   known,
                   fmt::format("make it first, with `graph_pool_handle: {0}` or `mem_pool: {0}`",
                               quoted(pool.text))));
}

void ProgramBuilder::make_pool_handle(const std::string& pool, const SourcePlace& place) {
    auto& entry = pools_.get(pool, program_.pools);
    if (entry.state.kind != PoolState::Kind::kNone) {
        throw InputError(
            place, fmt::format("the pool `{}` exists already", quoted(pool)), "use another name");
    }
    entry.state.kind = PoolState::Kind::kHandle;
    add(op::MakePoolHandle{entry.id}, place);
}

void ProgramBuilder::create_pool(const std::string& pool,
                                 op::CreatePool options,
                                 const SourcePlace& place) {
    auto& entry = pools_.get(pool, program_.pools);
    if (entry.state.kind != PoolState::Kind::kNone) {
        throw InputError(place,
                         fmt::format("the pool `{}` exists already", quoted(pool)),
                         "destroy it first, or use another name");
    }
    entry.state.kind = PoolState::Kind::kMemPool;
    options.pool = entry.id;
    add(options, place);
}

ProgramBuilder::Pools::Entry& ProgramBuilder::mem_pool(const std::string& pool,
                                                       const SourcePlace& place) {
    auto* entry = pools_.find(pool);
    if (entry != nullptr && entry->state.kind == PoolState::Kind::kMemPool) {
        return *entry;
    }
    const auto known = pools_.names_where(
        [](const PoolState& state) { return state.kind == PoolState::Kind::kMemPool; });
    const bool is_handle = entry != nullptr && entry->state.kind == PoolState::Kind::kHandle;
    throw InputError(place,
                     is_handle ? fmt::format("the pool `{}` is a graph's", quoted(pool))
                               : fmt::format("there is no pool `{}`", quoted(pool)),
                     suggestion(pool, known, "create it first, with `mem_pool`"));
}

void ProgramBuilder::enter_pool(const std::string& pool, const SourcePlace& place) {
    auto& entry = mem_pool(pool, place);
    ++entry.state.entered;
    add(op::EnterPool{entry.id}, place);
}

void ProgramBuilder::leave_pool(const std::string& pool, const SourcePlace& place) {
    auto& entry = mem_pool(pool, place);
    check(entry.state.entered > 0, "a pool is left after it is entered");
    --entry.state.entered;
    add(op::LeavePool{entry.id}, place);
}

void ProgramBuilder::destroy_pool(const std::string& pool, const SourcePlace& place) {
    auto& entry = mem_pool(pool, place);
    if (entry.state.entered > 0) {
        throw InputError(place,
                         fmt::format("the pool `{}` is in use here", quoted(pool)),
                         "destroy it behind `use_mem_pool`");
    }
    entry.state.kind = PoolState::Kind::kNone;
    add(op::DestroyPool{entry.id}, place);
}

void ProgramBuilder::save_pool(const std::string& pool,
                               const std::string& name,
                               const SourcePlace& place) {
    add(op::SavePool{pool_for_capture({pool, place, false}), name}, place);
    saved_pools_.insert(name);
}

void ProgramBuilder::restore_pool(const std::string& name, const SourcePlace& place) {
    if (!saved_pools_.contains(name)) {
        throw InputError(place,
                         fmt::format("no pool was saved as `{}`", quoted(name)),
                         suggestion(name,
                                    {saved_pools_.begin(), saved_pools_.end()},
                                    "save one first, with `save_pool`"));
    }
    add(op::RestorePool{name}, place);
}

}  // namespace highwater
