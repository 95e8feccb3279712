#include "sim/allocator/rounding.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

using namespace literals;

AllocatorSettings with_divisions(std::uint64_t divisions) {
    AllocatorSettings settings;
    settings.roundup_power2_divisions.fill(0, RoundupDivisions::kSlots, divisions);
    return settings;
}

constexpr std::size_t kSizes = 27;
using Row = std::array<std::uint64_t, kSizes>;

constexpr Row kRequests{1,     511,   512,   513,   600,    1024,   1025,   1100,   1536,
                        1537,  2048,  2049,  3000,  4096,   4097,   4608,   4609,   5000,
                        65536, 65537, 73728, 73729, 100000, 524288, 524289, 700000, 917505};

struct Recorded {
    std::uint64_t divisions;
    Row rounded;
};

// What torch.cuda.memory_allocated grew by on PyTorch 2.11.0, CUDA 13.0, H200.
constexpr std::array kRecorded{
    Recorded{0, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                 2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                 65536, 66048, 73728, 74240, 100352, 524288, 524800, 700416, 918016}},
    Recorded{1, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                 2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                 65536, 66048, 73728, 74240, 100352, 524288, 524800, 700416, 918016}},
    Recorded{2, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                 2048,  2048,  3072,  3072,  4096,   6144,   6144,   6144,   6144,
                 65536, 98304, 98304, 98304, 131072, 524288, 786432, 786432, 1048576}},
    Recorded{4, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                 2048,  2048,  2560,  3072,  4096,   5120,   5120,   5120,   5120,
                 65536, 81920, 81920, 81920, 114688, 524288, 655360, 786432, 1048576}},
    Recorded{8, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                 2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                 65536, 73728, 73728, 81920, 106496, 524288, 589824, 720896, 983040}},
    Recorded{16, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                  2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                  65536, 69632, 73728, 77824, 102400, 524288, 557056, 720896, 950272}},
    Recorded{64, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                  2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                  65536, 66560, 73728, 74752, 100352, 524288, 532480, 704512, 925696}},
    Recorded{1024, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                    2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                    65536, 66048, 73728, 74240, 100352, 524288, 524800, 700416, 918016}},
    Recorded{1ULL << 54, {512,   512,   512,   1024,  1024,   1024,   1536,   1536,   1536,
                          2048,  2048,  2560,  3072,  4096,   4608,   4608,   5120,   5120,
                          65536, 66048, 73728, 74240, 100352, 524288, 524800, 700416, 918016}},
    // 512 x 2^55 is 0 modulo 2^64: from here on every size becomes a power of two.
    Recorded{1ULL << 55,
             {512,   512,    512,    1024,   1024,   1024,   2048,    2048,    2048,
              2048,  2048,   4096,   4096,   4096,   8192,   8192,    8192,    8192,
              65536, 131072, 131072, 131072, 131072, 524288, 1048576, 1048576, 1048576}},
    Recorded{1ULL << 63,
             {512,   512,    512,    1024,   1024,   1024,   2048,    2048,    2048,
              2048,  2048,   4096,   4096,   4096,   8192,   8192,    8192,    8192,
              65536, 131072, 131072, 131072, 131072, 524288, 1048576, 1048576, 1048576}},
};

TEST_CASE("a request is rounded as PyTorch rounded it", "[rounding]") {
    for (const Recorded& recorded : kRecorded) {
        const AllocatorSettings settings = with_divisions(recorded.divisions);
        for (std::size_t i = 0; i < kSizes; ++i) {
            CAPTURE(recorded.divisions, kRequests[i]);
            CHECK(round_size(settings, Bytes{kRequests[i]}) == Bytes{recorded.rounded[i]});
        }
    }
}

TEST_CASE("a large request is rounded up to 512 bytes too", "[rounding]") {
    const auto [request, rounded] = GENERATE(table<Bytes, Bytes>({{1_GiB, 1_GiB},
                                                                  {1_GiB + 1_B, 1_GiB + 512_B},
                                                                  {1_GiB + 512_B, 1_GiB + 512_B},
                                                                  {1_GiB + 513_B, 1_GiB + 1_KiB}}));
    CHECK(round_size({}, request) == rounded);
}

