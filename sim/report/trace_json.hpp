#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/core/time.hpp"
#include "sim/timeline/timeline_listener.hpp"

namespace highwater {

/// Takes text as it is made.
using TextSink = std::function<void(std::string_view)>;

/// `text` as a JSON string, quotes included. What is not UTF-8 is replaced.
std::string json_string(std::string_view text);

/// The members of one JSON object, as text.
class JsonMembers {
  public:
    JsonMembers& add(std::string_view key, std::uint64_t number);
    JsonMembers& add(std::string_view key, std::string_view text);
    std::string_view text() const { return text_; }

  private:
    void key(std::string_view key);
    std::string text_;
};

/// The trace format of Chrome, which Perfetto opens: events as JSON, written as they come, so that
/// memory does not grow with them. Times are microseconds with three decimals.
class TraceJson {
  public:
    /// A row of the viewer: a number of its own within a numbered group.
    struct Track {
        std::uint32_t group = 0;
        std::uint32_t number = 0;
        friend bool operator==(const Track&, const Track&) = default;
    };

    explicit TraceJson(TextSink sink);

    /// Groups stand in the order of their numbers.
    void name_group(std::uint32_t group, std::string_view name);
    void name_track(Track track, std::string_view name);
    /// On one track slices come in the order of their beginnings, and lie in one another or apart.
    void slice(Track track, std::string_view name, Span span, const JsonMembers& args = {});
    void instant(Track track, std::string_view name, Instant at, const JsonMembers& args = {});
    /// From then on. One series a member.
    void counter(std::uint32_t group, std::string_view name, Instant at, const JsonMembers& series);
    /// Nothing may follow. `metadata` is about the whole trace.
    void finish(const JsonMembers& metadata);

  private:
    void begin_event(char phase, Track track);
    void add_name(std::string_view name);
    void add_time(std::string_view key, std::int64_t nanoseconds);
    void end_event(const JsonMembers& args);
    void flush_if_long();

    TextSink sink_;
    std::string text_;
    bool is_first_ = true;
};

}  // namespace highwater
