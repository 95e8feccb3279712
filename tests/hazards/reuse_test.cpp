// Memory that is handed out again.
#include <string>

#include "sim/hazards/hazard_detector.hpp"
#include "tests/hazards/found.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using Found = std::vector<std::string>;

namespace {

// A side stream's tensor of 16 MiB and its reader on the default stream.
const std::string kHold = "hold_stream default\n";
const std::string kRead =
    "alloc a 16777216 on s\n"
    "kernel on s writes a\n"
    "record_event e on s\n"
    "wait_event e on default\n"
    "kernel on default reads a\n";
const std::string kNext = "alloc b 16777216 on s\nkernel on s writes b\n";

}  // namespace

TEST_CASE("a side stream's tensor that is freed under its reader is written by the next",
          "[reuse]") {
    CHECK(found(kRead + "free a\n" + kNext) == Found{"reused_in_use 5 8"});
}

TEST_CASE("a hazard says where the tensor was freed, and which memory it was", "[reuse]") {
    const Program program = program_of(kRead + "free a\n" + kNext);
    const auto hazards = find_hazards(program);
    REQUIRE(hazards.size() == 1);
    CHECK(hazards[0].freed == 5);
    CHECK(hazards[0].size == Bytes{16777216});
    CHECK(hazards[0].home == StreamId{1});
    CHECK(hazards[0].first.does == HazardSide::Does::kRead);
    CHECK(hazards[0].second.does == HazardSide::Does::kWrite);
    CHECK(hazards[0].begin == run(program).placements[0].address);
}

TEST_CASE("record_stream makes the allocator wait for the reader", "[reuse]") {
    const std::string recorded = "record_stream a on default\nfree a\n";
    CHECK(found(kHold + kRead + recorded + kNext).empty());
    // The reader is done: the same memory, and in order.
    CHECK(found(kRead + recorded + kNext).empty());
    const Ledger ledger = run(program_of(kRead + recorded + kNext));
    CHECK(ledger.placements[0].address == ledger.placements[1].address);
}

TEST_CASE("record_stream of another stream does not help", "[reuse]") {
    CHECK(found(kRead + "record_stream a on t\nfree a\n" + kNext) == Found{"reused_in_use 5 9"});
}

TEST_CASE("work that follows record_stream, before the free, is waited for as well", "[reuse]") {
    CHECK(found(kRead + "record_stream a on default\nkernel on default reads a\nfree a\n" + kNext)
              .empty());
}

TEST_CASE("a stream that waits for the reader may have its memory again", "[reuse]") {
    CHECK(found(kRead + "record_event f on default\nwait_event f on s\nfree a\n" + kNext).empty());
    CHECK(found(kRead + "free a\nrecord_event f on default\nwait_event f on s\n" + kNext).empty());
    CHECK(found(kRead + "free a\nsynchronize on default\n" + kNext).empty());
}

TEST_CASE("memory that nobody uses again is no hazard, nor is an allocation", "[reuse]") {
    CHECK(found(kRead + "free a\n").empty());
    CHECK(found(kRead + "free a\nalloc b 16777216 on s\nfree b\n").empty());
}

TEST_CASE("each tensor that gets a part of the memory races", "[reuse]") {
    CHECK(found(kRead + "free a\n"
                        "alloc b 8388608 on s\nalloc c 8388608 on s\n"
                        "kernel on s writes b\nkernel on s writes c\n") ==
          Found{"reused_in_use 5 9", "reused_in_use 5 10"});
}

TEST_CASE("what came between does not hide a race with an older tensor", "[reuse]") {
    CHECK(found(kRead + "free a\nalloc b 16777216 on s\nfree b\n"
                        "alloc c 16777216 on s\nkernel on s writes c\n") ==
          Found{"reused_in_use 5 10"});
}

TEST_CASE("another stream needs its tensor's own stream first", "[reuse]") {
    const std::string reused =
        "alloc a 1048576 on s\nkernel on s writes a\nfree a\nalloc b 1048576 on s\n";
    CHECK(found(reused + "kernel on t writes b\n") == Found{"used_too_early 2 5"});
    CHECK(found(reused + "record_event e on s\nwait_event e on t\nkernel on t writes b\n").empty());
}

TEST_CASE("a record_stream inside use_mem_pool is forgotten", "[reuse][pool]") {
    const std::string scope = "create_pool p\n" + kHold + kRead + "enter_pool p\n";
    const std::string recorded = scope + "record_stream a on default\nfree a\nleave_pool p\n";
    CHECK(found(recorded + kNext) == Found{"record_forgotten 7 13"});
    CHECK(found(recorded + "synchronize on s\n" + kNext) == Found{"record_forgotten 7 14"});
    // Inside of the scope it is not handed out.
    CHECK(found(scope + "record_stream a on default\nfree a\n" + kNext).empty());
}

TEST_CASE("a record_stream before use_mem_pool counts", "[reuse][pool]") {
    CHECK(found("create_pool p\n" + kHold + kRead +
                "record_stream a on default\nenter_pool p\nfree a\nleave_pool p\n" + kNext)
              .empty());
    CHECK(found("create_pool p\n" + kRead +
                "record_stream a on default\nenter_pool p\nfree a\nleave_pool p\n" + kNext)
              .empty());
}

TEST_CASE("a record_stream inside use_mem_pool counts for a free behind it", "[reuse][pool]") {
    CHECK(found("create_pool p\n" + kRead +
                "enter_pool p\nrecord_stream a on default\nleave_pool p\nfree a\n" + kNext)
              .empty());
}

TEST_CASE("memory given back to the device waits for all streams", "[reuse][device]") {
    const std::string write = "alloc x 1024 on s\nkernel on s writes x\n";
    const std::string read = "kernel on t reads x\n";
    CHECK(found(write + read) == Found{"unordered 2 3"});
    CHECK(found(write + "alloc a 16777216 on u\nfree a\nempty_cache\n" + read).empty());
}

TEST_CASE("unmapping waits for the segment's stream only", "[reuse][device]") {
    const std::string conf = "set_allocator_settings expandable_segments:True\n";
    CHECK(found(conf + kRead + "free a\nempty_cache\n") == Found{"unmapped_in_use 6 8"});
    CHECK(found(conf + kRead + "record_stream a on default\nfree a\nempty_cache\n").empty());
    CHECK(found(conf + kRead + "synchronize on default\nfree a\nempty_cache\n").empty());
    CHECK(
        found(conf + "alloc a 16777216 on s\nkernel on s writes a\nfree a\nempty_cache\n").empty());
}

TEST_CASE("cudaMallocAsync orders memory that goes from stream to stream", "[reuse][async]") {
    const auto async = [](const std::string& operations) {
        Program program = program_of(operations);
        program.machine.conf = "backend:cudaMallocAsync";
        return found(program);
    };
    const std::string own = "alloc a 1048576 on s\nkernel on s writes a\nfree a\n";
    CHECK(async(own + "alloc b 1048576 on t\nkernel on t writes b\n").empty());
    CHECK(async(own + "alloc b 1048576 on s\nkernel on s writes b\n").empty());
    const std::string next = "alloc b 16777216 on s\nkernel on s writes b\n";
    CHECK(async(kRead + "free a\n" + next) == Found{"reused_in_use 5 8"});
    CHECK(async(kRead + "record_stream a on default\nfree a\n" + next).empty());
}
