// PhaseRunner's captures of buckets, and what is done with the graphs.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/facts/bucket_list.hpp"
#include "sim/scenario/lower/phase_runner.hpp"
#include "sim/scenario/lower/step_runner.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

std::string one_of(const PlacedText& text,
                   const Position& position,
                   std::string_view what,
                   const std::vector<std::string>& known) {
    std::string word = position.word(text);
    if (std::find(known.begin(), known.end(), word) == known.end()) {
        throw InputError(text.place,
                         fmt::format("{} `{}`", what, quoted(word)),
                         suggestion(word, known, "write another"));
    }
    return word;
}

Crossing crossing_of(const PlacedText& text, const Position& position) {
    const std::string word =
        one_of(text, position, "segments that hold tensors", {"strong", "weak", "copy", "none"});
    if (word == "strong") {
        return Crossing::kStrong;
    }
    return word == "weak" ? Crossing::kWeak : Crossing::kCopy;
}

// Otherwise one graph holds the whole pass.
bool is_in_segments(const step::CaptureOptions& options, const Position& position) {
    return options.segments && position.word(*options.segments) != "none";
}

}  // namespace

std::string PhaseRunner::graph_of(const std::optional<Formula>& base, std::int64_t bucket) {
    return fmt::format("{}[{}]", base ? position_.name(*base) : "graph", bucket);
}

PlacedText PhaseRunner::handle(const std::string& name, const SourcePlace& place) {
    if (!builder_.has_pool(name)) {
        builder_.make_pool_handle(name, place);
    }
    return {name, place, false};
}

std::optional<PlacedText> PhaseRunner::pool_of(const step::CaptureOptions& options,
                                               std::int64_t bucket) {
    const SourcePlace place = position_.place;
    if (options.pool_of) {
        position_.scope.push("bucket", bucket);
        const std::string group = to_text(position_.value(*options.pool_of));
        position_.scope.pop();
        return handle(fmt::format("graphs.{}", group), place);
    }
    const std::string pool = options.pool ? position_.word(*options.pool) : "shared";
    if (pool == "shared") {
        return handle("graphs", place);
    }
    if (pool == "private") {
        return is_in_segments(options, position_)
                   ? std::optional(handle(fmt::format("graphs[{}]", bucket), place))
                   : std::nullopt;
    }
    return PlacedText{pool, options.pool->place, false};
}

void PhaseRunner::run(const step::CaptureBuckets& step) {
    const SourcePlace place = position_.place;
    for (const std::int64_t bucket : buckets_of(step.pass.buckets)) {
        position_.place = place;
        position_.work(1);
        const std::size_t first = builder_.operations();
        capture(step.pass, step.options, bucket);
        const std::optional<PlacedText>& set = step.pass.buckets.set;
        bucket_spans_.push_back({set ? set->text : "", bucket, first, builder_.operations()});
    }
}

void PhaseRunner::capture(const step::Pass& pass,
                          const step::CaptureOptions& options,
                          std::int64_t bucket) {
    const std::string graph = graph_of(options.graph, bucket);
    if (captured_.contains(graph)) {
        throw InputError(position_.place,
                         fmt::format("the graph `{}` is captured already", graph),
                         "destroy it first, with `destroy_graphs`, or give the captures another "
                         "name: `graph: name`");
    }
    const StreamId on =
        pass.stream ? position_.stream(*pass.stream) : builder_.default_capture_stream();
    const Capturing capturing{pass, options, bucket, name_anew(graph), on};
    CapturedBucket& into = captured_[graph];
    if (is_in_segments(options, position_)) {
        capture_segments(capturing, into);
    } else {
        capture_whole(capturing, into);
    }
}

// An older graph of this name may live on unnoticed: that is what a leak is.
std::string PhaseRunner::name_anew(const std::string& graph) {
    const std::size_t before = captures_[graph]++;
    return before == 0 ? graph : fmt::format("{}.{}", graph, before + 1);
}

// `torch.cuda.graph` empties the cache before the stream becomes the current one.
void PhaseRunner::capture_whole(const Capturing& capturing, CapturedBucket& into) {
    const SourcePlace place = position_.place;
    const std::optional<PlacedText> pool = pool_of(capturing.options, capturing.bucket);
    if (!capturing.options.raw) {
        builder_.prepare_capture(place);
    }
    builder_.begin_capture(
        {capturing.graph, capturing.on, pool, position_.mode(capturing.options.mode)}, place);
    into.graphs.push_back(capturing.graph);
    const StreamId outside = std::exchange(position_.current, capturing.on);
    Tensors outputs = pass(capturing.pass, capturing.bucket);
    position_.place = place;
    give_up_outputs(capturing, outputs);
    position_.current = outside;
    builder_.end_capture(place);
    keep_outputs(capturing, outputs, into);
}

void PhaseRunner::capture_segments(const Capturing& capturing, CapturedBucket& into) {
    const SourcePlace place = position_.place;
    const step::CaptureOptions& options = capturing.options;
    into.in_segments = true;
    CaptureInSegments segments({capturing.graph,
                                *pool_of(options, capturing.bucket),
                                capturing.on,
                                crossing_of(*options.segments, position_),
                                position_.mode(options.mode),
                                options.raw},
                               position_,
                               steps_.names(),
                               builder_,
                               buffers_,
                               into);
    steps_.segments = &segments;
    const StreamId outside = std::exchange(position_.current, capturing.on);
    Tensors outputs = pass(capturing.pass, capturing.bucket);
    position_.place = place;
    give_up_outputs(capturing, outputs);
    segments.end_segment();
    steps_.segments = nullptr;
    position_.current = outside;
    keep_outputs(capturing, outputs, into);
}

