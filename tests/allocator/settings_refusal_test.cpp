#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

/// Texts that PyTorch refuses, and what it has applied by then.
namespace highwater {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a key or value that is missing at the end is an internal assertion", "[settings]") {
    const auto text = GENERATE(as<std::string>{},
                               "max_split_size_mb",
                               "max_split_size_mb:",
                               "large_segment_size_mb",
                               "expandable_segments:",
                               "roundup_power2_divisions",
                               "roundup_power2_divisions:",
                               "backend",
                               "backend:",
                               "backend:[native",
                               "release_lock_on_cudamalloc",
                               "backend:large_segment_size_mb");
    const Applied outcome = applied(text);
    CAPTURE(text);
    REQUIRE(outcome.error);
    CHECK(outcome.error->kind() == Kind::kInternalAssert);
    CHECK(outcome.error->offset() == text.size());
}

TEST_CASE("the generic parser goes over the whole text before the CUDA parser", "[settings]") {
    const Applied outcome = applied(
        "release_lock_on_cudamalloc:yes,expandable_segments:True,garbage_collection_"
        "threshold:2");
    REQUIRE(outcome.error);
    CHECK_THAT(outcome.error->what(), ContainsSubstring("garbage_collection_threshold"));
    CHECK(outcome.settings.expandable_segments);
}

TEST_CASE("a generic key that is refused keeps all CUDA keys out", "[settings]") {
    const auto text = GENERATE(as<std::string>{},
                               "graph_capture_record_stream_reuse:True,max_split_size_mb:1",
                               "graph_capture_record_stream_reuse:True,bogus:1");
    const Applied outcome = applied(text);
    CHECK(outcome.error);
    CHECK_FALSE(outcome.settings.graph_capture_record_stream_reuse);
}

TEST_CASE("what was applied before a refused key stays, what follows does not", "[settings]") {
    const Applied outcome = applied(
        "expandable_segments:True,max_split_size_mb:64,bogus:1,garbage_collection_threshold:0.5");
    REQUIRE(outcome.error);
    CHECK(outcome.settings.expandable_segments);
    CHECK(outcome.settings.max_split_size == 64_MiB);
    CHECK(outcome.settings.garbage_collection_threshold == 0);
}

TEST_CASE("CUDA keys before a refused one stay, and those after it do not", "[settings]") {
    const std::string reuse = "graph_capture_record_stream_reuse:True";
    CHECK(applied(reuse + ",backend:foo").settings.graph_capture_record_stream_reuse);
    CHECK_FALSE(applied("backend:foo," + reuse).settings.graph_capture_record_stream_reuse);
}

TEST_CASE("a refused text resets all the same", "[settings]") {
    const AllocatorSettings before = accepted(
        "max_split_size_mb:64,garbage_collection_threshold:0.5,roundup_power2_divisions:8");
    const auto text =
        GENERATE(as<std::string>{}, "bogus", "large_segment_size_mb:x", "large_segment_size_mb:5");
    AllocatorSettings expected;
    expected.conf = text;
    CHECK(applied_to(before, text).settings == expected);
}

TEST_CASE("a complaint names key and value, and where it is", "[settings]") {
    const auto [text, offset, key, value] =
        GENERATE(table<std::string, std::size_t, std::string, std::string>({
            {"max_split_size_mb: 19", 19, "max_split_size_mb", "19"},
            {"max_split_size_mb:abc", 18, "max_split_size_mb", "abc"},
            {"expandable_segments:on", 20, "expandable_segments", "on"},
            {"backend:foo", 8, "backend", "foo"},
            {"backend:cudaMallocAsync", 8, "backend", "cudaMallocAsync"},
            {"expandable_segments:True, bogus:1", 26, "", "bogus"},
            {"roundup_power2_divisions:[4:3]", 28, "roundup_power2_divisions", "3"},
        }));
    const Applied outcome = applied(text);
    REQUIRE(outcome.error);
    CHECK(outcome.error->offset() == offset);
    CHECK_THAT(outcome.error->what(), ContainsSubstring(key) && ContainsSubstring(value));
}

TEST_CASE("a complaint knows the exception of Python", "[settings]") {
    const auto [text, exception] = GENERATE(table<std::string, std::string>({
        {"max_split_size_mb:19", "ValueError"},
        {"max_split_size_mb:abc", "ValueError"},
        {"max_split_size_mb:18446744073709551616", "IndexError"},
        {"max_split_size_mb:", "RuntimeError"},
    }));
    CHECK(python_exception(refused(text)) == exception);
}

}  // namespace
}  // namespace highwater
