#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

/// A YAML file as a tree with places. An alias is the node it names, shared and not copied; merge
/// keys (`<<`) are carried out. All the bounds hold: reading it whole is cheap.
struct YamlDocument {
    enum class NodeIndex : std::uint32_t {};

    struct Entry {
        PlacedText key;
        NodeIndex value{};
    };
    struct Node {
        enum class Kind { kNull, kScalar, kSequence, kMap };
        Kind kind = Kind::kNull;
        SourcePlace place;
        /// Of a scalar.
        PlacedText scalar;
        std::vector<NodeIndex> items;
        std::vector<Entry> entries;
        /// How many nodes a full reading of it meets, aliases followed each time.
        std::size_t expanded = 1;
        /// How deep it nests, 1 for a scalar.
        std::size_t depth = 1;
    };

    std::vector<Node> nodes;
    NodeIndex root{};

    const Node& at(NodeIndex index) const { return nodes.at(static_cast<std::size_t>(index)); }
};

inline constexpr std::size_t kMaxYamlDepth = 96;
inline constexpr std::size_t kMaxYamlNodes = 250'000;

/// `text` comes from `normalised_source`. Throws `InputError`.
YamlDocument parse_yaml(const std::string& text, const std::string& file);

}  // namespace highwater
