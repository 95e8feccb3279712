#include "sim/scenario/lower/phase_runner.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/scenario/facts/bucket_list.hpp"
#include "sim/scenario/lower/step_runner.hpp"
#include "sim/scenario/lower/weight_loader.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::int64_t kMaxTokens = std::int64_t{1} << 40;

Bytes bytes_of(Bytes per_token, std::int64_t tokens, const SourcePlace& place) {
    const auto count = static_cast<std::uint64_t>(tokens);
    if (count != 0 && per_token.count > kMaxSize.count / count) {
        throw InputError(place,
                         fmt::format("{} tokens of {} bytes", tokens, per_token.count),
                         fmt::format("keep the cache to {} bytes", kMaxSize.count));
    }
    return Bytes{per_token.count * count};
}

}  // namespace

const Template& PhaseRunner::model_of(const std::optional<PlacedText>& name) const {
    return steps_.find_template(name ? name->text : "model");
}

TemplateUse& PhaseRunner::use_of(const Template& model) {
    std::unique_ptr<TemplateUse>& use = models_[model.name.text];
    if (!use) {
        use = std::make_unique<TemplateUse>(model, model.name.text, std::nullopt);
    }
    return *use;
}

std::vector<std::int64_t> PhaseRunner::buckets_of(const BucketChoice& choice) {
    return choice.set ? position_.buckets.at(*choice.set) : bucket_list_of(choice.own, position_);
}

// What depends on the bucket is left out where there is none: weights do not depend on it.
std::size_t PhaseRunner::begin_pass(const Template& model,
                                    const Arguments& given,
                                    std::optional<std::int64_t> bucket) {
    LocalScope& scope = position_.scope;
    if (scope.is_in_pass()) {
        throw InputError(position_.place,
                         "a pass through a model within another",
                         "use the template there: `- name: {in: ..., out: ...}`");
    }
    // The arguments are the caller's expressions, and may depend on the bucket.
    if (bucket) {
        scope.push("bucket", *bucket);
    }
    std::vector<std::pair<std::string_view, Value>> arguments;
    for (const auto& [name, value] : given) {
        arguments.emplace_back(name.text, position_.value(value));
    }
    if (bucket) {
        scope.pop();
    }
    const std::size_t callers = scope.visible_from();
    scope.begin_pass();
    if (bucket) {
        scope.push("bucket", *bucket);
    }
    for (auto& [name, value] : arguments) {
        scope.push(name, std::move(value));
    }
    for (const auto& [name, value] : model.values) {
        if (bucket || position_.can_evaluate(value)) {
            scope.push(name.text, position_.value(value));
        }
    }
    scope.end_header();
    return callers;
}

PhaseRunner::Tensors PhaseRunner::pass(const step::Pass& pass, std::int64_t bucket) {
    const Template& model = model_of(pass.model);
    const std::size_t callers = begin_pass(model, pass.arguments, bucket);
    Tensors outputs = steps_.run_model(use_of(model));
    position_.scope.end_pass(callers);
    return outputs;
}

void PhaseRunner::drop(const Tensors& outputs) {
    for (const auto& each : outputs) {
        if (each) {
            builder_.release(*each, position_.place);
        }
    }
}

void PhaseRunner::run(const step::LoadWeights& step) {
    const StreamId on = position_.stream_or_current(step.stream);
    const StreamId outside = std::exchange(position_.current, on);
    const SourcePlace place = position_.place;
    const Template& model = model_of(step.model);
    const std::size_t callers = begin_pass(model, step.arguments, std::nullopt);
    WeightLoader(steps_, position_, builder_).load(use_of(model), {});
    position_.scope.end_pass(callers);
    position_.place = place;
    position_.current = outside;
}

// The stream waits for the current one before, and the current one for it after, as code around
// `with torch.cuda.stream(s)` does.
void PhaseRunner::run(const step::Forward& step) {
    const SourcePlace place = position_.place;
    const std::int64_t times = step.times ? position_.count(*step.times, "the count of passes") : 1;
    const StreamId outside = position_.current;
    const StreamId on = position_.stream_or_current(step.pass.stream);
    if (on != outside) {
        builder_.wait_stream(on, outside, place);
    }
    position_.current = on;
    for (const std::int64_t bucket : buckets_of(step.pass.buckets)) {
        for (std::int64_t i = 0; i < times; ++i) {
            position_.work(1);
            Tensors outputs = pass(step.pass, bucket);
            position_.place = place;
            if (step.out && !outputs.empty() && outputs.front()) {
                steps_.names().hold(*step.out, *std::exchange(outputs.front(), {}));
            }
            drop(outputs);
        }
    }
    position_.current = outside;
    if (on != outside) {
        builder_.wait_stream(outside, on, place);
    }
}

void PhaseRunner::run(const step::KvCache& step) {
    const StreamId on = position_.stream_or_current(step.stream);
    const Bytes per_token = position_.size(step.bytes_per_token);
    const std::int64_t block =
        step.block ? position_.integer(*step.block, "the tokens of a block", 1, kMaxTokens) : 1;
    kv_caches_.push_back({builder_.operations(), per_token, block});
    if (step.tokens) {
        const std::int64_t tokens =
            position_.integer(*step.tokens, "the tokens of a cache", 0, kMaxTokens);
        const std::int64_t rounded = (tokens + block - 1) / block * block;
        steps_.names().allocate_held(
            step.tensor, bytes_of(per_token, rounded, step.tokens->source.place), on);
        return;
    }
    const SourcePlace& place = step.tensor.reference.source.place;
    op::AllocRest rest{};
    rest.tensor = steps_.names().free_variable(step.tensor);
    rest.unit = bytes_of(per_token, block, step.bytes_per_token.source.place);
    rest.keep_free = step.keep_free ? position_.size(*step.keep_free) : Bytes{0};
    rest.stream = on;
    builder_.allocate_rest(rest, place);
    steps_.names().hold(step.tensor, rest.tensor);
}

}  // namespace highwater
