#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {
namespace {

std::optional<PlacedText> optional_word(const YamlReader& map, std::string_view key) {
    const std::optional<YamlReader> found = map.find(key);
    return found ? std::optional<PlacedText>(found->scalar("a word")) : std::nullopt;
}

std::optional<Formula> optional_reference(const YamlReader& map,
                                          std::string_view key,
                                          std::string_view what) {
    const std::optional<YamlReader> found = map.find(key);
    return found ? std::optional<Formula>(reference(*found, what)) : std::nullopt;
}

BucketChoice bucket_choice(const YamlReader& value) {
    // A name of a set; a number or an expression is a list of one.
    if (value.is_scalar() && is_plain_name(value.scalar("").text)) {
        return {value.scalar("buckets"), {}};
    }
    return {std::nullopt, bucket_spec(value)};
}

step::Pass pass(const YamlReader& value, std::string_view what) {
    step::Pass made;
    made.model = optional_word(value, "model");
    made.buckets = bucket_choice(value.require("buckets", what));
    made.arguments = arguments(value);
    made.stream = optional_reference(value, "stream", "a stream");
    return made;
}

step::Output output(const YamlReader& value) {
    if (value.is_map()) {
        value.require_keys(language::output());
        const YamlReader to = value.require("copy_to", "the output");
        TensorName tensor = tensor_name(to);
        const std::optional<YamlReader> mode = value.find("mode");
        PlacedText policy =
            mode ? mode->scalar("what becomes of it") : PlacedText{"copy", to.place(), false};
        return {std::move(policy), std::move(tensor)};
    }
    return {value.scalar("what becomes of the output"), std::nullopt};
}

step::CaptureOptions capture_options(const YamlReader& value) {
    step::CaptureOptions made;
    made.graph = optional_reference(value, "graph", "a graph");
    if (const auto pool = value.find("pool")) {
        if (pool->is_map()) {
            pool->require_keys(language::pool_of());
            made.pool_of = formula(pool->require("of", "the pool"), "an expression");
        } else {
            made.pool = pool->scalar("a pool");
        }
    }
    if (const auto to = value.find("output")) {
        made.output = output(*to);
    }
    made.segments = optional_word(value, "segments");
    made.raw = value.flag("raw", false);
    made.mode = optional_word(value, "mode");
    return made;
}

}  // namespace

StepKind load_weights(const YamlReader& /*step*/, const YamlReader& argument) {
    step::LoadWeights made;
    if (!argument.is_null()) {
        argument.require_keys(language::load_weights());
        made.arguments = arguments(argument);
        made.model = optional_word(argument, "model");
        made.stream = optional_reference(argument, "stream", "a stream");
    }
    return made;
}

StepKind forward(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::forward());
    step::Forward made{pass(argument, "the passes"), {}, {}};
    made.times = optional_formula(argument, "times", "a count");
    if (const auto out = argument.find("out")) {
        made.out = tensor_name(*out);
    }
    return made;
}

StepKind capture_buckets(const YamlReader& argument) {
    argument.require_keys(language::capture_buckets());
    return step::CaptureBuckets{pass(argument, "the captures"), capture_options(argument)};
}

StepKind replay_buckets(const YamlReader& argument) {
    argument.require_keys(language::replay_buckets());
    return step::ReplayBuckets{pass(argument, "the replays"),
                               optional_reference(argument, "graph", "a graph")};
}

StepKind destroy_graphs(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::destroy_graphs());
    return step::DestroyGraphs{bucket_choice(argument.require("buckets", "`destroy_graphs`")),
                               optional_reference(argument, "graph", "a graph")};
}

StepKind serve(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::serve());
    step::Serve made;
    made.pass = pass(argument, "`serve`");
    made.batches = bucket_spec(argument.require("batches", "`serve`"));
    made.options = capture_options(argument);
    made.capture = optional_word(argument, "capture");
    made.release = argument.flag("release", true);
    return made;
}

StepKind kv_cache(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::kv_cache());
    // Member by member: where an initialiser throws inside of nested braces, g++ 12 destroys those
    // before it twice.
    step::KvCache made;
    const auto tensor = argument.find("tensor");
    made.tensor = tensor ? tensor_name(*tensor)
                         : TensorName{parse_formula({"kv_cache", argument.place(), false}), {}};
    made.bytes_per_token = formula(argument.require("bytes_per_token", "the cache"), "a size");
    made.block = optional_formula(argument, "block", "a count");
    made.keep_free = optional_formula(argument, "keep_free", "a size");
    made.stream = optional_reference(argument, "stream", "a stream");
    const YamlReader tokens = argument.require("tokens", "the cache");
    if (!tokens.is_scalar() || tokens.scalar("").text != "rest") {
        made.tokens = formula(tokens, "a count");
    }
    return made;
}

}  // namespace highwater::parse
