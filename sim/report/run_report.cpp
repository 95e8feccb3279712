#include "sim/report/run_report.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

struct FieldText {
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(const std::string& text) const { return text; }
};

}  // namespace

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

std::vector<std::string_view> notices() {
    return {"time is not modelled yet: time_ns and elapsed_ns are null",
            "driver memory is not modelled yet: driver_bytes is null"};
}

}  // namespace highwater
