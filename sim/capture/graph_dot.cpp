#include "sim/capture/graph_dot.hpp"

#include <iterator>

#include <fmt/format.h>

#include "sim/capture/neighbours.hpp"
#include "sim/capture/node_kind.hpp"

namespace highwater {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '\n') {
            result += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

std::string plain_label(const CaptureGraph& graph, GraphVertex node) {
    return fmt::format(
        "{}: {}\nstream {}", node, name_of(graph[node].kind), index_of(graph[node].stream));
}

// Colours of a scheme count from 1.
std::size_t colour_of(StreamId stream) {
    constexpr std::size_t kColours = 12;
    return index_of(stream) % kColours + 1;
}

}  // namespace

std::string to_dot(const CaptureGraph& graph, const NodeLabel& label) {
    std::string text =
        "digraph capture {\n    node [shape=box, style=filled, colorscheme=set312];\n";
    auto end = std::back_inserter(text);
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        fmt::format_to(end,
                       "    {} [label={}, fillcolor={}];\n",
                       node,
                       quoted(label ? label(node) : plain_label(graph, node)),
                       colour_of(graph[node].stream));
    }
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        for (const GraphVertex next : successors_of(graph, node)) {
            fmt::format_to(end, "    {} -> {};\n", node, next);
        }
    }
    return text + "}\n";
}

}  // namespace highwater
