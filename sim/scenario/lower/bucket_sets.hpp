#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/description/buckets.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/expression/value.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

class Position;

/// The scenario's lists of batch sizes by name, each in the order of its captures.
class BucketSets {
  public:
    void add(const std::string& name, std::vector<std::int64_t> buckets) {
        sets_[name] = std::move(buckets);
    }

    /// Throws `InputError` if there is none of that name.
    const std::vector<std::int64_t>& at(const PlacedText& name) const;
    static const std::vector<std::string>& figure_names();
    /// `decode.max`, `min`, `count` or `sum`.
    std::optional<Value> find_figure(const std::string& set, const std::string& figure) const;

  private:
    std::map<std::string, std::vector<std::int64_t>> sets_;
};

/// Evaluates a description, in the order that it asks for. At most 100,000 buckets, each from 1.
std::vector<std::int64_t> bucket_list_of(const BucketSpec& spec, Position& at);

/// All that the scenario defines, for those who are not carrying it out.
BucketSets bucket_sets_of(const Scenario& scenario, const ParameterValues& values);

/// Is it `decode.max` or such of a set that the scenario defines?
bool is_bucket_figure(const Scenario& scenario, std::string_view set, std::string_view figure);

}  // namespace highwater
