#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace literals;

// PyTorch cuts larger numbers of MiB to this many.
constexpr std::uint64_t kMostMib = (1ULL << 44) - 1;

TEST_CASE("the large segment size is above 10 MiB", "[settings]") {
    CHECK(accepted("large_segment_size_mb:11").large_segment_size == 11_MiB);
    CHECK(accepted("large_segment_size_mb:64").large_segment_size == 64_MiB);
    const auto value = GENERATE(as<std::string>{}, "10", "5", "0");
    CHECK(refused("large_segment_size_mb:" + value) == Kind::kValueError);
}

TEST_CASE("the large segment size stops at 1 EiB, where sums are still safe", "[settings]") {
    const auto [value, size] = GENERATE(table<std::string, Bytes>({
        {"1099511627775", kMaxLargeSegmentSize - 1_MiB},
        {"1099511627776", kMaxLargeSegmentSize},
        {"1099511627777", kMaxLargeSegmentSize},
        {"-1", kMaxLargeSegmentSize},
    }));
    const AllocatorSettings settings = accepted("large_segment_size_mb:" + value);
    CHECK(settings.large_segment_size == size);
    CHECK(settings.max_non_split_rounding == size);
}

TEST_CASE("the max split size is at least the large segment size", "[settings]") {
    CHECK(accepted("max_split_size_mb:20").max_split_size == 20_MiB);
    CHECK(refused("max_split_size_mb:19") == Kind::kValueError);
    CHECK(accepted("large_segment_size_mb:64,max_split_size_mb:64").max_split_size == 64_MiB);
    CHECK(refused("large_segment_size_mb:65,max_split_size_mb:64") == Kind::kValueError);
    CHECK(accepted("large_segment_size_mb:11,max_split_size_mb:11").max_split_size == 11_MiB);
}

TEST_CASE("the max split size stops at the most whole MiB of 64 bits", "[settings]") {
    const auto value = GENERATE(
        as<std::string>{}, "17592186044415", "17592186044416", "-1", "18446744073709551615");
    CHECK(accepted("max_split_size_mb:" + value).max_split_size == 1_MiB * kMostMib);
}

TEST_CASE("the max non-split rounding is at least the large segment size", "[settings]") {
    CHECK(accepted("max_non_split_rounding_mb:20").max_non_split_rounding == 20_MiB);
    CHECK(accepted("max_non_split_rounding_mb:64").max_non_split_rounding == 64_MiB);
    CHECK(refused("max_non_split_rounding_mb:19") == Kind::kValueError);
    CHECK(refused("large_segment_size_mb:64,max_non_split_rounding_mb:63") == Kind::kValueError);
}

// On 2.11.0, with 100 MiB cached and -1, no request below 100 MiB took the block.
TEST_CASE("a max non-split rounding of all 64 bits lets no larger block be taken", "[settings]") {
    CHECK(accepted("max_non_split_rounding_mb:17592186044414").max_non_split_rounding ==
          kMaxLargeSegmentSize);
    const auto value = GENERATE(as<std::string>{}, "17592186044415", "17592186044416", "-1");
    CHECK(accepted("max_non_split_rounding_mb:" + value).max_non_split_rounding == 0_B);
}

TEST_CASE("the garbage collection threshold is strictly between 0 and 1", "[settings]") {
    CHECK(accepted("garbage_collection_threshold:0.6").garbage_collection_threshold == 0.6);
    CHECK(accepted("garbage_collection_threshold:1e-300").garbage_collection_threshold == 1e-300);
    // The last is 1 as a double.
    const auto value =
        GENERATE(as<std::string>{}, "0", "-0", "1", "-1", "inf", "nan", "0.99999999999999999999");
    CHECK(refused("garbage_collection_threshold:" + value) == Kind::kValueError);
}

TEST_CASE("the memory fraction is between 0 and 1", "[settings]") {
    const auto [value, fraction] = GENERATE(
        table<std::string, double>({{"0", 0}, {"-0", 0}, {"0.25", 0.25}, {"1", 1}, {"1.0x", 1}}));
    CHECK(accepted("per_process_memory_fraction:" + value).per_process_memory_fraction == fraction);
    const auto bad = GENERATE(as<std::string>{}, "1.01", "-0.1", "inf", "nan");
    CHECK(refused("per_process_memory_fraction:" + bad) == Kind::kValueError);
}

TEST_CASE("pinned register threads are a power of two up to 128", "[settings]") {
    const std::string key = "pinned_num_register_threads:";
    CHECK(accepted(key + "1").pinned_num_register_threads == 1);
    CHECK(accepted(key + "128").pinned_num_register_threads == 128);
    const auto value = GENERATE(as<std::string>{}, "0", "3", "129", "256", "-1");
    CHECK(refused(key + value) == Kind::kValueError);
}

TEST_CASE("the pinned reserve segment is above 0 MiB", "[settings]") {
    const std::string key = "pinned_reserve_segment_size_mb:";
    CHECK(accepted(key + "1").pinned_reserve_segment_size == 1_MiB);
    CHECK(accepted(key + "-1").pinned_reserve_segment_size == 1_MiB * kMostMib);
    CHECK(refused(key + "0") == Kind::kValueError);
}

using Flag = bool AllocatorSettings::*;

TEST_CASE("switches are True or False, and go both ways", "[settings]") {
    const auto [key, flag] = GENERATE(table<std::string, Flag>({
        {"expandable_segments", &AllocatorSettings::expandable_segments},
        {"pinned_use_background_threads", &AllocatorSettings::pinned_use_background_threads},
        {"release_lock_on_cudamalloc", &AllocatorSettings::release_lock_on_cudamalloc},
        {"release_lock_on_hipmalloc", &AllocatorSettings::release_lock_on_cudamalloc},
        {"graph_capture_record_stream_reuse",
         &AllocatorSettings::graph_capture_record_stream_reuse},
        {"pinned_use_cuda_host_register", &AllocatorSettings::pinned_use_cuda_host_register},
        {"pinned_use_hip_host_register", &AllocatorSettings::pinned_use_cuda_host_register},
    }));
    CAPTURE(key);
    CHECK(accepted(key + ":True").*flag);
    CHECK_FALSE(accepted(key + ":True," + key + ":False").*flag);
    CHECK(refused(key + ":1") == Kind::kValueError);
    CHECK(refused(key + ":[True]") == Kind::kValueError);
}

TEST_CASE("a backend other than the one loaded is refused as an internal assertion", "[settings]") {
    AllocatorSettings async;
    async.backend = AllocatorBackend::kCudaMallocAsync;
    CHECK(accepted("backend:native").backend == AllocatorBackend::kNative);
    CHECK(refused("backend:cudaMallocAsync") == Kind::kInternalAssert);
    CHECK_FALSE(applied_to(async, "backend:cudaMallocAsync").error);
    CHECK(applied_to(async, "backend:native").error->kind() == Kind::kInternalAssert);
}

TEST_CASE("an unknown backend is a wrong value", "[settings]") {
    const auto value = GENERATE(as<std::string>{}, "foo", "Native", "cudamallocasync", "[native]");
    CHECK(refused("backend:" + value) == Kind::kValueError);
}

TEST_CASE("keys that 2.11 does not have are refused", "[settings]") {
    const auto key = GENERATE(as<std::string>{},
                              "bogus",
                              "throw_on_cudamalloc_oom",
                              "pinned_free_catch_all",
                              "expandable_segments_reserve",
                              "expandable_segments_reserve_by_class",
                              "Expandable_segments");
    CHECK(refused(key + ":True") == Kind::kValueError);
}

}  // namespace
}  // namespace highwater
