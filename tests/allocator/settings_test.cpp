#include "sim/allocator/settings.hpp"

#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace literals;

TEST_CASE("the empty text is the defaults", "[settings]") {
    CHECK(accepted("") == AllocatorSettings{});
    CHECK(accepted(" \t\n").max_split_size == std::nullopt);
    CHECK(parse_settings("") == AllocatorSettings{});
}

// Resets and sticky options, as PyTorch 2.11.0 showed them after a second text.
TEST_CASE("a text resets split size, rounding, threshold and divisions", "[settings]") {
    AllocatorSettings settings = accepted(
        "max_split_size_mb:64,max_non_split_rounding_mb:32,garbage_collection_threshold:0.5,"
        "roundup_power2_divisions:8");
    apply_settings(settings, "");
    CHECK(settings == AllocatorSettings{});
}

TEST_CASE("every other option stays until it is set again", "[settings]") {
    AllocatorSettings settings = accepted(
        "large_segment_size_mb:64,expandable_segments:True,pinned_use_background_threads:True,"
        "graph_capture_record_stream_reuse:True,per_process_memory_fraction:0.5,"
        "release_lock_on_cudamalloc:True,pinned_use_cuda_host_register:True,"
        "pinned_num_register_threads:8,pinned_reserve_segment_size_mb:16");
    AllocatorSettings expected = settings;
    expected.conf = "";
    apply_settings(settings, "");
    CHECK(settings == expected);
    CHECK(settings.large_segment_size == 64_MiB);
}

TEST_CASE("the non-split rounding goes back to the large segment size that holds now",
          "[settings]") {
    AllocatorSettings settings = accepted("large_segment_size_mb:64,max_non_split_rounding_mb:70");
    CHECK(settings.max_non_split_rounding == 70_MiB);
    apply_settings(settings, "");
    CHECK(settings.max_non_split_rounding == 64_MiB);
    apply_settings(settings, "max_split_size_mb:80,large_segment_size_mb:32");
    CHECK(settings.max_non_split_rounding == 32_MiB);
}

TEST_CASE("the large segment size counts wherever it stands", "[settings]") {
    CHECK(accepted("max_split_size_mb:11,large_segment_size_mb:11").max_split_size == 11_MiB);
    CHECK(refused("max_split_size_mb:64,large_segment_size_mb:65") == Kind::kValueError);
    // Also in the place of a value, and before anything is refused.
    const auto text = GENERATE(as<std::string>{},
                               "bogus:1,large_segment_size_mb:64",
                               "bogus:large_segment_size_mb:64",
                               "backend:large_segment_size_mb:64",
                               "roundup_power2_divisions:[large_segment_size_mb:64]",
                               "max_split_size_mb:x,large_segment_size_mb:64");
    const Applied outcome = applied(text);
    CHECK(outcome.error);
    CHECK(outcome.settings.large_segment_size == 64_MiB);
}

TEST_CASE("of two values for one key the later one holds", "[settings]") {
    CHECK(accepted("large_segment_size_mb:64,large_segment_size_mb:32").large_segment_size ==
          32_MiB);
    CHECK(accepted("max_split_size_mb:64,max_split_size_mb:32").max_split_size == 32_MiB);
    const Applied outcome = applied("large_segment_size_mb:64,large_segment_size_mb:5");
    CHECK(outcome.error);
    CHECK(outcome.settings.large_segment_size == 64_MiB);
}

TEST_CASE("what stands for a separator is not looked at", "[settings]") {
    CHECK(accepted("max_split_size_mb,100").max_split_size == 100_MiB);
    CHECK(accepted("large_segment_size_mb,64").large_segment_size == 64_MiB);
    const auto text = GENERATE(as<std::string>{},
                               "max_split_size_mb:64:garbage_collection_threshold:0.5",
                               "max_split_size_mb:64[garbage_collection_threshold]0.5");
    CHECK(accepted(text).garbage_collection_threshold == 0.5);
}

TEST_CASE("one separator may trail", "[settings]") {
    CHECK(accepted("max_split_size_mb:64,").max_split_size == 64_MiB);
    CHECK(accepted("max_split_size_mb:64:").max_split_size == 64_MiB);
    CHECK(refused("max_split_size_mb:64,,") == Kind::kValueError);
}

TEST_CASE("a separator in the place of a key is an unknown key", "[settings]") {
    const auto text = GENERATE(as<std::string>{},
                               ",",
                               ":",
                               "]",
                               ",max_split_size_mb:64",
                               "roundup_power2_divisions:[4:2]max_split_size_mb:64");
    CHECK(refused(text) == Kind::kValueError);
}

TEST_CASE("white space inside a word joins it", "[settings]") {
    CHECK(accepted(" max_split _size_mb :\t6 4\n").max_split_size == 64_MiB);
    // The space is no comma: the value reads 64garbage..., the key 0.5.
    CHECK(refused("max_split_size_mb:64 garbage_collection_threshold:0.5") == Kind::kValueError);
}

TEST_CASE("the text applied last is kept as it was written", "[settings]") {
    CHECK(accepted(" max_split_size_mb: 64 ").conf == " max_split_size_mb: 64 ");
    CHECK(applied("bogus").settings.conf == "bogus");
}

TEST_CASE("settings can be applied from their own text", "[settings]") {
    AllocatorSettings settings = accepted("garbage_collection_threshold:0.5,max_split_size_mb:64");
    const AllocatorSettings before = settings;
    apply_settings(settings, settings.conf);
    CHECK(settings == before);
}

}  // namespace
}  // namespace highwater
