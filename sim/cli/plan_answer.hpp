#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sim/cli/output.hpp"

namespace highwater {

/// Where an answer goes, as `--json` and `--csv` say; empty for nowhere.
struct PlanFiles {
    std::string json;
    std::string csv;
};

/// An answer in all its forms.
struct PlanAnswer {
    nlohmann::ordered_json json;
    std::string csv;
    std::string text;
};

/// Writes it among `files`; the text is for people, unless a file goes to standard output. Throws
/// `InputError`.
void write_answer(const PlanAnswer& answer, const PlanFiles& paths, OutputFiles files);

}  // namespace highwater
