#include "sim/scenario/lower/bucket_sets.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "sim/scenario/facts/bucket_list.hpp"
#include "sim/scenario/lower/position.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::size_t kMaxBuckets = 100'000;

std::int64_t bucket(const Formula& formula, Position& at) {
    return at.integer(formula, "a bucket", 1, kMaxBucket);
}

BucketList from_text(const std::string& text, const SourcePlace& place) {
    BucketList all;
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const Value value = parse::literal({text.substr(from, comma - from), place, false});
        const auto* number = std::get_if<std::int64_t>(&value);
        if (number == nullptr || *number < 1 || *number > kMaxBucket) {
            throw InputError(place,
                             fmt::format("`{}` in the list of buckets `{}`",
                                         quoted(text.substr(from, comma - from)),
                                         quoted(text)),
                             fmt::format("write integers from 1 to {}, with commas between, or one "
                                         "of {}",
                                         kMaxBucket,
                                         fmt::join(bucket_list_names(), ", ")));
        }
        all.push_back(*number);
        from = comma + 1;
    }
    return all;
}

BucketList from_list(const BucketSpec& spec, Position& at) {
    const std::string text = at.word(*spec.list);
    const std::vector<std::string>& names = bucket_list_names();
    if (std::find(names.begin(), names.end(), text) == names.end()) {
        return from_text(text, spec.list->place);
    }
    if (!spec.max) {
        throw InputError(spec.list->place,
                         fmt::format("`{}` without a maximum", text),
                         "add `max:`, the largest bucket");
    }
    return *named_bucket_list(text, bucket(*spec.max, at));
}

BucketList from_range(const BucketSpec& spec, Position& at) {
    const std::int64_t first = bucket(spec.range[0], at);
    const std::int64_t last = bucket(spec.range[1], at);
    return range_buckets(first, last, bucket(spec.range[2], at));
}

BucketList unordered(const BucketSpec& spec, Position& at) {
    if (spec.list) {
        return from_list(spec, at);
    }
    if (!spec.range.empty()) {
        return from_range(spec, at);
    }
    if (!spec.powers_of_two.empty()) {
        return powers_of_two(bucket(spec.powers_of_two[0], at), bucket(spec.powers_of_two[1], at));
    }
    BucketList all;
    for (const Formula& each : spec.items) {
        all.push_back(bucket(each, at));
    }
    return all;
}

void put_in_order(BucketList& all, const PlacedText& order, const Position& at) {
    const std::string word = at.word(order);
    if (word == "desc") {
        std::sort(all.begin(), all.end(), std::greater<>());
    } else if (word == "asc") {
        std::sort(all.begin(), all.end());
    } else if (word != "given") {
        throw InputError(order.place,
                         fmt::format("buckets in the order `{}`", quoted(word)),
                         suggestion(word, {"asc", "desc", "given"}, "write `asc` or `desc`"));
    }
}

}  // namespace

std::vector<std::int64_t> bucket_list_of(const BucketSpec& spec, Position& at) {
    BucketList all = unordered(spec, at);
    if (spec.min) {
        std::erase_if(all, [least = bucket(*spec.min, at)](auto each) { return each < least; });
    }
    if (spec.max) {
        std::erase_if(all, [most = bucket(*spec.max, at)](auto each) { return each > most; });
    }
    if (all.empty() || all.size() > kMaxBuckets) {
        throw InputError(spec.place,
                         fmt::format("a list of {} buckets", all.size()),
                         fmt::format("make it 1 to {}", kMaxBuckets));
    }
    if (spec.order) {
        put_in_order(all, *spec.order, at);
    }
    return all;
}

BucketSets bucket_sets_of(const Scenario& scenario, const ParameterValues& values) {
    ProgramBuilder unused(Machine{});
    const LoweringLimits limits;
    return Position(scenario, values, limits, unused).buckets;
}

bool is_bucket_figure(const Scenario& scenario, std::string_view set, std::string_view figure) {
    const std::vector<std::string>& figures = BucketSets::figure_names();
    return std::find(figures.begin(), figures.end(), figure) != figures.end() &&
           std::any_of(scenario.buckets.begin(), scenario.buckets.end(), [&](const auto& each) {
               return each.name.text == set;
           });
}

const std::vector<std::int64_t>& BucketSets::at(const PlacedText& name) const {
    const auto found = sets_.find(name.text);
    if (found != sets_.end()) {
        return found->second;
    }
    std::vector<std::string> known;
    for (const auto& [each, buckets] : sets_) {
        known.push_back(each);
    }
    throw InputError(name.place,
                     fmt::format("unknown buckets `{}`", quoted(name.text)),
                     suggestion(name.text, known, "define them under `buckets`"));
}

const std::vector<std::string>& BucketSets::figure_names() {
    static const std::vector<std::string> kNames{"max", "min", "count", "sum"};
    return kNames;
}

std::optional<Value> BucketSets::find_figure(const std::string& set,
                                             const std::string& figure) const {
    const auto found = sets_.find(set);
    if (found == sets_.end()) {
        return std::nullopt;
    }
    const std::vector<std::int64_t>& buckets = found->second;
    if (figure == "max") {
        return *std::max_element(buckets.begin(), buckets.end());
    }
    if (figure == "min") {
        return *std::min_element(buckets.begin(), buckets.end());
    }
    if (figure == "count") {
        return static_cast<std::int64_t>(buckets.size());
    }
    if (figure == "sum") {
        return std::accumulate(buckets.begin(), buckets.end(), std::int64_t{0});
    }
    return std::nullopt;
}

}  // namespace highwater
