#include "sim/report/trace_json.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace highwater {
namespace {

// Handed on in pieces of about this size.
constexpr std::size_t kPiece = std::size_t{1} << 16U;

bool is_plain(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

}  // namespace

std::string json_string(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), is_plain)) {
        return fmt::format("\"{}\"", text);
    }
    using Json = nlohmann::json;
    return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void JsonMembers::key(std::string_view key) {
    text_ += text_.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(text_), "{}:", json_string(key));
}

JsonMembers& JsonMembers::add(std::string_view key, std::uint64_t number) {
    this->key(key);
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return *this;
}

JsonMembers& JsonMembers::add(std::string_view key, std::string_view text) {
    this->key(key);
    text_ += json_string(text);
    return *this;
}

TraceJson::TraceJson(TextSink sink)
    : sink_(std::move(sink)), text_("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[") {}

void TraceJson::begin_event(char phase, Track track) {
    text_ += std::exchange(is_first_, false) ? "\n" : ",\n";
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"{}","pid":{},"tid":{})",
                   phase,
                   track.group,
                   track.number);
}

void TraceJson::add_name(std::string_view name) {
    text_ += ",\"name\":";
    text_ += json_string(name);
}

void TraceJson::add_time(std::string_view key, std::int64_t nanoseconds) {
    constexpr std::int64_t kMicrosecond = 1000;
    fmt::format_to(std::back_inserter(text_),
                   ",\"{}\":{}.{:03}",
                   key,
                   nanoseconds / kMicrosecond,
                   nanoseconds % kMicrosecond);
}

void TraceJson::end_event(const JsonMembers& args) {
    if (!args.text().empty()) {
        text_ += ",\"args\":{";
        text_ += args.text();
        text_ += '}';
    }
    text_ += '}';
    flush_if_long();
}

void TraceJson::flush_if_long() {
    if (text_.size() >= kPiece) {
        sink_(text_);
        text_.clear();
    }
}

void TraceJson::name_group(std::uint32_t group, std::string_view name) {
    begin_event('M', {group, 0});
    add_name("process_name");
    end_event(JsonMembers().add("name", name));
    begin_event('M', {group, 0});
    add_name("process_sort_index");
    end_event(JsonMembers().add("sort_index", group));
}

void TraceJson::name_track(Track track, std::string_view name) {
    begin_event('M', track);
    add_name("thread_name");
    end_event(JsonMembers().add("name", name));
    begin_event('M', track);
    add_name("thread_sort_index");
    end_event(JsonMembers().add("sort_index", track.number));
}

void TraceJson::slice(Track track, std::string_view name, Span span, const JsonMembers& args) {
    begin_event('X', track);
    add_time("ts", nanoseconds_of(span.begin));
    add_time("dur", (span.end - span.begin).count());
    add_name(name);
    end_event(args);
}

void TraceJson::instant(Track track, std::string_view name, Instant at, const JsonMembers& args) {
    begin_event('i', track);
    add_time("ts", nanoseconds_of(at));
    text_ += ",\"s\":\"t\"";
    add_name(name);
    end_event(args);
}

void TraceJson::counter(std::uint32_t group,
                        std::string_view name,
                        Instant at,
                        const JsonMembers& series) {
    begin_event('C', {group, 0});
    add_time("ts", nanoseconds_of(at));
    add_name(name);
    end_event(series);
}

void TraceJson::finish(const JsonMembers& metadata) {
    fmt::format_to(std::back_inserter(text_), "\n],\"otherData\":{{{}}}}}\n", metadata.text());
    sink_(text_);
    text_.clear();
}

}  // namespace highwater
