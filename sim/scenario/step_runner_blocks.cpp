// StepRunner's steps that hold other steps, or belong to graphs and pools.
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/step_runner.hpp"

namespace highwater {

// In order of creation: each takes the next of PyTorch's pool.
void StepRunner::add_streams(const std::vector<StreamGroup>& groups) {
    constexpr std::int64_t kAnyPriority = std::int64_t{1} << 31;
    for (const StreamGroup& group : groups) {
        place_ = group.name.place;
        const std::int64_t priority = group.priority ? evaluate_integer(*group.priority,
                                                                        scope_for(*group.priority),
                                                                        "the priority of a stream",
                                                                        -kAnyPriority,
                                                                        0)
                                                     : 0;
        if (!group.count) {
            builder_.add_stream(group.name.text, priority);
            continue;
        }
        const std::int64_t count = evaluate_integer(
            *group.count, scope_for(*group.count), "the count of streams", 0, limits_.max_streams);
        for (std::int64_t i = 0; i < count; ++i) {
            builder_.add_stream(fmt::format("{}[{}]", group.name.text, i), priority);
        }
    }
}

void StepRunner::operator()(const step::Loop& step) {
    const std::int64_t count = evaluate_integer(
        step.count, scope_for(step.count), "the count of a loop", 0, limits_.max_loop);
    if (step.index) {
        scope_.push(step.index->text, std::int64_t{0});
    }
    for (std::int64_t i = 0; i < count; ++i) {
        if (step.index) {
            scope_.set_last(i);
        }
        work(1);
        run(step.body);
    }
    if (step.index) {
        scope_.pop();
    }
}

void StepRunner::operator()(const step::Choice& step) {
    const bool holds = evaluate_condition(step.condition, scope_for(step.condition));
    run(holds ? step.then : step.otherwise);
}

void StepRunner::operator()(const step::OnStream& step) {
    run(step.body, stream(step.stream));
}

void StepRunner::operator()(const step::Call& step) {
    LocalScope::Locals arguments;
    for (const auto& [parameter, value] : step.arguments) {
        arguments.emplace_back(parameter.text, evaluate(value, scope_for(value)));
    }
    const auto procedure = procedures_.find(step.procedure.text);
    check(procedure != procedures_.end(), "`check_calls` has seen every call");
    LocalScope::Locals callers = scope_.exchange(std::move(arguments));
    run(procedure->second->body);
    scope_.exchange(std::move(callers));
}

// torch.cuda.graph.__enter__: synchronise, empty the cache, enter the stream, begin. Without a
// stream it is a stream of the class's own; a raw capture stays on the current one.
StreamId StepRunner::enter_capture(const step::Capture& step) {
    if (step.raw) {
        return stream_or_current(step.stream);
    }
    const StreamId on = step.stream ? stream(*step.stream) : builder_.default_capture_stream();
    builder_.synchronize(std::nullopt, place_);
    builder_.empty_cache(place_);
    return on;
}

void StepRunner::operator()(const step::Capture& step) {
    const SourcePlace place = place_;
    const StreamId on = enter_capture(step);
    std::optional<PlacedText> pool;
    if (step.pool) {
        pool = {name(*step.pool), step.pool->source.place, false};
    }
    builder_.begin_capture(name(step.graph), on, pool, step.graph.source.place);
    run(step.body, on);
    builder_.end_capture(place);
}

void StepRunner::operator()(const step::Replay& step) {
    const StreamId on = stream_or_current(step.stream);
    builder_.replay(name(step.graph), on, step.graph.source.place);
}

void StepRunner::operator()(const step::DestroyGraph& step) {
    builder_.destroy_graph(name(step.graph), step.graph.source.place);
}

void StepRunner::operator()(const step::GraphPoolHandle& step) {
    builder_.make_pool_handle(name(step.pool), step.pool.source.place);
}

void StepRunner::operator()(const step::CreateMemPool& step) {
    const op::CreatePool options{{}, step.use_on_oom, step.no_split};
    builder_.create_pool(name(step.pool), options, step.pool.source.place);
}

void StepRunner::operator()(const step::UseMemPool& step) {
    const SourcePlace place = step.pool.source.place;
    const std::string pool = name(step.pool);
    builder_.enter_pool(pool, place);
    run(step.body);
    builder_.leave_pool(pool, place);
}

void StepRunner::operator()(const step::DestroyMemPool& step) {
    builder_.destroy_pool(name(step.pool), step.pool.source.place);
}

}  // namespace highwater
