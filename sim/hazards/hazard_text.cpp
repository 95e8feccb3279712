#include "sim/hazards/hazard_text.hpp"

#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "sim/engine/text_words.hpp"

namespace highwater {
namespace {

std::string place_text(const Program& program, std::size_t op) {
    if (op >= program.places.size()) {
        return fmt::format("operation {}", op + 1);
    }
    const SourcePlace place = program.places[op];
    return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::string name_text(const Program& program, TensorId tensor) {
    return shown(program.tensors.at(index_of(tensor)));
}

std::string name_text(const Program& program, StreamId stream) {
    return shown(program.streams.at(index_of(stream)).name);
}

std::string name_text(const Program& program, GraphId graph) {
    return shown(program.graphs.at(index_of(graph)));
}

std::string noun_of(const Program& program, std::size_t index) {
    const Op& op = program.ops.at(index);
    if (std::holds_alternative<op::Memset>(op)) {
        return "the memset";
    }
    if (std::holds_alternative<op::Copy>(op)) {
        return "the copy";
    }
    if (std::holds_alternative<op::AllReduce>(op)) {
        return "the all-reduce";
    }
    const std::string label =
        index < program.places.size() ? program.places.label(index) : std::string();
    return label.empty() ? "the kernel" : fmt::format("the kernel {}", shown(label));
}

std::string_view verb_of(HazardSide::Does does) {
    switch (does) {
        case HazardSide::Does::kRead:
            return "reads";
        case HazardSide::Does::kWrite:
            return "writes";
        case HazardSide::Does::kFree:
            return "frees";
        case HazardSide::Does::kUnmap:
            return "unmaps";
    }
    return "";
}

// Who: `the kernel on stream `s``.
std::string actor_text(const Program& program, const HazardSide& side) {
    const std::string on = name_text(program, side.stream);
    if (!side.graph) {
        return fmt::format("{} on stream {}", noun_of(program, side.op), on);
    }
    const std::size_t captured = side.captured_op.value_or(side.op);
    return fmt::format("the replay of graph {} on stream {} ({} captured at {})",
                       name_text(program, *side.graph),
                       on,
                       noun_of(program, captured),
                       place_text(program, captured));
}

std::string does_text(const Program& program, const HazardSide& side) {
    return fmt::format("{} {}", verb_of(side.does), name_text(program, side.tensor));
}

std::string unordered_text(const Program& program, const Hazard& hazard) {
    const std::string freed =
        hazard.freed ? fmt::format(" (freed at {})", place_text(program, *hazard.freed)) : "";
    const std::string within =
        hazard.within ? fmt::format("in graph {} ", name_text(program, *hazard.within)) : "";
    return fmt::format("{}{} {} while {} at {} may not be done, which {}{} in the same memory",
                       within,
                       actor_text(program, hazard.second),
                       does_text(program, hazard.second),
                       actor_text(program, hazard.first),
                       place_text(program, hazard.first.op),
                       does_text(program, hazard.first),
                       freed);
}

std::string overwritten_text(const Program& program, const Hazard& hazard) {
    return fmt::format("{} {} but finds what {} at {} wrote there for {}",
                       actor_text(program, hazard.second),
                       does_text(program, hazard.second),
                       actor_text(program, hazard.first),
                       place_text(program, hazard.first.op),
                       name_text(program, hazard.first.tensor));
}

std::string outrun_text(const Program& program, const Hazard& hazard) {
    return fmt::format(
        "{} {}, but what the replay at {} left there was overwritten by a later replay before "
        "that: {} at {} {} again",
        actor_text(program, hazard.second),
        does_text(program, hazard.second),
        place_text(program, *hazard.outrun),
        actor_text(program, hazard.first),
        place_text(program, hazard.first.op),
        does_text(program, hazard.first));
}

std::string stale_text(const Program& program, const Hazard& hazard) {
    const std::string of =
        hazard.first.tensor == hazard.second.tensor
            ? ""
            : fmt::format("a weak view of {}, ", name_text(program, hazard.first.tensor));
    return fmt::format("{} {}, {}which was freed at {}",
                       actor_text(program, hazard.second),
                       does_text(program, hazard.second),
                       of,
                       place_text(program, hazard.first.op));
}

std::string unmapped_text(const Program& program, const Hazard& hazard) {
    return fmt::format("the memory of {} is unmapped while {} at {} may not be done, which {}",
                       name_text(program, hazard.first.tensor),
                       actor_text(program, hazard.first),
                       place_text(program, hazard.first.op),
                       does_text(program, hazard.first));
}

std::string order_remedy(const Program& program, const Hazard& hazard) {
    return fmt::format("let stream {} wait for stream {} in between",
                       name_text(program, hazard.second.stream),
                       name_text(program, hazard.first.stream));
}

// The tensor that was freed is the first side's.
std::string keep_remedy(const Program& program, const Hazard& hazard) {
    return fmt::format("let stream {} wait for stream {} before {} is freed, or keep {} until then",
                       name_text(program, hazard.home),
                       name_text(program, hazard.first.stream),
                       name_text(program, hazard.first.tensor),
                       name_text(program, hazard.first.tensor));
}

}  // namespace

std::string hazard_problem(const Program& program, const Hazard& hazard) {
    switch (hazard.kind) {
        case HazardKind::kOverwritten:
            return hazard.outrun ? outrun_text(program, hazard) : overwritten_text(program, hazard);
        case HazardKind::kStaleAddress:
            return stale_text(program, hazard);
        case HazardKind::kUnmappedInUse:
            return unmapped_text(program, hazard);
        default:
            return unordered_text(program, hazard);
    }
}

namespace {

std::string overwritten_remedy(const Program& program, const Hazard& hazard) {
    const std::string second = name_text(program, hazard.second.tensor);
    if (hazard.outrun) {
        return fmt::format("copy {} before graph {} is replayed again",
                           second,
                           name_text(program, *hazard.first.graph));
    }
    return fmt::format(
        "read or copy {} before that, replay in the order of the captures, "
        "or give the graphs pools of their own",
        second);
}

std::string stale_remedy(const Program& program, const Hazard& hazard) {
    const std::string kept = name_text(program, hazard.first.tensor);
    return hazard.second.graph
               ? fmt::format("keep {} as long as the graph, and copy new values into it", kept)
               : fmt::format("keep {} until then, or read it before it is freed", kept);
}

}  // namespace

std::string hazard_remedy(const Program& program, const Hazard& hazard) {
    const std::string first = name_text(program, hazard.first.tensor);
    const std::string second = name_text(program, hazard.second.tensor);
    const std::string on_first = name_text(program, hazard.first.stream);
    switch (hazard.kind) {
        case HazardKind::kUnordered:
            return order_remedy(program, hazard);
        case HazardKind::kReusedInUse:
            return fmt::format("record stream {} for {} (record_stream) before the free, or {}",
                               on_first,
                               first,
                               keep_remedy(program, hazard));
        case HazardKind::kRecordForgotten:
            return fmt::format(
                "a record_stream inside use_mem_pool or a capture protects nothing: {}",
                keep_remedy(program, hazard));
        case HazardKind::kUsedTooEarly:
            return fmt::format("{}: {} was allocated on {}, and its memory is ready in that order",
                               order_remedy(program, hazard),
                               second,
                               name_text(program, hazard.home));
        case HazardKind::kReplayOverlap:
            return order_remedy(program, hazard) + ", or give the graphs pools of their own";
        case HazardKind::kOverwritten:
            return overwritten_remedy(program, hazard);
        case HazardKind::kStaleAddress:
            return stale_remedy(program, hazard);
        case HazardKind::kUnmappedInUse:
            return fmt::format(
                "record stream {} for {} (record_stream) before the free, or "
                "synchronise with it before the cache is emptied",
                on_first,
                first);
    }
    return "";
}

std::string hazard_text(const Program& program, const Hazard& hazard) {
    return fmt::format("{}: {}: {}; {}",
                       place_text(program, hazard.second.op),
                       name_of(hazard.kind),
                       hazard_problem(program, hazard),
                       hazard_remedy(program, hazard));
}

}  // namespace highwater