TEST_CASE("the divisions of a size are those of its slot", "[rounding]") {
    AllocatorSettings settings;
    settings.roundup_power2_divisions.set(0, 4);
    settings.roundup_power2_divisions.set(1, 2);
    const auto [request, rounded] = GENERATE(table<Bytes, Bytes>({{1_MiB + 1_B, 1_MiB + 256_KiB},
                                                                  {2_MiB - 1_B, 2_MiB},
                                                                  {2_MiB, 2_MiB},
                                                                  {2_MiB + 1_B, 3_MiB},
                                                                  {4_MiB - 1_B, 4_MiB},
                                                                  {4_MiB + 1_B, 4_MiB + 512_B}}));
    CAPTURE(request);
    CHECK(round_size(settings, request) == rounded);
}

TEST_CASE("the largest request is rounded, and above it nothing is", "[rounding]") {
    const auto divisions = GENERATE(as<std::uint64_t>{}, 0, 1, 2, 8, 1ULL << 55, 1ULL << 63);
    const AllocatorSettings settings = with_divisions(divisions);
    CAPTURE(divisions);
    CHECK(round_size(settings, kMaxRequest) == Bytes{1ULL << 63});
    CHECK(round_size(settings, kMaxRequest + 1_B) == kMaxRequest + 1_B);
    CHECK(round_size(settings, kMaxRequest + 2_B) == kMaxRequest + 2_B);
    CHECK(round_size(settings, Bytes{UINT64_MAX}) == Bytes{UINT64_MAX});
}

// 4.5 EiB is what PyTorch 2.11.0 failed to get for 2^62 + 1 bytes with 8 divisions.
TEST_CASE("a request far beyond any device is rounded by divisions", "[rounding]") {
    CHECK(round_size(with_divisions(8), Bytes{(1ULL << 62) + 1}) == 1_GiB * 4'831'838'208);
}

TEST_CASE("the small pool serves rounded sizes up to 1 MiB", "[rounding]") {
    const auto [rounded, small] = GENERATE(table<Bytes, bool>({{512_B, true},
                                                               {1_MiB - 512_B, true},
                                                               {1_MiB, true},
                                                               {1_MiB + 512_B, false},
                                                               {1_GiB, false}}));
    CHECK(uses_small_pool(rounded) == small);
}

TEST_CASE("a segment is 2 MiB, the large segment size, or a multiple of 2 MiB", "[rounding]") {
    const auto [rounded, segment] = GENERATE(table<Bytes, Bytes>({{512_B, 2_MiB},
                                                                  {1_MiB, 2_MiB},
                                                                  {1_MiB + 512_B, 20_MiB},
                                                                  {10_MiB - 512_B, 20_MiB},
                                                                  {10_MiB, 10_MiB},
                                                                  {10_MiB + 512_B, 12_MiB},
                                                                  {12_MiB, 12_MiB},
                                                                  {12_MiB + 512_B, 14_MiB}}));
    CAPTURE(rounded);
    CHECK(segment_size({}, rounded) == segment);
}

TEST_CASE("large_segment_size_mb changes the segments of sizes below 10 MiB only", "[rounding]") {
    const AllocatorSettings settings = parse_settings("large_segment_size_mb:64");
    const auto [rounded, segment] = GENERATE(table<Bytes, Bytes>(
        {{1_MiB, 2_MiB}, {1_MiB + 512_B, 64_MiB}, {10_MiB - 512_B, 64_MiB}, {10_MiB, 10_MiB}}));
    CHECK(segment_size(settings, rounded) == segment);
}

TEST_CASE("the segment of the largest request is whole, and above it nothing is rounded",
          "[rounding]") {
    CHECK(segment_size({}, kMaxRequest) == Bytes{1ULL << 63});
    CHECK(segment_size({}, kMaxRequest + 1_B) == Bytes{1ULL << 63});
    CHECK(segment_size({}, kMaxRequest + 2_B) == kMaxRequest + 2_B);
    CHECK(segment_size({}, Bytes{UINT64_MAX}) == Bytes{UINT64_MAX});
}

}  // namespace
}  // namespace highwater
