#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/yaml_document.hpp"

namespace highwater {

/// Typed access to one value of a file. `what` says in messages what the value should be: "a list
/// of steps". All of it throws `InputError` at the value's place.
class YamlReader {
  public:
    static constexpr std::size_t kMaxNames = 1'000;

    using Kind = YamlDocument::Node::Kind;
    struct Entry;

    YamlReader(const YamlDocument& document, YamlDocument::NodeIndex index)
        : document_(&document), node_(&document.at(index)) {}

    const SourcePlace& place() const { return node_->place; }
    Kind kind() const { return node_->kind; }
    bool is_scalar() const { return node_->kind == Kind::kScalar; }
    bool is_map() const { return node_->kind == Kind::kMap; }
    bool is_sequence() const { return node_->kind == Kind::kSequence; }
    bool is_null() const { return node_->kind == Kind::kNull; }

    const PlacedText& scalar(std::string_view what) const;
    std::vector<YamlReader> items(std::string_view what) const;
    /// The items of a list, or the value itself if it is none: `free: a` and `free: [a, b]`.
    std::vector<YamlReader> one_or_more() const;
    std::vector<Entry> entries(std::string_view what) const;
    /// At most `kMaxNames` entries: names are looked for one by one.
    std::vector<Entry> few_entries(std::string_view what) const;

    /// A map whose keys are all among `known`.
    void require_keys(std::string_view what, const std::vector<std::string>& known) const;
    std::optional<YamlReader> find(std::string_view key) const;
    YamlReader require(std::string_view key, std::string_view what) const;
    /// `true` or `false`; `absent` if the key is not there.
    bool flag(std::string_view key, bool absent) const;

  private:
    [[noreturn]] void refuse_kind(std::string_view what) const;

    const YamlDocument* document_;
    const YamlDocument::Node* node_;
};

struct YamlReader::Entry {
    const PlacedText& key;
    YamlReader value;
};

}  // namespace highwater
