#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"

namespace highwater::parse {
namespace {

StreamGroup stream_group(const YamlReader::Entry& entry) {
    StreamGroup made{new_name(entry.key, "a stream"), {}, {}, {}, {}, {}};
    if (entry.value.is_null()) {
        return made;
    }
    entry.value.require_keys(language::stream());
    made.count = optional_formula(entry.value, "count", "a count");
    made.priority = optional_formula(entry.value, "priority", "a priority");
    made.when = optional_formula(entry.value, "when", "a condition");
    made.blocking = optional_formula(entry.value, "blocking", "true or false");
    if (const auto per = entry.value.find("per")) {
        made.per = per->scalar("`layer`, `shared` or `none`");
        if (!made.count) {
            throw InputError(per->place(),
                             "streams per layer without a count",
                             "add `count:`, as many as there are layers");
        }
    }
    return made;
}

Procedure procedure(const YamlReader::Entry& entry) {
    Procedure made{new_name(entry.key, "a procedure"), {}, {}};
    if (entry.value.is_sequence()) {
        made.body = steps(entry.value);
        return made;
    }
    entry.value.require_keys(language::procedure());
    if (const auto parameters = entry.value.find("parameters")) {
        made.parameters = parse::names(*parameters, "a procedure's parameter");
    }
    made.body = steps(entry.value.require("do", "the procedure"));
    return made;
}

}  // namespace

std::vector<StreamGroup> streams(const YamlReader& map) {
    std::vector<StreamGroup> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of streams")) {
        YamlReader::attempt(entry, [&] { all.push_back(stream_group(entry)); });
    }
    return all;
}

std::vector<Procedure> procedures(const YamlReader& map) {
    std::vector<Procedure> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of procedures")) {
        YamlReader::attempt(entry, [&] { all.push_back(procedure(entry)); });
    }
    return all;
}

std::vector<MeasureFormula> measures(const YamlReader& map) {
    std::vector<MeasureFormula> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of measures")) {
        YamlReader::attempt(entry, [&] {
            all.push_back(
                {new_name(entry.key, "a measure"), formula(entry.value, "an expression")});
        });
    }
    return all;
}

}  // namespace highwater::parse
