#include "sim/scenario/lower/position.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/engine/op_grammar.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

Position::Position(const Scenario& scenario,
                   const ParameterValues& values,
                   const LoweringLimits& limits,
                   ProgramBuilder& builder)
    : scope(values,
            [this](const std::string& object, const std::string& field) {
                return member(object, field);
            }),
      scenario_(scenario),
      values_(values),
      limits_(limits),
      builder_(builder) {
    for (const BucketSet& set : scenario.buckets) {
        buckets.add(set.name.text, bucket_list_of(set.spec, *this));
    }
}

void Position::work(std::uint64_t amount) {
    work_done_ += amount;
    if (work_done_ > limits_.max_work) {
        throw InputError(
            place,
            fmt::format("the scenario takes more than {} steps to carry out", limits_.max_work),
            "make its loops shorter");
    }
}

std::optional<Value> Position::member(const std::string& object, const std::string& field) const {
    const std::optional<Value> of_buckets = buckets.find_figure(object, field);
    return of_buckets ? of_buckets : values_.find_member(object, field);
}

bool Position::can_evaluate(const Formula& formula) const {
    const ExpressionNames names = names_in(formula.tree, false);
    return std::all_of(names.values.begin(), names.values.end(), [this](const auto& use) {
        return scope.find(use.name) || unit_value(use.name);
    });
}

std::string Position::word(const PlacedText& text) const {
    const std::optional<Value> given = scope.find(text.text);
    return given ? to_text(*given) : text.text;
}

op::CaptureMode Position::mode(const std::optional<PlacedText>& text) const {
    if (!text) {
        return op::CaptureMode::kGlobal;
    }
    const std::string mode = word(*text);
    const auto found = std::find(kCaptureModes.begin(), kCaptureModes.end(), mode);
    if (found == kCaptureModes.end()) {
        throw InputError(text->place,
                         fmt::format("a capture in the mode `{}`", quoted(mode)),
                         suggestion(mode, {kCaptureModes.begin(), kCaptureModes.end()}, ""));
    }
    return static_cast<op::CaptureMode>(found - kCaptureModes.begin());
}

namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kShared = "shared";
constexpr std::string_view kPerLayer = "per-layer";

// `layer` is a name in expressions, too; as a policy it is a word.
std::string policy_of(const PlacedText& per, const Position& at) {
    std::string policy = per.text == "layer" ? std::string(kPerLayer) : at.word(per);
    if (policy == "layer") {
        return std::string(kPerLayer);
    }
    const std::vector<std::string> known{
        std::string(kPerLayer), std::string(kShared), std::string(kNone)};
    if (std::find(known.begin(), known.end(), policy) == known.end()) {
        throw InputError(per.place,
                         fmt::format("streams per `{}`", quoted(policy)),
                         suggestion(policy, known, "write `layer`, `shared` or `none`"));
    }
    return policy;
}

}  // namespace

std::int64_t Position::streams_of(const StreamGroup& group) {
    if (group.per) {
        const std::string policy = policy_of(*group.per, *this);
        if (policy != kPerLayer) {
            return policy == kShared ? 1 : 0;
        }
    }
    if (group.is_one) {
        return 1;
    }
    return integer(*group.count, "the count of streams", 0, limits_.max_streams);
}

void Position::add_streams() {
    constexpr std::int64_t kAnyPriority = std::int64_t{1} << 31;
    for (const StreamGroup& group : scenario_.streams) {
        place = group.name.place;
        const std::int64_t priority =
            group.priority ? integer(*group.priority, "the priority of a stream", -kAnyPriority, 0)
                           : 0;
        const bool is_blocking = group.blocking && condition(*group.blocking);
        const auto add = [&](const std::string& name) {
            is_blocking ? builder_.add_blocking_stream(name) : builder_.add_stream(name, priority);
        };
        if (!group.count) {
            add(group.name.text);
            continue;
        }
        const std::int64_t count = streams_of(group);
        for (std::int64_t i = 0; i < count; ++i) {
            add(fmt::format("{}[{}]", group.name.text, i));
        }
    }
}

StreamId Position::stream(const Formula& reference) {
    const std::string called = name(reference);
    if (called == "current") {
        return current;
    }
    const auto group = std::find_if(
        scenario_.streams.begin(), scenario_.streams.end(), [&](const StreamGroup& each) {
            return each.per && each.name.text == called;
        });
    return group != scenario_.streams.end()
               ? shared_out(*group, reference.source.place)
               : builder_.stream(first_of_one(called), reference.source.place);
}

// `aux[3]` is `aux[0]` where the group is one stream.
std::string Position::first_of_one(const std::string& called) const {
    const auto group =
        std::find_if(scenario_.streams.begin(), scenario_.streams.end(), [&](const auto& each) {
            return each.is_one && called.starts_with(each.name.text + "[");
        });
    return group == scenario_.streams.end() ? called : group->name.text + "[0]";
}

StreamId Position::shared_out(const StreamGroup& group, const SourcePlace& at) {
    const std::string policy = policy_of(*group.per, *this);
    if (policy == kNone || (group.when && !condition(*group.when))) {
        return current;
    }
    std::int64_t index = 0;
    if (policy == kPerLayer) {
        if (!scope.layer()) {
            throw InputError(
                at,
                fmt::format("`{}` has a stream per layer, and no layer is under way",
                            group.name.text),
                fmt::format("use it inside `layers`, or write `{}[index]`", group.name.text));
        }
        const std::int64_t count = streams_of(group);
        index = count == 0 ? 0 : *scope.layer() % count;
    }
    return builder_.stream(fmt::format("{}[{}]", group.name.text, index), at);
}

}  // namespace highwater
