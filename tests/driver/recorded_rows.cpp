#include "tests/driver/recorded_rows.hpp"

#include <fstream>

#include <fmt/format.h>

#include "sim/scenario/facts/cost_profiles.hpp"
#include "tests/support/catch.hpp"

namespace highwater::test {
namespace {

constexpr double kMiB = 1 << 20;

double mib(Bytes bytes) {
    return static_cast<double>(bytes.count) / kMiB;
}

}  // namespace

std::vector<nlohmann::json> recorded_rows(const std::string& file, std::string_view kind) {
    std::ifstream lines(HIGHWATER_SOURCE_DIR "/tests/recorded/driver/" + file);
    REQUIRE(lines);
    std::vector<nlohmann::json> rows;
    for (std::string line; std::getline(lines, line);) {
        nlohmann::json row = nlohmann::json::parse(line);
        if (kind.empty() || row.at("k") == kind) {
            rows.push_back(std::move(row));
        }
    }
    REQUIRE_FALSE(rows.empty());
    return rows;
}

const CostProfile& recorded_profile() {
    static const CostProfile kProfile = find_cost_profile("h200-cuda13").value();
    return kProfile;
}

Bytes bytes_in(const nlohmann::json& row, const char* key) {
    return {row.at(key).get<std::uint64_t>()};
}

void Score::add(const std::string& what, Bytes predicted, Bytes measured) {
    const Bytes off = predicted > measured ? predicted - measured : measured - predicted;
    ++rows_;
    if (off <= error_.of(measured)) {
        ++met_;
    } else {
        missed_ += fmt::format("; {}: {} MiB, measured {}", what, mib(predicted), mib(measured));
    }
}

std::string Score::text() const {
    return fmt::format("{} of {} met{}", met_, rows_, missed_);
}

}  // namespace highwater::test
