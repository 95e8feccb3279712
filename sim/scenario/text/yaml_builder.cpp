#include "sim/scenario/text/yaml_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/text/suggestion.hpp"
#include "sim/scenario/text/yaml_merge.hpp"

namespace highwater {
namespace {

// yaml-cpp gives plain scalars the tag "?", quoted ones "!", and untagged collections "?" or "".
bool is_plain_tag(const std::string& tag) {
    return tag.empty() || tag == "?" || tag == "!";
}

}  // namespace

YamlBuilder::YamlBuilder(std::string_view text, std::string file)
    : text_(text), places_(text, std::move(file)) {}

SourcePlace YamlBuilder::place_of(const YAML::Mark& mark) {
    return places_.at(static_cast<std::size_t>(std::max(mark.pos, 0)));
}

// Where nothing is written the mark is at whatever comes next: the `:` or `-` before says more.
SourcePlace YamlBuilder::place_of_null(const YAML::Mark& mark) {
    const auto next = static_cast<std::size_t>(std::max(mark.pos, 0));
    const bool is_written =
        next < text_.size() && std::string_view("~nN").find(text_[next]) != std::string_view::npos;
    const std::size_t before = text_.substr(0, next).find_last_not_of(" \n\t");
    return places_.at(is_written || before == std::string_view::npos ? next : before);
}

PlacedText YamlBuilder::placed(const YAML::Mark& mark,
                               const std::string& tag,
                               const std::string& value) {
    PlacedText text{value, place_of(mark), false};
    const std::size_t quote = tag == "!" ? 1 : 0;
    const std::size_t begin = static_cast<std::size_t>(std::max(mark.pos, 0)) + quote;
    if (begin <= text_.size() && text_.substr(begin, value.size()) == value) {
        text.verbatim = true;
        text.place.column += quote;
    }
    return text;
}

void YamlBuilder::refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!is_plain_tag(tag)) {
        throw InputError(place_of(mark),
                         fmt::format("the YAML tag `{}`", quoted(tag)),
                         "remove it: kinds follow from where a value stands");
    }
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
    if (has_document_) {
        throw InputError(
            place_of(mark), "a second YAML document begins", "keep one scenario in a file");
    }
    has_document_ = true;
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node null;
    null.place = place_of_null(mark);
    const SourcePlace place = null.place;
    attach(add(std::move(null), anchor), place);
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const SourcePlace place = place_of(mark);
    const auto found = anchors_.find(anchor);
    const bool is_open =
        found != anchors_.end() && std::any_of(open_.begin(), open_.end(), [&](const Open& each) {
            return each.node == found->second;
        });
    if (found == anchors_.end() || is_open) {
        throw InputError(
            place, "an alias of what it is part of", "let it name an anchor that has ended before");
    }
    attach(found->second, place);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark,
                           const std::string& tag,
                           YAML::anchor_t anchor,
                           const std::string& value) {
    refuse_tag(mark, tag);
    Node scalar;
    scalar.kind = Node::Kind::kScalar;
    scalar.place = place_of(mark);
    scalar.scalar = placed(mark, tag, value);
    const SourcePlace place = scalar.place;
    attach(add(std::move(scalar), anchor), place);
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark,
                                  const std::string& tag,
                                  YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value /*style*/) {
    open(mark, tag, anchor, Node::Kind::kSequence);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark,
                             const std::string& tag,
                             YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
    open(mark, tag, anchor, Node::Kind::kMap);
}

void YamlBuilder::OnMapEnd() {
    carry_out_merge_keys(document_, open_.back().node);
    close();
}

YamlDocument::NodeIndex YamlBuilder::add(Node added, YAML::anchor_t anchor) {
    document_.nodes.push_back(std::move(added));
    const auto index = static_cast<NodeIndex>(document_.nodes.size() - 1);
    if (anchor != YAML::NullAnchor) {
        anchors_[anchor] = index;
    }
    return index;
}

void YamlBuilder::open(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       Node::Kind kind) {
    refuse_tag(mark, tag);
    Node added;
    added.kind = kind;
    added.place = place_of(mark);
    if (open_.size() >= kMaxYamlDepth) {
        throw InputError(added.place,
                         fmt::format("YAML nests deeper than {}", kMaxYamlDepth),
                         "name parts of it as procedures");
    }
    open_.push_back({add(std::move(added), anchor), std::nullopt, {}});
}

void YamlBuilder::close() {
    const NodeIndex done = open_.back().node;
    open_.pop_back();
    attach(done, document_.at(done).place);
}

void YamlBuilder::attach(NodeIndex index, const SourcePlace& place) {
    if (open_.empty()) {
        document_.root = index;
        return;
    }
    Open& parent = open_.back();
    grow(parent.node, index, place);
    if (node(parent.node).kind == Node::Kind::kSequence) {
        node(parent.node).items.push_back(index);
    } else if (parent.key) {
        add_entry(parent, index);
    } else {
        parent.key = index;
        if (node(index).kind != Node::Kind::kScalar) {
            throw InputError(place, "a key that is not a word", "write `key: value`");
        }
    }
}

void YamlBuilder::add_entry(Open& map, NodeIndex value) {
    const PlacedText key = node(*map.key).scalar;
    map.key.reset();
    const auto [other, is_new] = map.lines_of_keys.emplace(key.text, key.place.line);
    if (!is_new) {
        throw InputError(key.place,
                         fmt::format("the key `{}` is here twice", quoted(key.text)),
                         fmt::format("keep one: the other is on line {}", other->second));
    }
    node(map.node).entries.push_back({key, value});
}

void YamlBuilder::grow(NodeIndex parent, NodeIndex child, const SourcePlace& place) {
    Node& grown = node(parent);
    grown.expanded += node(child).expanded;
    grown.depth = std::max(grown.depth, node(child).depth + 1);
    if (grown.expanded > kMaxYamlNodes || grown.depth > kMaxYamlDepth) {
        throw InputError(place,
                         fmt::format("the file is more than {} values, or {} levels, with its "
                                     "aliases followed",
                                     kMaxYamlNodes,
                                     kMaxYamlDepth),
                         "use loops and procedures");
    }
}

}  // namespace highwater
