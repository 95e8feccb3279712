#include "sim/scenario/facts/bucket_list.hpp"

#include <algorithm>
#include <string>

#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

BucketList list_of(const std::string& name, std::int64_t max) {
    return named_bucket_list(name, max).value();
}

}  // namespace

TEST_CASE("the engines' default lists have as many buckets as the engines say", "[buckets]") {
    const auto [name, max, count] = GENERATE(table<std::string, std::int64_t, std::size_t>({
        {"sglang-decode", 256, 36},
        {"sglang-decode", 512, 52},
        {"sglang-speculative-decode", 256, 51},
        {"sglang-speculative-decode", 512, 67},
        {"sglang-prefill", 2048, 42},
        {"sglang-prefill", 8192, 58},
        {"vllm", 256, 35},
        {"vllm", 512, 51},
        {"vllm", 1024, 83},
        {"tensorrt-llm", 128, 19},
        {"tensorrt-llm-unpadded", 128, 34},
        {"fastdeploy", 256, 27},
    }));
    INFO(name << " at " << max);
    CHECK(list_of(name, max).size() == count);
    CHECK(list_of(name, max).back() == max);
}

TEST_CASE("the lists change their step where the engines do", "[buckets]") {
    CHECK(list_of("sglang-decode", 32) == BucketList{1, 2, 4, 8, 12, 16, 24, 32});
    CHECK(list_of("vllm", 24) == BucketList{1, 2, 4, 8, 16, 24});
    CHECK(list_of("tensorrt-llm-unpadded", 512) == [] {
        BucketList all = range_buckets(1, 32, 1);
        all.insert(all.end(), {64, 128, 256, 512});
        return all;
    }());
    const BucketList prefill = list_of("sglang-prefill", 5120);
    CHECK(BucketList(prefill.end() - 3, prefill.end()) == BucketList{4096, 4608, 5120});
    const BucketList decode = list_of("sglang-decode", 544);
    CHECK(BucketList(decode.end() - 4, decode.end()) == BucketList{480, 496, 512, 544});
    const BucketList padded = list_of("tensorrt-llm", 256);
    CHECK(BucketList(padded.end() - 4, padded.end()) == BucketList{120, 128, 192, 256});
}

TEST_CASE("a maximum between two buckets is appended, or ends the list below it", "[buckets]") {
    CHECK(list_of("sglang-decode", 13) == BucketList{1, 2, 4, 8, 12, 13});
    CHECK(list_of("tensorrt-llm", 10) == BucketList{1, 2, 4, 8, 10});
    CHECK(list_of("vllm", 13) == BucketList{1, 2, 4, 8});
    CHECK(list_of("sglang-prefill", 9) == BucketList{4, 8});
    CHECK(list_of("sglang-prefill", 3).empty());
}

TEST_CASE("every list ascends without repetition up to its maximum", "[buckets]") {
    for (const std::string& name : bucket_list_names()) {
        for (const std::int64_t max : {1, 2, 3, 7, 200, 257, 1000, 5000}) {
            INFO(name << " at " << max);
            const BucketList buckets = list_of(name, max);
            CHECK(std::adjacent_find(buckets.begin(), buckets.end(), std::greater_equal<>()) ==
                  buckets.end());
            CHECK((buckets.empty() || (buckets.front() >= 1 && buckets.back() <= max)));
        }
    }
}

TEST_CASE("a list of an unknown name is none", "[buckets]") {
    CHECK_FALSE(named_bucket_list("sglang", 256));
    CHECK(bucket_list_names().front() == "sglang-decode");
}

TEST_CASE("ranges and powers of two end at or before their last", "[buckets]") {
    CHECK(range_buckets(8, 32, 8) == BucketList{8, 16, 24, 32});
    CHECK(range_buckets(8, 31, 8) == BucketList{8, 16, 24});
    CHECK(range_buckets(5, 4, 1).empty());
    CHECK(powers_of_two(1, 8) == BucketList{1, 2, 4, 8});
    CHECK(powers_of_two(3, 33) == BucketList{4, 8, 16, 32});
    CHECK(powers_of_two(1, kMaxBucket).size() == 21);
}

TEST_CASE("a batch is padded to the smallest bucket that holds it", "[buckets]") {
    const BucketList buckets{1, 4, 8};
    CHECK(smallest_bucket_for(1, buckets) == 1);
    CHECK(smallest_bucket_for(2, buckets) == 4);
    CHECK(smallest_bucket_for(8, buckets) == 8);
    CHECK_FALSE(smallest_bucket_for(9, buckets));
    CHECK(padding_waste(BucketList{1, 2, 5, 8, 9}, buckets) == 2 + 3);
    CHECK(padding_waste(BucketList{7}, BucketList{}) == 0);
}
