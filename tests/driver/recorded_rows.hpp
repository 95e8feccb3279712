#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"

namespace highwater::test {

/// The rows of a file of tests/recorded/driver, of one kind (`k`) if one is given.
std::vector<nlohmann::json> recorded_rows(const std::string& file, std::string_view kind = {});

/// The profile of the card that they were recorded on.
const CostProfile& recorded_profile();

Bytes bytes_in(const nlohmann::json& row, const char* key);

/// How many of the predictions are within their error of what was measured.
class Score {
  public:
    explicit Score(const ErrorBar& error) : error_(error) {}

    void add(const std::string& what, Bytes predicted, Bytes measured);
    double share_met() const { return static_cast<double>(met_) / static_cast<double>(rows_); }
    /// "46 of 48 met", and those that were not.
    std::string text() const;

  private:
    ErrorBar error_;
    int rows_ = 0;
    int met_ = 0;
    std::string missed_;
};

}  // namespace highwater::test
