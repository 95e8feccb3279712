#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/text/form.hpp"
#include "sim/scenario/text/problems.hpp"
#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {

/// Typed access to one value of a file. `what` says in messages what the value should be: "a list
/// of steps". All of it throws `InputError` at the value's place; what is wrong with a part that is
/// attempted goes to the problems, if there are any to gather.
class YamlReader {
  public:
    static constexpr std::size_t kMaxNames = 1'000;

    using Kind = YamlDocument::Node::Kind;
    struct Entry;

    YamlReader(const YamlDocument& document,
               YamlDocument::NodeIndex index,
               Problems* problems = nullptr)
        : document_(&document), node_(&document.at(index)), problems_(problems) {}

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

    /// Does the work that reads this value. If it is refused, the names in it are lost.
    template <typename Work>
    void attempt(Work work) const {
        if (problems_ == nullptr) {
            work();
        } else if (!problems_->attempt(work)) {
            lose_names();
        }
    }
    /// The same for an entry, whose key is lost as well.
    template <typename Work>
    static void attempt(const Entry& entry, Work work);

    /// A map whose keys are all among `known`.
    void require_keys(std::string_view what, const std::vector<std::string>& known) const;
    void require_keys(const MapForm& form) const { require_keys(form.what, names_of(form.keys)); }
    std::optional<YamlReader> find(std::string_view key) const;
    YamlReader require(std::string_view key, std::string_view what) const;
    /// `true` or `false`; `absent` if the key is not there.
    bool flag(std::string_view key, bool absent) const;

  private:
    [[noreturn]] void refuse_kind(std::string_view what) const;
    void lose_name(std::string_view text) const;
    void lose_names() const;
    YamlReader at(YamlDocument::NodeIndex index) const {
        return YamlReader(*document_, index, problems_);
    }

    const YamlDocument* document_;
    const YamlDocument::Node* node_;
    Problems* problems_;
};

struct YamlReader::Entry {
    const PlacedText& key;
    YamlReader value;
};

template <typename Work>
void YamlReader::attempt(const Entry& entry, Work work) {
    entry.value.attempt([&] {
        try {
            work();
        } catch (const InputError&) {
            entry.value.lose_name(entry.key.text);
            throw;
        }
    });
}

}  // namespace highwater
