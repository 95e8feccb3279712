#include "sim/scenario/text/yaml_graft.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace highwater {
namespace {

using Entry = YamlDocument::Entry;
using Node = YamlDocument::Node;
using NodeIndex = YamlDocument::NodeIndex;

NodeIndex add(YamlDocument& document, Node added) {
    document.nodes.push_back(std::move(added));
    return static_cast<NodeIndex>(document.nodes.size() - 1);
}

// As `YamlBuilder` counts: a key is a value, too.
void measure(const YamlDocument& document, Node& map) {
    map.expanded = 1;
    map.depth = 1;
    for (const Entry& entry : map.entries) {
        map.expanded += 1 + document.at(entry.value).expanded;
        map.depth = std::max(map.depth, document.at(entry.value).depth + 1);
    }
    if (map.expanded > kMaxYamlNodes || map.depth > kMaxYamlDepth) {
        throw InputError(map.place,
                         fmt::format("with what it extends this is more than {} values, or {} "
                                     "levels",
                                     kMaxYamlNodes,
                                     kMaxYamlDepth),
                         "use loops and procedures");
    }
}

bool is_map(const YamlDocument& document, NodeIndex index) {
    return document.at(index).kind == Node::Kind::kMap;
}

}  // namespace

NodeIndex append_document(YamlDocument& document, YamlDocument from) {
    const auto offset = static_cast<std::uint32_t>(document.nodes.size());
    const auto moved = [offset](NodeIndex index) {
        return static_cast<NodeIndex>(static_cast<std::uint32_t>(index) + offset);
    };
    for (Node& node : from.nodes) {
        std::transform(node.items.begin(), node.items.end(), node.items.begin(), moved);
        for (Entry& entry : node.entries) {
            entry.value = moved(entry.value);
        }
        document.nodes.push_back(std::move(node));
    }
    return moved(from.root);
}

// It goes no further than the smaller of the two expands to, aliases included.
NodeIndex merged_over(YamlDocument& document, NodeIndex base, NodeIndex own) {
    if (!is_map(document, base) || !is_map(document, own)) {
        return own;
    }
    Node merged;
    merged.kind = Node::Kind::kMap;
    merged.place = document.at(own).place;
    merged.entries = document.at(base).entries;
    const std::vector<Entry> added = document.at(own).entries;
    std::map<std::string, std::size_t> positions;
    for (std::size_t i = 0; i < merged.entries.size(); ++i) {
        positions.emplace(merged.entries[i].key.text, i);
    }
    for (const Entry& entry : added) {
        const auto [found, is_new] = positions.emplace(entry.key.text, merged.entries.size());
        if (is_new) {
            merged.entries.push_back(entry);
        } else {
            Entry& inherited = merged.entries[found->second];
            inherited = {entry.key, merged_over(document, inherited.value, entry.value)};
        }
    }
    measure(document, merged);
    return add(document, std::move(merged));
}

}  // namespace highwater
