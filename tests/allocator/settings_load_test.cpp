#include <string>
#include <tuple>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

/// Settings at the start of a process. Heads of recorded programs, and starts of PyTorch 2.11.0.
namespace highwater {
namespace {

using namespace literals;

Kind refused_at_start(const std::string& text) {
    try {
        parse_settings(text);
    } catch (const SettingsError& error) {
        return error.kind();
    }
    FAIL("accepted: " << text);
    return Kind::kValueError;
}

Slots all(std::uint64_t divisions) {
    Slots slots{};
    slots.fill(divisions);
    return slots;
}

/// What PyTorch exports of its settings.
struct Exported {
    std::string conf;
    std::optional<Bytes> max_split_size{};
    double garbage_collection_threshold = 0;
    bool expandable_segments = false;
    bool graph_capture_record_stream_reuse = false;
    Slots roundup_power2_divisions{};
    friend bool operator==(const Exported&, const Exported&) = default;
};

Exported exported(const AllocatorSettings& settings) {
    return {.conf = settings.conf,
            .max_split_size = settings.max_split_size,
            .garbage_collection_threshold = settings.garbage_collection_threshold,
            .expandable_segments = settings.expandable_segments,
            .graph_capture_record_stream_reuse = settings.graph_capture_record_stream_reuse,
            .roundup_power2_divisions = slots_of(settings)};
}

TEST_CASE("settings are what PyTorch itself made of the text", "[settings][recorded]") {
    const auto recorded = GENERATE(
        Exported{.conf = ""},
        Exported{.conf = "expandable_segments:True", .expandable_segments = true},
        Exported{.conf = "garbage_collection_threshold:0.5", .garbage_collection_threshold = 0.5},
        Exported{.conf = "garbage_collection_threshold:0.6,max_split_size_mb:64,"
                         "roundup_power2_divisions:8",
                 .max_split_size = Bytes{67108864},
                 .garbage_collection_threshold = 0.6,
                 .roundup_power2_divisions = all(8)},
        Exported{.conf = "large_segment_size_mb:64"},
        Exported{.conf = "graph_capture_record_stream_reuse:True",
                 .graph_capture_record_stream_reuse = true},
        Exported{.conf = "roundup_power2_divisions:4", .roundup_power2_divisions = all(4)},
        Exported{.conf = "roundup_power2_divisions:[256:1,512:2,1024:4,>:8]",
                 .roundup_power2_divisions = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8}},
        Exported{.conf = "max_split_size_mb:32", .max_split_size = Bytes{33554432}},
        Exported{.conf = "max_split_size_mb:40", .max_split_size = Bytes{41943040}},
        Exported{.conf = "max_split_size_mb:64,max_non_split_rounding_mb:64",
                 .max_split_size = Bytes{67108864}});
    CAPTURE(recorded.conf);
    CHECK(exported(parse_settings(recorded.conf)) == recorded);
}

TEST_CASE("settings that PyTorch does not export are read from the same texts",
          "[settings][recorded]") {
    CHECK(parse_settings("large_segment_size_mb:64").large_segment_size == 64_MiB);
    CHECK(parse_settings("large_segment_size_mb:64").max_non_split_rounding == 64_MiB);
    CHECK(parse_settings("max_split_size_mb:64,max_non_split_rounding_mb:64")
              .max_non_split_rounding == 64_MiB);
    CHECK(parse_settings("max_split_size_mb:64").max_non_split_rounding == 20_MiB);
}

TEST_CASE("the text chooses the backend at the start of a process", "[settings]") {
    using Backend = AllocatorBackend;
    const auto [text, backend] = GENERATE(table<std::string, Backend>({
        {"", Backend::kNative},
        {"backend:native", Backend::kNative},
        {"backend:cudaMallocAsync", Backend::kCudaMallocAsync},
        {"backend : cuda MallocAsync", Backend::kCudaMallocAsync},
        {"backend,cudaMallocAsync", Backend::kCudaMallocAsync},
        {"backend:cudaMallocAsync:release_lock_on_cudamalloc:True", Backend::kCudaMallocAsync},
        {"max_split_size_mb:64,backend:cudaMallocAsync", Backend::kCudaMallocAsync},
        {"roundup_power2_divisions:[4:2],backend:cudaMallocAsync", Backend::kCudaMallocAsync},
    }));
    CAPTURE(text);
    CHECK(parse_settings(text).backend == backend);
}

TEST_CASE("the first backend that is named is the one loaded", "[settings]") {
    const auto text = GENERATE(as<std::string>{},
                               "backend:native,backend:cudaMallocAsync",
                               "backend:cudaMallocAsync,backend:native");
    CHECK(refused_at_start(text) == Kind::kInternalAssert);
    CHECK(refused_at_start("backend:foo,backend:cudaMallocAsync") == Kind::kValueError);
}

TEST_CASE("an unknown backend is loaded as native and refused later", "[settings]") {
    const auto text = GENERATE(as<std::string>{}, "backend:foo", "backend::cudaMallocAsync");
    CHECK(refused_at_start(text) == Kind::kValueError);
}

// PyTorch ends the process here: the exception leaves a static initialiser.
TEST_CASE("a text that ends too early is refused while loading, before unknown keys",
          "[settings]") {
    const auto text = GENERATE(
        as<std::string>{}, "bogus", "backend", "max_split_size_mb:64 backend:cudaMallocAsync");
    CHECK(refused_at_start(text) == Kind::kInternalAssert);
}

TEST_CASE("at the start the CUDA keys are read before the others", "[settings]") {
    const auto [text, kind] = GENERATE(table<std::string, Kind>({
        {"max_split_size_mb:x", Kind::kInvalidArgument},
        {"max_split_size_mb:x,bogus:1", Kind::kValueError},
        {"release_lock_on_cudamalloc:x,max_split_size_mb:x", Kind::kValueError},
        {"large_segment_size_mb:5", Kind::kValueError},
        {"per_process_memory_fraction:nan", Kind::kValueError},
        {"[backend:cudaMallocAsync", Kind::kValueError},
    }));
    CAPTURE(text);
    CHECK(refused_at_start(text) == kind);
}

}  // namespace
}  // namespace highwater
