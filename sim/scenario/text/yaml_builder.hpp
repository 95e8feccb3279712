#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include "sim/scenario/text/source_places.hpp"
#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {

/// Turns yaml-cpp's events into a `YamlDocument`, refusing what a scenario cannot mean.
class YamlBuilder : public YAML::EventHandler {
  public:
    YamlBuilder(std::string_view text, std::string file);

    /// Nothing but comments in the file leaves the document without nodes.
    YamlDocument document() && { return std::move(document_); }

    void OnDocumentStart(const YAML::Mark& mark) override;
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override;
    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override;
    void OnMapEnd() override;

  private:
    using Node = YamlDocument::Node;
    using NodeIndex = YamlDocument::NodeIndex;

    /// A sequence or map whose end has not come, with the key that waits for its value.
    struct Open {
        NodeIndex node{};
        std::optional<NodeIndex> key;
        std::map<std::string, std::size_t> lines_of_keys;
    };

    SourcePlace place_of(const YAML::Mark& mark);
    SourcePlace place_of_null(const YAML::Mark& mark);
    PlacedText placed(const YAML::Mark& mark, const std::string& tag, const std::string& value);
    Node& node(NodeIndex index) { return document_.nodes[static_cast<std::size_t>(index)]; }

    NodeIndex add(Node added, YAML::anchor_t anchor);
    void open(const YAML::Mark& mark,
              const std::string& tag,
              YAML::anchor_t anchor,
              Node::Kind kind);
    void close();
    /// `index` is complete: it becomes an item, a key or a value of what is open, or the root.
    void attach(NodeIndex index, const SourcePlace& place);
    void add_entry(Open& map, NodeIndex value);
    void grow(NodeIndex parent, NodeIndex child, const SourcePlace& place);
    void refuse_tag(const YAML::Mark& mark, const std::string& tag);

    std::string_view text_;
    SourcePlaces places_;
    YamlDocument document_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, NodeIndex> anchors_;
    bool has_document_ = false;
};

}  // namespace highwater