std::string PhaseRunner::output_policy(const step::CaptureOptions& options) const {
    if (!options.output) {
        return "hold";
    }
    const PlacedText& policy = options.output->policy;
    if (options.output->to) {
        return one_of(policy, position_, "outputs to", {"hold", "drop", "late", "copy"});
    }
    if (position_.word(policy) == "copy") {
        throw InputError(policy.place,
                         "a copy of the output without a tensor to copy it to",
                         "allocate one and write `output: {copy_to: tensor}`");
    }
    return one_of(policy, position_, "outputs to", {"hold", "drop", "late"});
}

// Before the capture ends.
void PhaseRunner::give_up_outputs(const Capturing& capturing, Tensors& outputs) {
    const std::string policy = output_policy(capturing.options);
    if (policy == "copy" && !outputs.empty() && outputs.front()) {
        const TensorId to = steps_.names().tensor(*capturing.options.output->to);
        builder_.copy(capturing.on, *outputs.front(), to, position_.place);
    }
    if (policy == "copy" || policy == "drop") {
        drop(std::exchange(outputs, {}));
    }
}

// After it.
void PhaseRunner::keep_outputs(const Capturing& capturing,
                               const Tensors& outputs,
                               CapturedBucket& into) {
    if (output_policy(capturing.options) == "late") {
        drop(outputs);
        return;
    }
    for (const auto& each : outputs) {
        if (each) {
            into.held.push_back(*each);
        }
    }
}

const CapturedBucket& PhaseRunner::captured(const std::string& graph) const {
    const auto found = captured_.find(graph);
    if (found == captured_.end()) {
        throw InputError(position_.place,
                         fmt::format("the graph `{}` has not been captured", graph),
                         "capture its bucket first");
    }
    return found->second;
}

void PhaseRunner::replay(const step::Pass& pass, const std::string& graph, std::int64_t bucket) {
    const CapturedBucket& captured = this->captured(graph);
    if (!captured.in_segments) {
        for (const std::string& each : captured.graphs) {
            builder_.replay(each, position_.current, position_.place);
        }
        return;
    }
    ReplayInSegments segments(captured, position_, builder_);
    steps_.segments = &segments;
    steps_.names().leaves_out_missing = true;
    const SourcePlace place = position_.place;
    drop(this->pass(pass, bucket));
    position_.place = place;
    segments.finish();
    steps_.names().leaves_out_missing = false;
    steps_.segments = nullptr;
}

void PhaseRunner::run(const step::ReplayBuckets& step) {
    const StreamId on = position_.stream_or_current(step.pass.stream);
    const StreamId outside = std::exchange(position_.current, on);
    for (const std::int64_t bucket : buckets_of(step.pass.buckets)) {
        replay(step.pass, graph_of(step.graph, bucket), bucket);
    }
    position_.current = outside;
}

void PhaseRunner::destroy(const std::string& graph) {
    const CapturedBucket& captured = this->captured(graph);
    for (const std::string& each : captured.graphs) {
        builder_.destroy_graph(each, position_.place);
    }
    for (const TensorId each : captured.held) {
        builder_.release(each, position_.place);
    }
    captured_.erase(graph);
}

void PhaseRunner::run(const step::DestroyGraphs& step) {
    for (const std::int64_t bucket : buckets_of(step.buckets)) {
        destroy(graph_of(step.graph, bucket));
    }
}

void PhaseRunner::run(const step::Serve& step) {
    std::vector<std::int64_t> buckets = buckets_of(step.pass.buckets);
    std::sort(buckets.begin(), buckets.end());
    const SourcePlace place = position_.place;
    for (const std::int64_t batch : bucket_list_of(step.batches, position_)) {
        position_.place = place;
        position_.work(1);
        serve(step, batch, buckets);
    }
}

void PhaseRunner::serve(const step::Serve& step,
                        std::int64_t batch,
                        const std::vector<std::int64_t>& buckets) {
    const std::optional<std::int64_t> bucket = smallest_bucket_for(batch, buckets);
    if (!bucket) {
        served_.add(batch, bucket);
        drop(pass(step.pass, batch));
        return;
    }
    const std::string mode =
        step.capture ? one_of(*step.capture, position_, "captures", {"ahead", "lazy", "always"})
                     : "ahead";
    const std::string graph = graph_of(step.options.graph, *bucket);
    served_.add(batch, bucket, graph);
    const bool is_there = captured_.contains(graph);
    if (mode == "always" && is_there) {
        // A leak: nobody holds the graph any more, nobody has destroyed it.
        step.release ? destroy(graph) : static_cast<void>(captured_.erase(graph));
    }
    if (mode == "always" || (mode == "lazy" && !is_there)) {
        capture(step.pass, step.options, *bucket);
    }
    replay(step.pass, graph, *bucket);
}

}  // namespace highwater
