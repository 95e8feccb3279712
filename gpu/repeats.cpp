#include "gpu/repeats.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace highwater::gpu {
namespace {

using Json = nlohmann::ordered_json;
using Path = Json::json_pointer;

bool is_time(const std::string& name) {
    constexpr std::string_view kSuffix = "_ns";
    return name.ends_with(kSuffix);
}

// The value at the path in each run that has it.
std::vector<Json> values_at(const Path& path, const std::vector<Json>& runs) {
    std::vector<Json> values;
    for (const Json& run : runs) {
        if (run.contains(path)) {
            values.push_back(run.at(path));
        }
    }
    return values;
}

class Merger {
  public:
    explicit Merger(const std::vector<Json>& runs) : runs_(runs), result_(runs.front()) {}

    Json merge() {
        visit(runs_.front(), Path(), "");
        result_["measured"]["repeats"] = runs_.size();
        result_["measured"]["times"] = times_;
        result_["measured"]["unsteady"] = unsteady_;
        return result_;
    }

  private:
    void visit(const Json& json, const Path& path, const std::string& name) {
        if (json.is_object()) {
            for (const auto& [key, value] : json.items()) {
                visit(value, path / key, key);
            }
        } else if (json.is_array()) {
            for (std::size_t i = 0; i < json.size(); ++i) {
                visit(json[i], path / i, name);
            }
        } else if (json.is_number() && is_time(name)) {
            note_time(path);
        } else if (!all_equal(path)) {
            unsteady_.push_back(path.to_string());
        }
    }

    void note_time(const Path& path) {
        std::vector<Json> values = values_at(path, runs_);
        std::ranges::sort(
            values, [](const Json& a, const Json& b) { return a.get<double>() < b.get<double>(); });
        const Json& median = values[(values.size() - 1) / 2];
        result_[path] = median;
        times_[path.to_string()] = {
            {"smallest", values.front()}, {"median", median}, {"largest", values.back()}};
    }

    bool all_equal(const Path& path) const {
        const std::vector<Json> values = values_at(path, runs_);
        return values.size() == runs_.size() && std::ranges::all_of(values, [&](const Json& value) {
                   return value == values.front();
               });
    }

    const std::vector<Json>& runs_;
    Json result_;
    Json times_ = Json::object();
    Json unsteady_ = Json::array();
};

}  // namespace

Json merged(const std::vector<Json>& runs) {
    return Merger(runs).merge();
}

}  // namespace highwater::gpu
