#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {

StepList body(const YamlReader& map, std::string_view what) {
    const std::optional<YamlReader> list = map.find("do");
    const std::optional<YamlReader> procedure = map.find("call");
    if (list && procedure) {
        throw InputError(procedure->place(),
                         fmt::format("both `do` and `call` in {}", what),
                         "keep one of them");
    }
    if (procedure) {
        StepList one;
        one.push_back({procedure->place(), call(map, *procedure), {}});
        return one;
    }
    if (const std::optional<YamlReader> with = map.find("with")) {
        throw InputError(with->place(), "`with` beside `do`", "use it with `call`, or remove it");
    }
    return steps(map.require("do", what));
}

step::Call call(const YamlReader& map, const YamlReader& argument) {
    return {argument.scalar("a procedure's name"), arguments(map)};
}

StepKind loop_with_index(const YamlReader& step, const YamlReader& argument) {
    const auto entries = argument.entries("an index and its count, as in `for: {i: 4}`");
    if (entries.size() != 1) {
        throw InputError(argument.place(),
                         fmt::format("a loop over {} indices", entries.size()),
                         "give it one, and nest loops for more");
    }
    const PlacedText index = new_name(entries.front().key, "an index");
    return step::Loop{index, formula(entries.front().value, "a count"), body(step, "a loop")};
}

StepKind loop(const YamlReader& step, const YamlReader& argument) {
    return step::Loop{std::nullopt, formula(argument, "a count"), body(step, "a loop")};
}

StepKind choice(const YamlReader& step, const YamlReader& argument) {
    step::Choice made{formula(argument, "a condition"), {}, {}};
    const std::optional<YamlReader> otherwise = step.find("else");
    made.then = steps(step.require("then", "the choice"));
    if (otherwise) {
        made.otherwise = steps(*otherwise);
    }
    return made;
}

StepKind on_stream(const YamlReader& step, const YamlReader& argument) {
    return step::OnStream{reference(argument, "a stream"), body(step, "`on`")};
}

StepKind on_thread(const YamlReader& step, const YamlReader& argument) {
    return step::OnThread{new_name(argument.scalar("a thread's name"), "a thread"),
                          body(step, "`thread`")};
}

StepKind tried(const YamlReader& step, const YamlReader& argument) {
    Formula name = reference(argument, "a name");
    new_name({base_name(name), name.source.place, false}, "a try");
    return step::Try{std::move(name), body(step, "`try`")};
}

StepKind capture(const YamlReader& /*step*/, const YamlReader& argument) {
    if (argument.is_map() && argument.find("buckets")) {
        return capture_buckets(argument);
    }
    argument.require_keys(language::capture());
    step::Capture made{
        reference(argument.require("graph", "the capture"), "a graph"), {}, {}, {}, {}, {}, {}, {}};
    if (const auto pool = argument.find("pool")) {
        made.pool = reference(*pool, "a pool");
    }
    if (const auto stream = argument.find("stream")) {
        made.stream = reference(*stream, "a stream");
    }
    made.raw = argument.flag("raw", false);
    if (const auto mode = argument.find("mode")) {
        made.mode = mode->scalar("a mode");
    }
    if (const auto end_on = argument.find("end_on")) {
        made.end_on = reference(*end_on, "a stream");
    }
    if (const auto thread = argument.find("end_thread")) {
        made.end_thread = new_name(thread->scalar("a thread's name"), "a thread");
    }
    made.body = body(argument, "the capture");
    return made;
}

StepKind use_mem_pool(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::use_mem_pool());
    return step::UseMemPool{reference(argument.require("pool", "`use_mem_pool`"), "a pool"),
                            body(argument, "`use_mem_pool`")};
}

}  // namespace highwater::parse
