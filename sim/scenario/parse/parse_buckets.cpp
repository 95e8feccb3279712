#include <array>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"

namespace highwater::parse {
namespace {

std::vector<Formula> formulas(const YamlReader& list, std::string_view what) {
    std::vector<Formula> all;
    for (const YamlReader& each : list.one_or_more()) {
        all.push_back(formula(each, what));
    }
    return all;
}

std::vector<Formula> formulas_of(const YamlReader& list, std::size_t count, std::string_view form) {
    std::vector<Formula> all = formulas(list, "a bucket");
    if (all.size() != count) {
        throw InputError(list.place(),
                         fmt::format("{} numbers where {} should be", all.size(), count),
                         fmt::format("write `{}`", form));
    }
    return all;
}

void read_source(const YamlReader& value, BucketSpec& made) {
    constexpr std::size_t kFirstLastStep = 3;
    constexpr std::size_t kFirstLast = 2;
    std::size_t sources = 0;
    if (const auto list = value.find("list")) {
        ++sources;
        if (list->is_sequence()) {
            made.items = formulas(*list, "a bucket");
        } else {
            made.list = list->scalar("a list of buckets");
        }
    }
    if (const auto range = value.find("range")) {
        ++sources;
        made.range = formulas_of(*range, kFirstLastStep, "range: [first, last, step]");
    }
    if (const auto powers = value.find("powers_of_two")) {
        ++sources;
        made.powers_of_two = formulas_of(*powers, kFirstLast, "powers_of_two: [first, last]");
    }
    if (sources != 1) {
        throw InputError(value.place(),
                         fmt::format("buckets from {} sources", sources),
                         "give one of `list`, `range` and `powers_of_two`");
    }
}

}  // namespace

BucketSpec bucket_spec(const YamlReader& value) {
    BucketSpec made;
    made.place = value.place();
    if (!value.is_map()) {
        made.items = formulas(value, "a bucket");
        return made;
    }
    value.require_keys(language::buckets());
    read_source(value, made);
    made.min = optional_formula(value, "min", "a bucket");
    made.max = optional_formula(value, "max", "a bucket");
    if (const auto order = value.find("order")) {
        made.order = order->scalar("an order");
    }
    return made;
}

std::vector<BucketSet> buckets(const YamlReader& map) {
    std::vector<BucketSet> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of buckets")) {
        YamlReader::attempt(entry, [&] {
            all.push_back({new_name(entry.key, "a list of buckets"), bucket_spec(entry.value)});
        });
    }
    return all;
}

}  // namespace highwater::parse
