#include "sim/scenario/result/measures.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/facts/device_figures.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/result/figures.hpp"
#include "sim/scenario/result/graph_figures.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// A measure asked for a checkpoint or a graph that is not in the ledger.
struct NotReached {
    std::string name;
};

// A measure asked for a graph whose capture failed, and a `try` caught that.
struct FailedCapture {
    std::string name;
};

// A measure asked for a time, or for the driver's memory, and there is no cost profile.
struct NotKnown {};

bool is_time(std::string_view figure) {
    return figure.ends_with("_ns") || figure == "host_bound_share";
}

// The state after the last operation.
constexpr std::string_view kResult = "result";

// Without the path of templates, and without the number of a namesake: `model.mlp[3].up.2` is `up`.
std::string own_name(const std::string& name) {
    std::size_t end = name.size();
    std::size_t dot = name.rfind('.');
    if (dot != std::string::npos &&
        name.find_first_not_of("0123456789", dot + 1) == std::string::npos) {
        end = dot;
        dot = end == 0 ? std::string::npos : name.rfind('.', end - 1);
    }
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    return name.substr(begin, end - begin);
}

class LedgerScope : public Scope {
  public:
    LedgerScope(const ParameterValues& values,
                BucketSets buckets,
                const Program& program,
                const Ledger& ledger,
                const std::vector<ServedBucket>& served)
        : values_(values),
          buckets_(std::move(buckets)),
          program_(program),
          ledger_(ledger),
          served_(served) {}

    std::optional<Value> find(std::string_view name) const override { return values_.find(name); }
    std::vector<std::string> names() const override { return values_.names(); }

    std::optional<Value> find_member(const std::string& object,
                                     const std::string& field) const override {
        if (object == kDeviceObject) {
            return values_.find_member(object, field);
        }
        if ((is_time(field) && !ledger_.times) || (is_figure_of_driver(field) && !ledger_.driver)) {
            throw NotKnown{};
        }
        if (object == kServed && field == kServedPaddingTime) {
            return padding_time_of_all();
        }
        if (object == kServed && is_served_figure(field)) {
            return figure_of(served_, field);
        }
        // No checkpoint has a figure of such a name.
        if (std::optional<Value> figure = buckets_.find_figure(object, field)) {
            return figure;
        }
        if (std::optional<Value> figure = find_figure_of_try(ledger_, object, field)) {
            return figure;
        }
        if (object != kResult) {
            return find_figure(moment_of(checkpoint(object)), field);
        }
        const Moment end = moment_of_end(ledger_);
        const std::optional<Value> figure = find_figure_of_end(end, field);
        return figure ? figure : find_figure(end, field);
    }

    std::optional<Value> measure(std::string_view function,
                                 const std::vector<std::string>& names) const override {
        if (is_time(function) && !ledger_.times) {
            throw NotKnown{};
        }
        if (function == "unique_addresses") {
            return unique_addresses(names[0], names[1], names[2]);
        }
        if (function == "size_of") {
            return reached(size_of(names[0]), names[0]);
        }
        if (function == "busy_ns") {
            return find_busy_time(program_, ledger_, names[0]);
        }
        std::optional<Value> figure =
            reached(find_graph_figure(program_, ledger_, function, names[0]), names[0]);
        if (!figure && has_failed_capture(names[0])) {
            throw FailedCapture{names[0]};
        }
        return figure;
    }

  private:
    // What a run that failed has not come by is no mistake of the measure's.
    std::optional<Value> reached(std::optional<Value> figure, const std::string& name) const {
        if (!figure && ledger_.failure) {
            throw NotReached{name};
        }
        return figure;
    }

    // Failures name operations inside the capture, whose end then gives no graph.
    bool has_failed_capture(const std::string& graph) const {
        return !ledger_.caught.empty() &&
               std::any_of(program_.ops.begin(), program_.ops.end(), [&](const Op& op) {
                   const auto* begun = std::get_if<op::BeginCapture>(&op);
                   return begun != nullptr && program_.graphs.at(index_of(begun->graph)) == graph;
               });
    }

    Value unique_addresses(const std::string& tensor,
                           const std::string& from,
                           const std::string& to) const {
        const std::size_t begin = placements_at(from);
        const std::size_t end = placements_at(to);
        std::set<Address> addresses;
        for (std::size_t i = begin; i < end; ++i) {
            const Placement& placement = ledger_.placements.at(i);
            if (is_named(placement.tensor, tensor)) {
                addresses.insert(placement.address);
            }
        }
        return as_value(addresses.size());
    }

    std::optional<Value> size_of(const std::string& tensor) const {
        const auto last = std::find_if(
            ledger_.placements.rbegin(),
            ledger_.placements.rend(),
            [&](const Placement& placement) { return is_named(placement.tensor, tensor); });
        return last == ledger_.placements.rend() ? std::nullopt
                                                 : std::optional(as_value(last->size.count));
    }

    Value padding_time_of_all() const {
        Duration sum{};
        for (const ServedBucket& row : served_) {
            sum += padding_time(program_, ledger_, row).value_or(Duration{});
        }
        return std::int64_t{sum.count()};
    }

    const CheckpointRow& checkpoint(const std::string& name) const {
        const auto last = std::find_if(ledger_.checkpoints.rbegin(),
                                       ledger_.checkpoints.rend(),
                                       [&](const CheckpointRow& row) { return row.name == name; });
        if (last == ledger_.checkpoints.rend()) {
            throw NotReached{name};
        }
        return *last;
    }

    std::size_t placements_at(const std::string& name) const {
        return name == kResult ? ledger_.placements.size() : checkpoint(name).placements;
    }

    // `tmp` is the tensor `tmp`, and `tmp[0]`, `tmp[1]` and so on, in whichever template.
    bool is_named(TensorId id, const std::string& tensor) const {
        const std::string& name = program_.tensors.at(index_of(id));
        const std::string own = own_name(name);
        return own == tensor || own.starts_with(tensor + "[") || name == tensor;
    }

    const ParameterValues& values_;
    BucketSets buckets_;
    const Program& program_;
    const Ledger& ledger_;
    const std::vector<ServedBucket>& served_;
};

std::optional<Value> value_of(const MeasureFormula& measure,
                              const Scope& scope,
                              const Ledger& ledger) {
    try {
        return evaluate(measure.formula, scope);
    } catch (const NotKnown&) {
        return std::nullopt;
    } catch (const FailedCapture& failed) {
        throw InputError(
            measure.formula.source.place,
            fmt::format("the capture of `{}` failed, so that there is no such graph",
                        quoted(failed.name)),
            "leave the measure out, or ask for `.failed` of the `try` around the capture");
    } catch (const NotReached& missing) {
        if (ledger.failure) {
            return std::nullopt;
        }
        throw InputError(
            measure.formula.source.place,
            fmt::format("the steps did not come by the checkpoint `{}`", quoted(missing.name)),
            "put it where every run passes");
    }
}

}  // namespace

std::vector<Measure> evaluate_measures(const Scenario& scenario,
                                       const ParameterValues& values,
                                       const Program& program,
                                       const Ledger& ledger,
                                       const std::vector<ServedBucket>& served) {
    const LedgerScope scope(values, bucket_sets_of(scenario, values), program, ledger, served);
    std::vector<Measure> measures;
    for (const MeasureFormula& measure : scenario.measures) {
        measures.push_back({measure.name.text, naming_chains(scenario.sources, [&] {
                                return value_of(measure, scope, ledger);
                            })});
    }
    return measures;
}

}  // namespace highwater
