#include "sim/cli/plan_buckets.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/number_option.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/size_option.hpp"
#include "sim/core/error.hpp"
#include "sim/plan/buckets/bucket_plan.hpp"
#include "sim/report/plan/buckets_text.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr const char* kCandidateForms =
    "write `8,16,24`, `1..256`, `8..256:8` or an engine's list and its largest, `vllm:256`";

InputError no_candidates(std::string_view text) {
    return {{"--bucket-candidates"},
            fmt::format("`{}` is no list of buckets", quoted(text)),
            fmt::format("{}, of numbers from 1 to {}", kCandidateForms, kMaxBucket)};
}

std::int64_t bucket_in(std::string_view text, std::string_view all) {
    const std::optional<std::int64_t> number = whole_number(text);
    if (!number || *number < 1 || *number > kMaxBucket) {
        throw no_candidates(all);
    }
    return *number;
}

BucketList candidate_range(std::string_view text, std::size_t dots) {
    const std::size_t colon = std::min(text.find(':', dots), text.size());
    const std::int64_t first = bucket_in(text.substr(0, dots), text);
    const std::int64_t last = bucket_in(text.substr(dots + 2, colon - dots - 2), text);
    const std::int64_t step = colon < text.size() ? bucket_in(text.substr(colon + 1), text) : 1;
    BucketList list = range_buckets(first, last, step);
    if (list.empty()) {
        throw no_candidates(text);
    }
    return list;
}

BucketList candidates_of(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots != std::string_view::npos) {
        return candidate_range(text, dots);
    }
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
        const std::int64_t max = bucket_in(text.substr(colon + 1), text);
        const auto named = named_bucket_list(text.substr(0, colon), max);
        if (!named || named->empty()) {
            throw no_candidates(text);
        }
        return *named;
    }
    std::set<std::int64_t> list;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        list.insert(bucket_in(text.substr(from, comma - from), text));
        from = comma + 1;
    }
    return {list.begin(), list.end()};
}

Input read_histogram(const std::string& path) {
    std::error_code ignored;
    if (path != "-" && !std::filesystem::is_regular_file(path, ignored)) {
        throw InputError({path},
                         "neither a file nor a distribution",
                         "name a file of lines `batch,count`, or as `geometric:24` a distribution");
    }
    return read_input(path);
}

plan::BucketQuestion bucket_question(const BucketOptions& options) {
    plan::BucketQuestion question;
    question.histogram = [text = options.histogram](std::int64_t largest) {
        if (plan::is_distribution(text)) {
            return plan::histogram_of(text, largest);
        }
        const Input file = read_histogram(text);
        if (file.text.size() > kMaxFileBytes) {
            throw InputError({file.name},
                             fmt::format("it is larger than {} bytes", kMaxFileBytes),
                             "add up the counts of each batch size");
        }
        return plan::histogram_from_csv(file.text, file.name, largest);
    };
    if (!options.set.empty()) {
        question.set = options.set;
    }
    if (!options.candidates.empty()) {
        question.candidates = candidates_of(options.candidates);
    }
    if (!options.budget.empty()) {
        question.budget = parse_size(options.budget, "--bucket-budget");
    }
    if (options.max_buckets > 0) {
        question.max_buckets = options.max_buckets;
    }
    question.cost = options.cost == "time" ? plan::BucketCost::kTime : plan::BucketCost::kRows;
    return question;
}

}  // namespace

void add_bucket_options(CLI::App& command, BucketOptions& options) {
    command.add_option("--buckets-for",
                       options.histogram,
                       "Choose buckets for batches: a file of `batch,count`, or uniform:1..256, "
                       "geometric:MEAN, poisson:MEAN, lognormal:MEDIAN,SIGMA");
    command.add_option(
        "--bucket-set", options.set, "The scenario's list to replace, if it captures several");
    command.add_option("--bucket-budget",
                       options.budget,
                       "For pools and graphs, as in 2GiB; else what the scenario's list takes");
    command.add_option("--max-buckets", options.max_buckets, "At most so many buckets")
        ->check(CLI::PositiveNumber);
    command.add_option(
        "--bucket-candidates",
        options.candidates,
        "Choose from 8,16,24 or 1..256 or 8..256:8 or vllm:256; else from all sizes");
    command.add_option("--bucket-cost", options.cost, "What padding costs: rows, or replays' time")
        ->check(CLI::IsMember({"rows", "time"}));
}

void require_buckets_asked(const BucketOptions& options) {
    const std::vector<std::pair<const char*, bool>> given{
        {"--bucket-set", !options.set.empty()},
        {"--bucket-budget", !options.budget.empty()},
        {"--max-buckets", options.max_buckets > 0},
        {"--bucket-candidates", !options.candidates.empty()},
        {"--bucket-cost", options.cost != "rows"}};
    for (const auto& [name, is_given] : given) {
        if (is_given && !options.is_asked()) {
            throw InputError({name},
                             "no batches to choose buckets for",
                             "add `--buckets-for`, with a file of `batch,count` or a distribution");
        }
    }
}

int plan_buckets_of(const Scenario& scenario,
                    const std::vector<Override>& overrides,
                    const BucketOptions& options,
                    const PlanFiles& paths) {
    const plan::BucketPlan plan = plan::plan_buckets(scenario, overrides, bucket_question(options));
    OutputFiles files(scenario.file);
    files.protect(options.histogram);
    write_answer({bucket_plan_json(plan, scenario.name),
                  bucket_plan_csv(plan),
                  bucket_plan_text(plan, scenario.name)},
                 paths,
                 std::move(files));
    return plan.chosen ? kDone : kAnswerIsNo;
}

}  // namespace highwater
