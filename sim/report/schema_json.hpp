#pragma once

#include <string>

namespace highwater {

/// The JSON Schema (draft 2020-12) of a scenario file, for editors: what keys there are, and what
/// they mean. It is wider than the parser in how keys go together and in what expressions mean.
std::string schema_json_text();

}  // namespace highwater
