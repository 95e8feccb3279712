// StepRunner's steps that hold other steps, or belong to graphs and pools.
#include <utility>

#include "sim/scenario/lower/step_runner.hpp"

namespace highwater {

void StepRunner::operator()(const step::Loop& step) {
    const std::int64_t count = position_.count(step.count, "the count of a loop");
    if (step.index) {
        position_.scope.push(step.index->text, std::int64_t{0});
    }
    for (std::int64_t i = 0; i < count; ++i) {
        if (step.index) {
            position_.scope.set_last(i);
        }
        position_.work(1);
        run(step.body);
    }
    if (step.index) {
        position_.scope.pop();
    }
}

void StepRunner::operator()(const step::Choice& step) {
    run(position_.condition(step.condition) ? step.then : step.otherwise);
}

void StepRunner::operator()(const step::OnStream& step) {
    run(step.body, position_.stream(step.stream));
}

const Procedure& StepRunner::find_procedure(const std::string& name) const {
    const auto procedure = procedures_.find(name);
    check(procedure != procedures_.end(), "`check_calls` has seen every call");
    return *procedure->second;
}

void StepRunner::operator()(const step::Call& step) {
    const Procedure& procedure = find_procedure(step.procedure.text);
    std::vector<Value> values;
    for (const auto& [parameter, value] : step.arguments) {
        values.push_back(position_.value(value));
    }
    const std::size_t callers = position_.scope.enter();
    for (std::size_t i = 0; i < values.size(); ++i) {
        position_.scope.push(step.arguments[i].first.text, std::move(values[i]));
    }
    run(procedure.body);
    position_.scope.leave(callers);
}

// torch.cuda.graph.__enter__: synchronise, empty the cache, enter the stream, begin. Without a
// stream it is a stream of the class's own; a raw capture stays on the current one.
StreamId StepRunner::enter_capture(const step::Capture& step) {
    if (step.raw) {
        return position_.stream_or_current(step.stream);
    }
    const StreamId on =
        step.stream ? position_.stream(*step.stream) : builder_.default_capture_stream();
    builder_.prepare_capture(position_.place);
    return on;
}

void StepRunner::operator()(const step::Capture& step) {
    const SourcePlace place = position_.place;
    const StreamId on = enter_capture(step);
    std::optional<PlacedText> pool;
    if (step.pool) {
        pool = {position_.name(*step.pool), step.pool->source.place, false};
    }
    builder_.begin_capture({position_.name(step.graph), on, pool, position_.mode(step.mode)},
                           step.graph.source.place);
    run(step.body, on);
    end_capture(step, place);
}

void StepRunner::end_capture(const step::Capture& step, const SourcePlace& place) {
    std::optional<ThreadId> outside;
    if (step.end_thread) {
        outside = builder_.switch_thread(step.end_thread->text, place);
    }
    if (step.end_on) {
        builder_.end_capture(place, position_.stream(*step.end_on));
    } else {
        builder_.end_capture(place);
    }
    if (outside) {
        builder_.switch_thread(*outside, place);
    }
}

void StepRunner::operator()(const step::Replay& step) {
    const StreamId on = position_.stream_or_current(step.stream);
    builder_.replay(position_.name(step.graph), on, step.graph.source.place);
}

void StepRunner::operator()(const step::DestroyGraph& step) {
    builder_.destroy_graph(position_.name(step.graph), step.graph.source.place);
}

void StepRunner::operator()(const step::GraphPoolHandle& step) {
    builder_.make_pool_handle(position_.name(step.pool), step.pool.source.place);
}

void StepRunner::operator()(const step::CreateMemPool& step) {
    const op::CreatePool options{{}, step.use_on_oom, step.no_split};
    builder_.create_pool(position_.name(step.pool), options, step.pool.source.place);
}

void StepRunner::operator()(const step::UseMemPool& step) {
    const SourcePlace place = step.pool.source.place;
    const std::string pool = position_.name(step.pool);
    builder_.enter_pool(pool, place);
    run(step.body);
    builder_.leave_pool(pool, place);
}

void StepRunner::operator()(const step::DestroyMemPool& step) {
    builder_.destroy_pool(position_.name(step.pool), step.pool.source.place);
}

void StepRunner::operator()(const step::SavePool& step) {
    builder_.save_pool(
        position_.name(step.pool), position_.name(step.name), step.pool.source.place);
}

void StepRunner::operator()(const step::RestorePool& step) {
    builder_.restore_pool(position_.name(step.name), step.name.source.place);
}

}  // namespace highwater
