#include "sim/scenario/text/extends.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/text/presets.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "sim/scenario/text/yaml_graft.hpp"
#include "sim/scenario/text/yaml_reader.hpp"

namespace highwater {
namespace {

using NodeIndex = YamlDocument::NodeIndex;

constexpr std::string_view kExtends = "extends";
constexpr std::size_t kMaxNameLength = 1'000;

bool is_one_line(const std::string& name) {
    return std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c); });
}

class Extender {
  public:
    Extender(const FileReader& read_file, SourceFiles& files)
        : read_file_(read_file), files_(files) {}

    YamlDocument read(std::string_view text, const std::string& file) {
        document_.root = add_file(text, file, "");
        return std::move(document_);
    }

  private:
    NodeIndex add_file(std::string_view text, const std::string& file, std::string chain);
    NodeIndex add_what_it_extends(NodeIndex root);
    NodeIndex add_extended(const PlacedText& name);
    std::string text_of(const PlacedText& name, const std::string& path) const;
    void require_room(const PlacedText& name) const;
    void require_no_circle(const PlacedText& name, const std::string& path) const;
    std::string chain_to(const PlacedText& name) const;
    std::optional<YamlReader> take_extends(NodeIndex root);

    const FileReader& read_file_;
    SourceFiles& files_;
    YamlDocument document_;
    /// The files that are being read, each extended by the one before it.
    std::vector<std::string> under_way_;
    std::size_t bytes_ = 0;
};

NodeIndex Extender::add_file(std::string_view text, const std::string& file, std::string chain) {
    const std::size_t index = files_.size();
    files_.push_back({file, "", std::move(chain)});
    files_[index].text = normalised_source(text, file);
    bytes_ += files_[index].text.size();
    const NodeIndex root = append_document(document_, parse_yaml(files_[index].text, file));
    under_way_.push_back(file);
    const NodeIndex whole = add_what_it_extends(root);
    under_way_.pop_back();
    return whole;
}

// The entry itself says nothing to what reads the document.
std::optional<YamlReader> Extender::take_extends(NodeIndex root) {
    auto& entries = document_.nodes[static_cast<std::size_t>(root)].entries;
    const auto found = std::find_if(
        entries.begin(), entries.end(), [](const auto& each) { return each.key.text == kExtends; });
    if (found == entries.end()) {
        return std::nullopt;
    }
    const YamlReader value(document_, found->value);
    entries.erase(found);
    return value;
}

NodeIndex Extender::add_what_it_extends(NodeIndex root) {
    const std::optional<YamlReader> extends = take_extends(root);
    if (!extends) {
        return root;
    }
    // By value: reading more files moves the nodes.
    std::vector<PlacedText> names;
    for (const YamlReader& each : extends->one_or_more()) {
        names.push_back(each.scalar("a file or a preset"));
    }
    std::optional<NodeIndex> bases;
    for (const PlacedText& name : names) {
        const NodeIndex base = add_extended(name);
        bases = bases ? merged_over(document_, *bases, base) : base;
    }
    return bases ? merged_over(document_, *bases, root) : root;
}

NodeIndex Extender::add_extended(const PlacedText& name) {
    if (name.text.empty() || name.text.size() > kMaxNameLength || !is_one_line(name.text)) {
        throw InputError(
            name.place,
            fmt::format("`{}` names neither a file nor a preset", highwater::quoted(name.text)),
            "write `extends: base.yaml`");
    }
    const std::string path = names_a_file(name.text) ? path_from(under_way_.back(), name.text)
                                                     : fmt::format("preset {}", name.text);
    require_no_circle(name, path);
    require_room(name);
    const std::string text = text_of(name, path);
    const std::string chain = chain_to(name);
    const NodeIndex base = naming_chains(files_, [&] { return add_file(text, path, chain); });
    naming_chains(files_, [&] { YamlReader(document_, base).entries("a scenario"); });
    return base;
}

std::string Extender::text_of(const PlacedText& name, const std::string& path) const {
    if (!names_a_file(name.text)) {
        if (const std::optional<std::string_view> text = find_preset(name.text)) {
            return std::string(*text);
        }
        throw InputError(
            name.place,
            fmt::format("unknown preset `{}`", highwater::quoted(name.text)),
            suggestion(name.text, preset_names(), "") + "; a file's name ends in `.yaml`");
    }
    try {
        return read_file_(path);
    } catch (const InputError& error) {
        throw InputError(
            name.place, fmt::format("`{}`: {}", path, error.problem()), error.remedy());
    }
}

void Extender::require_room(const PlacedText& name) const {
    if (under_way_.size() > kMaxExtendsDepth) {
        throw InputError(name.place,
                         fmt::format("files extend each other more than {} deep", kMaxExtendsDepth),
                         "put some of them together");
    }
    if (files_.size() > kMaxExtendedFiles || bytes_ > kMaxExtendedBytes) {
        throw InputError(name.place,
                         fmt::format("more than {} files, or {} bytes, extend each other",
                                     kMaxExtendedFiles,
                                     kMaxExtendedBytes),
                         "put some of them together");
    }
}

void Extender::require_no_circle(const PlacedText& name, const std::string& path) const {
    const auto first = std::find(under_way_.begin(), under_way_.end(), path);
    if (first == under_way_.end()) {
        return;
    }
    std::string circle;
    for (auto each = first; each != under_way_.end(); ++each) {
        circle += fmt::format("`{}` extends ", *each);
    }
    throw InputError(name.place,
                     fmt::format("files extend each other in a circle: {}`{}`", circle, path),
                     "break it");
}

// The chain of what extends it, and one more link.
std::string Extender::chain_to(const PlacedText& name) const {
    std::string chain = fmt::format("extended by {}:{}", name.place.file, name.place.line);
    const auto extending = std::find_if(files_.begin(), files_.end(), [&](const SourceFile& file) {
        return file.name == name.place.file;
    });
    if (extending != files_.end() && !extending->chain.empty()) {
        chain += ", " + extending->chain.substr(std::string_view("extended ").size());
    }
    return chain;
}

}  // namespace

bool names_a_file(std::string_view name) {
    return name.ends_with(".yaml") || name.ends_with(".yml");
}

std::string path_from(const std::string& naming, const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(naming).parent_path();
    return (folder / name).lexically_normal().string();
}

YamlDocument read_document(std::string_view text,
                           const std::string& file,
                           const FileReader& read_file,
                           SourceFiles& files) {
    return Extender(read_file, files).read(text, file);
}

std::string read_no_file(const std::string& path) {
    throw InputError({path}, "other files are not read here", "extend a preset only");
}

}  // namespace highwater
