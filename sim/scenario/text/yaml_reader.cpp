#include "sim/scenario/text/yaml_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

void YamlReader::refuse_kind(std::string_view what) const {
    constexpr std::array<std::string_view, 4> kKinds{"nothing", "a value", "a list", "a map"};
    throw InputError(
        place(),
        fmt::format("{} where {} should be", kKinds.at(static_cast<std::size_t>(kind())), what),
        fmt::format("write {}", what));
}

// Of `x[i]` it is `x`.
void YamlReader::lose_name(std::string_view text) const {
    const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    const auto end = std::find_if_not(text.begin(), text.end(), is_of_name);
    if (problems_ != nullptr && end != text.begin()) {
        problems_->lose(text.substr(0, static_cast<std::size_t>(end - text.begin())));
    }
}

void YamlReader::lose_names() const {
    lose_name(node_->scalar.text);
    for (const auto index : node_->items) {
        at(index).lose_names();
    }
    for (const auto& entry : node_->entries) {
        lose_name(entry.key.text);
        at(entry.value).lose_names();
    }
}

const PlacedText& YamlReader::scalar(std::string_view what) const {
    if (!is_scalar()) {
        refuse_kind(what);
    }
    return node_->scalar;
}

std::vector<YamlReader> YamlReader::items(std::string_view what) const {
    if (!is_sequence()) {
        refuse_kind(what);
    }
    std::vector<YamlReader> all;
    all.reserve(node_->items.size());
    for (const auto index : node_->items) {
        all.push_back(at(index));
    }
    return all;
}

std::vector<YamlReader> YamlReader::one_or_more() const {
    return is_sequence() ? items("a list") : std::vector<YamlReader>{*this};
}

std::vector<YamlReader::Entry> YamlReader::entries(std::string_view what) const {
    if (!is_map()) {
        refuse_kind(what);
    }
    std::vector<Entry> all;
    all.reserve(node_->entries.size());
    for (const auto& entry : node_->entries) {
        all.push_back({entry.key, at(entry.value)});
    }
    return all;
}

std::vector<YamlReader::Entry> YamlReader::few_entries(std::string_view what) const {
    std::vector<Entry> all = entries(what);
    if (all.size() > kMaxNames) {
        throw InputError(all[kMaxNames].key.place,
                         fmt::format("more than {} entries in {}", kMaxNames, what),
                         "use counts, indices and loops");
    }
    return all;
}

void YamlReader::require_keys(std::string_view what, const std::vector<std::string>& known) const {
    for (const Entry& entry : entries(what)) {
        if (std::find(known.begin(), known.end(), entry.key.text) != known.end()) {
            continue;
        }
        if (problems_ != nullptr) {
            problems_->add_misspelt(place());
        }
        entry.value.attempt([&] {
            throw InputError(entry.key.place,
                             fmt::format("unknown key `{}` in {}", quoted(entry.key.text), what),
                             suggestion(entry.key.text, known, "remove it"));
        });
    }
}

std::optional<YamlReader> YamlReader::find(std::string_view key) const {
    for (const auto& entry : node_->entries) {
        if (entry.key.text == key) {
            return at(entry.value);
        }
    }
    return std::nullopt;
}

YamlReader YamlReader::require(std::string_view key, std::string_view what) const {
    if (std::optional<YamlReader> found = find(key)) {
        return *found;
    }
    const InputError lack(
        place(), fmt::format("{} lacks `{}`", what, key), fmt::format("add `{}:`", key));
    if (problems_ != nullptr && problems_->is_misspelt(place())) {
        throw FollowUpError(lack.place(), lack.problem(), lack.remedy());
    }
    throw InputError(lack);
}

bool YamlReader::flag(std::string_view key, bool absent) const {
    const std::optional<YamlReader> found = find(key);
    if (!found) {
        return absent;
    }
    const std::string& text = found->scalar("true or false").text;
    if (text != "true" && text != "false") {
        throw InputError(
            found->place(), fmt::format("`{}` is `{}`", key, quoted(text)), "write true or false");
    }
    return text == "true";
}

}  // namespace highwater
