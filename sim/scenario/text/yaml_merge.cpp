#include "sim/scenario/text/yaml_merge.hpp"

#include <algorithm>
#include <set>

namespace highwater {
namespace {

using Node = YamlDocument::Node;
using NodeIndex = YamlDocument::NodeIndex;

std::vector<NodeIndex> merged_maps(const YamlDocument& document, NodeIndex value) {
    const Node& node = document.at(value);
    std::vector<NodeIndex> maps =
        node.kind == Node::Kind::kSequence ? node.items : std::vector<NodeIndex>{value};
    for (const NodeIndex each : maps) {
        if (document.at(each).kind != Node::Kind::kMap) {
            throw InputError(document.at(each).place,
                             "`<<` of something that is not a map",
                             "let it name an anchor of a map, as in `<<: *base`");
        }
    }
    return maps;
}

// Adds the entries whose keys are not taken yet.
void add_missing(const Node& from,
                 std::set<std::string>& taken,
                 std::vector<YamlDocument::Entry>& to) {
    for (const auto& entry : from.entries) {
        if (taken.insert(entry.key.text).second) {
            to.push_back(entry);
        }
    }
}

}  // namespace

void carry_out_merge_keys(YamlDocument& document, NodeIndex map) {
    Node& node = document.nodes[static_cast<std::size_t>(map)];
    const auto merge = std::find_if(node.entries.begin(),
                                    node.entries.end(),
                                    [](const auto& entry) { return entry.key.text == "<<"; });
    if (merge == node.entries.end()) {
        return;
    }
    const std::vector<NodeIndex> maps = merged_maps(document, merge->value);
    node.entries.erase(merge);
    std::set<std::string> taken;
    for (const auto& entry : node.entries) {
        taken.insert(entry.key.text);
    }
    for (const NodeIndex each : maps) {
        add_missing(document.at(each), taken, node.entries);
    }
}

}  // namespace highwater
