#include "sim/report/run_report.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/check.hpp"
#include "sim/report/operation_text.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

struct FieldText {
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(const std::string& text) const { return text; }
};

std::optional<SourcePlace> place_in(const Program& program, std::size_t op) {
    return op < program.places.size() ? std::optional(program.places[op]) : std::nullopt;
}

FailedOperation failed_operation(const Program& program, const Failure& failure) {
    const Op& operation = program.ops.at(failure.op);
    FailedOperation failed;
    failed.text = operation_text(program, operation);
    failed.place = place_in(program, failure.op);
    if (failure.cause) {
        failed.cause = {place_in(program, *failure.cause),
                        operation_text(program, program.ops.at(*failure.cause))};
    }
    std::visit(
        [&](const auto& op) {
            if constexpr (requires {
                              op.tensor;
                              op.stream;
                          }) {
                failed.tensor = program.tensors.at(index_of(op.tensor));
                failed.stream = program.streams.at(index_of(op.stream)).name;
            }
        },
        operation);
    return failed;
}

// What stands behind the operation that failed was not run.
bool resets_peaks(const Program& program, const Ledger& ledger) {
    const auto begin = program.ops.begin();
    const std::size_t count = ledger.failure ? ledger.failure->op : program.ops.size();
    return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count), [](const Op& operation) {
        return std::holds_alternative<op::ResetPeaks>(operation);
    });
}

std::string retry_text(const Program& program, const Ledger& ledger) {
    const Retry& first = ledger.first_retry.value();
    const std::optional<SourcePlace> place = place_in(program, first.op);
    return fmt::format(
        "cudaMalloc found no room and was tried again after PyTorch had given back what it cached: "
        "{} times, first at {}{} ({})",
        ledger.result.num_alloc_retries,
        place ? place_text(*place) : fmt::format("operation {}", first.op),
        ledger.times ? fmt::format(", after {}", time_text(first.time.time_since_epoch())) : "",
        operation_text(program, program.ops.at(first.op)));
}

}  // namespace

Untimed untimed_of(const Program& program, std::size_t times_left_out) {
    Untimed untimed{times_left_out, 0};
    for (const Op& op : program.ops) {
        if (std::holds_alternative<op::HoldStream>(op)) {
            return {times_left_out, 0};
        }
        untimed.record_streams += std::holds_alternative<op::RecordStream>(op) ? 1U : 0U;
    }
    return untimed;
}

std::string untimed_text(const Untimed& untimed) {
    std::vector<std::string> left_out;
    if (untimed.times > 0) {
        left_out.push_back(fmt::format("times and amounts of work that operations state ({})",
                                       grouped(std::uint64_t{untimed.times})));
    }
    if (untimed.record_streams > 0) {
        left_out.push_back(fmt::format("what record_stream makes memory wait for ({})",
                                       grouped(std::uint64_t{untimed.record_streams})));
    }
    return left_out.empty()
               ? ""
               : fmt::format(
                     "without a cost profile all work is done at once, and this counts for "
                     "nothing: {}; name one, `cost_profile: h200-cuda13`, or say `none` if "
                     "it is meant so",
                     fmt::join(left_out, ", "));
}

std::string unstated_work_text(const RunReport& run) {
    if (!run.costs || run.kernels_without_work == 0) {
        return "";
    }
    return fmt::format("{} of {} kernels state no work and take {} each",
                       grouped(std::uint64_t{run.kernels_without_work}),
                       grouped(std::uint64_t{run.kernels}),
                       time_text(run.costs->kernel_base));
}

RunReport report_of(const Program& program, Ledger ledger) {
    RunReport report;
    report.streams = stream_names(program.streams);
    report.were_peaks_reset = resets_peaks(program, ledger);
    for (const StreamEntry& stream : program.streams) {
        report.program_streams.push_back(stream.name);
    }
    report.graphs = program.graphs;
    for (const Failure& caught : ledger.caught) {
        report.caught.push_back(failed_operation(program, caught));
    }
    for (const Op& op : program.ops) {
        if (const auto* kernel = std::get_if<op::Kernel>(&op)) {
            ++report.kernels;
            report.kernels_without_work += kernel->duration == Duration{} ? 1U : 0U;
        }
    }
    // Of one that came to nothing the failure says enough.
    const bool has_failed_there =
        ledger.first_retry && ledger.failure && ledger.failure->op == ledger.first_retry->op;
    if (ledger.first_retry && !has_failed_there) {
        report.first_retry = retry_text(program, ledger);
    }
    if (ledger.failure) {
        report.failed = failed_operation(program, *ledger.failure);
    }
    report.ledger = std::move(ledger);
    return report;
}

// The allocator numbers streams by handle, in the order it meets them, after the default stream.
StreamNames stream_names(const std::vector<StreamEntry>& streams) {
    std::vector<StreamHandle> handles{StreamHandle{0}};
    StreamNames names(1);
    for (const StreamEntry& stream : streams) {
        const auto found = std::find(handles.begin(), handles.end(), stream.handle);
        const auto index = static_cast<std::size_t>(found - handles.begin());
        if (found == handles.end()) {
            handles.push_back(stream.handle);
            names.emplace_back();
        }
        names[index].push_back(stream.name);
    }
    if (names.front().empty()) {
        names.front().emplace_back("default");
    }
    return names;
}

const std::vector<std::string>& names_of(const RunReport& run, StreamId stream) {
    const auto index = static_cast<std::size_t>(stream);
    check(index < run.streams.size(), "a stream of the ledger is one of the Program's");
    return run.streams[index];
}

std::string field_text(const FieldValue& value) {
    return std::visit(FieldText{}, value);
}

CostSource source_of(const CostProfile& costs, bool is_of_another_card) {
    return {
        costs.name,
        fmt::format(
            "{}; driver {}, CUDA {}, {}", costs.card, costs.driver, costs.cuda, costs.framework),
        is_of_another_card,
        costs.times.card.kernel_base};
}

namespace {

std::vector<std::string> notices_of_time(const RunReport& run) {
    if (!run.costs) {
        return {"no cost profile, so no time passes: time_ns and elapsed_ns are null"};
    }
    std::vector<std::string> notices{
        fmt::format("times are approximate: cost profile {}, measured on {}",
                    run.costs->profile,
                    run.costs->measured_on)};
    if (run.costs->is_of_another_card) {
        notices.emplace_back("the cost profile was measured on another card than the device");
    }
    if (const std::string unstated = unstated_work_text(run); !unstated.empty()) {
        notices.push_back(unstated);
    }
    return notices;
}

}  // namespace

std::vector<std::string> notices(const RunReport& run) {
    std::vector<std::string> all = notices_of_time(run);
    for (const std::string& notice : {untimed_text(run.untimed), run.first_retry}) {
        if (!notice.empty()) {
            all.push_back(notice);
        }
    }
    if (!run.costs) {
        all.emplace_back(run.ledger.driver
                             ? "no cost profile, so of the driver's memory only what is named is "
                               "in driver"
                             : "no cost profile, so the driver's memory is not known: driver is "
                               "null");
    }
    if (std::any_of(run.ledger.pools.begin(), run.ledger.pools.end(), [](const PoolRow& pool) {
            return pool.high_water > Bytes{0} && !pool.last_growth;
        })) {
        all.emplace_back(
            "why the driver's own pool grows is not modelled: its stranded_bytes are null");
    }
    return all;
}

}  // namespace highwater
