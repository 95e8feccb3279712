#include "sim/report/trace_json.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

using namespace highwater;
using namespace std::chrono_literals;

namespace {

Instant at(Duration since_begin) {
    return Instant{since_begin};
}

}  // namespace

TEST_CASE("an event is a line, with times in microseconds and three decimals", "[trace]") {
    std::string text;
    TraceJson json([&](std::string_view piece) { text += piece; });
    json.name_track({1, 2}, "main");
    json.slice({1, 2}, "a", {at(1'002'003ns), at(1'002'008ns)}, JsonMembers().add("op", 7));
    json.instant({1, 2}, "b", at(5ns));
    json.counter(3, "pool", at(10us), JsonMembers().add("reserved", 512).add("allocated", 0));
    json.finish(JsonMembers().add("why", "because"));
    REQUIRE(text == R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}},
{"ph":"X","pid":1,"tid":2,"ts":1002.003,"dur":0.005,"name":"a","args":{"op":7}},
{"ph":"i","pid":1,"tid":2,"ts":0.005,"s":"t","name":"b"},
{"ph":"C","pid":3,"tid":0,"ts":10.000,"name":"pool","args":{"reserved":512,"allocated":0}}
],"otherData":{"why":"because"}}
)");
}

TEST_CASE("a trace is handed on in pieces, not kept", "[trace]") {
    constexpr std::size_t kEvents = 100'000;
    std::size_t longest = 0;
    std::size_t total = 0;
    TraceJson json([&](std::string_view piece) {
        longest = std::max(longest, piece.size());
        total += piece.size();
    });
    for (std::size_t i = 0; i < kEvents; ++i) {
        json.instant({1, 0}, "event", at(1ns));
    }
    json.finish({});
    CHECK(total > kEvents * 50);
    CHECK(longest < 100'000);
}

TEST_CASE("text becomes a JSON string whatever is in it", "[trace]") {
    const std::string text = GENERATE(as<std::string>{}, "", "plain", "\"\\", "\n\x01", "\xc3\xa9");
    CHECK(nlohmann::json::parse(json_string(text)) == text);
    CHECK(nlohmann::json::parse(json_string("\xff")) == "\xef\xbf\xbd");
}
