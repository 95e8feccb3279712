#include "tests/hazards/found.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/engine/program_text.hpp"
#include "sim/hazards/hazard_detector.hpp"

namespace highwater {
namespace {

constexpr std::string_view kNames = R"(tensor a
tensor b
tensor c
tensor x
event e
event f
graph g
graph h
graph k
pool p
pool q
thread main
thread other
)";

std::size_t line_of(const Program& program, const HazardSide& side) {
    return program.places[side.captured_op.value_or(side.op)].line;
}

}  // namespace

Program program_of(std::string_view operations, Streams streams) {
    const std::string_view blocking = streams == Streams::kBlocking ? " blocking" : "";
    const std::string header =
        "highwater-program 1\n"
        "machine total_memory 1073741824 memory_fraction 1 conf \"\"\n"
        "stream default handle 0x0\n" +
        fmt::format("stream s handle 0x1{0}\nstream t handle 0x2{0}\nstream u handle 0x3\n{1}",
                    blocking,
                    kNames);
    const auto lines = static_cast<std::size_t>(std::count(header.begin(), header.end(), '\n'));
    Program program = parse_program(header + std::string(operations), "p");
    OpPlaces places;
    for (SourcePlace place : program.places.all()) {
        place.line -= lines;
        places.push_back(place);
    }
    program.places = places;
    return program;
}

std::vector<std::string> found(const Program& program) {
    std::vector<std::string> texts;
    for (const Hazard& hazard : find_hazards(program)) {
        texts.push_back(fmt::format("{} {} {}",
                                    name_of(hazard.kind),
                                    line_of(program, hazard.first),
                                    line_of(program, hazard.second)));
    }
    return texts;
}

std::vector<std::string> found(std::string_view operations) {
    return found(program_of(operations));
}

}  // namespace highwater
