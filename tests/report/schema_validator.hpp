#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sim/scenario/text/yaml_reader.hpp"

namespace highwater::test {

/// The keywords of JSON Schema that ours uses; any other makes it throw.
class SchemaValidator {
  public:
    explicit SchemaValidator(const std::string& schema) : schema_(nlohmann::json::parse(schema)) {}

    /// Where the text of a YAML file breaks the schema, and how; empty if it does not. Of several
    /// alternatives that all fail, that of the value itself.
    std::string complaint_about(const std::string& text) const;

  private:
    using Json = nlohmann::json;

    std::string complaint(const Json& schema, const YamlReader& value) const;
    std::string about_keyword(const std::string& keyword,
                              const Json& schema,
                              const YamlReader& value) const;
    std::string about_keys(const Json& schema, const YamlReader& map) const;

    Json schema_;
};

}  // namespace highwater::test
