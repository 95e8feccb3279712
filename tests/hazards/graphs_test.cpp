// Captures and replays.
#include <optional>
#include <string>
#include <variant>

#include "sim/hazards/hazard_detector.hpp"
#include "tests/hazards/found.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using Found = std::vector<std::string>;

namespace {

// Lines 1 to 6: a tensor with a reader on a side stream.
const std::string kFork =
    "begin_capture g on s\n"
    "alloc a 1048576 on s\n"
    "kernel on s writes a\n"
    "record_event e on s\n"
    "wait_event e on t\n"
    "kernel on t reads a\n";
const std::string kJoin = "record_event f on t\nwait_event f on s\n";
const std::string kNext = "free a\nalloc b 1048576 on s\nkernel on s writes b\n";

// `graph` is captured into the pool `p` with a tensor of its own.
std::string capture(const std::string& graph, const std::string& body) {
    return "begin_capture " + graph + " on s into p\n" + body + "end_capture " + graph + "\n";
}
const std::string kHandle = "make_pool_handle p\n";
// Lines 1 to 6, and 7 to 11.
const std::string kTemporary =
    kHandle + capture("g", "alloc a 1048576 on s\nkernel on s writes a\nfree a\n");
const std::string kOutput = capture("h", "alloc b 1048576 on s\nkernel on s writes b\n");
const std::string kBoth = kTemporary + kOutput;
// Lines 1 to 5: a static input and an output.
const std::string kGoesOn =
    "alloc x 1024 on s\nbegin_capture g on s\nalloc a 1024 on s\n"
    "kernel on s reads x writes a\nend_capture g\n";

}  // namespace

TEST_CASE("in a capture memory that is reused under a side stream is a hazard", "[graphs]") {
    const std::string text = kFork + kNext + kJoin + "end_capture g\n";
    CHECK(found(text) == Found{"reused_in_use 6 9"});
    const auto hazards = find_hazards(program_of(text));
    CHECK(hazards[0].within == GraphId{0});
    CHECK(hazards[0].freed == 6);
}

TEST_CASE("in a capture the side stream may be joined first", "[graphs]") {
    CHECK(found(kFork + kJoin + kNext + "end_capture g\n").empty());
}

TEST_CASE("branches of a capture that write one buffer are found once", "[graphs]") {
    const std::string text =
        "alloc x 1024 on s\nbegin_capture g on s\nkernel on s\nrecord_event e on s\n"
        "wait_event e on t\nkernel on t writes x\nkernel on s writes x\n" +
        kJoin + "end_capture g\n";
    CHECK(found(text) == Found{"unordered 6 7"});
    CHECK(found(text + "replay g on s\nreplay g on s\n") == Found{"unordered 6 7"});
}

TEST_CASE("captured work does not run: it races with nothing before a replay", "[graphs]") {
    const std::string text =
        "alloc x 1024 on t\nkernel on t writes x\n"
        "begin_capture g on s\nkernel on s writes x\nend_capture g\n";
    CHECK(found(text).empty());
    CHECK(found(text + "replay g on s\n") == Found{"unordered 2 4"});
    CHECK(found(text + "synchronize\nreplay g on s\n").empty());
    CHECK(found(text + "replay g on t\n").empty());
}

TEST_CASE("after a capture that failed its streams are ordinary ones", "[graphs]") {
    // The side stream is not joined.
    CHECK(found("try t\n" + kFork +
                "end_capture g\nend_try\n"
                "alloc x 1024 on s\nkernel on s writes x\nkernel on t reads x\n") ==
          Found{"unordered 11 12"});
}

TEST_CASE("an eager write to a static buffer is ordered with the replay, or races", "[graphs]") {
    const std::string text =
        "alloc x 1024 on s\nbegin_capture g on s\nkernel on s reads x\nend_capture g\n"
        "replay g on s\n";
    CHECK(found(text + "kernel on t writes x\n") == Found{"unordered 3 6"});
    CHECK(found(text + "record_event e on s\nwait_event e on t\nkernel on t writes x\n").empty());
}

TEST_CASE("an output that another stream reads races with the next replay", "[graphs]") {
    const std::string text =
        "begin_capture g on s\nalloc a 1024 on s\nkernel on s writes a\nend_capture g\n"
        "replay g on s\nrecord_event e on s\nwait_event e on t\nkernel on t reads a\n";
    CHECK(found(text + "replay g on s\n") == Found{"unordered 8 3"});
    CHECK(found(text + "record_event f on t\nwait_event f on s\nreplay g on s\n").empty());
}

TEST_CASE("a graph's replays follow each other on whatever streams", "[graphs]") {
    CHECK(found(kBoth + "replay h on s\nreplay h on t\n").empty());
}

TEST_CASE("graphs that share memory may not run at one time", "[graphs]") {
    CHECK(found(kBoth + "replay g on s\nreplay h on t\n") == Found{"replay_overlap 4 9"});
    CHECK(found(kBoth + "replay g on s\nreplay h on s\n").empty());
    CHECK(found(kBoth + "replay g on s\nrecord_event e on s\nwait_event e on t\nreplay h on t\n")
              .empty());
}

TEST_CASE("graphs with pools of their own may run at one time", "[graphs]") {
    CHECK(found("begin_capture g on s\nalloc a 1048576 on s\nkernel on s writes a\nfree a\n"
                "end_capture g\n"
                "begin_capture h on s\nalloc b 1048576 on s\nkernel on s writes b\nfree b\n"
                "end_capture h\nreplay g on s\nreplay h on t\n")
              .empty());
}

TEST_CASE("a replay out of the order of the captures clobbers a later graph's output",
          "[graphs][content]") {
    const std::string read = "kernel on s reads b\n";
    CHECK(found(kBoth + "replay h on s\nreplay g on s\n" + read) == Found{"overwritten 4 13"});
    CHECK(found(kBoth + "replay g on s\nreplay h on s\n" + read).empty());
    CHECK(found(kBoth + "replay h on s\n" + read + "replay g on s\n").empty());
    // And is there again.
    CHECK(found(kBoth + "replay h on s\nreplay g on s\nreplay h on s\n" + read).empty());
}

TEST_CASE("a weakly held output may be gone when a graph reads it", "[graphs][content]") {
    const std::string weak = kHandle +
                             capture("g", "alloc a 1048576 on s\nkernel on s writes a\n") +
                             capture("h", "kernel on s reads a\n") + "free a\n" +
                             capture("k", "alloc b 1048576 on s\nkernel on s writes b\n");
    const std::string pass = "replay g on s\nreplay h on s\nreplay k on s\n";
    CHECK(found(weak + pass + pass).empty());
    CHECK(found(weak + "replay g on s\nreplay k on s\nreplay h on s\n") ==
          Found{"overwritten 12 7"});
}

TEST_CASE("a graph reads at the address of a buffer that has moved", "[graphs][stale]") {
    const std::string text =
        "alloc x 1048576 on s\nbegin_capture g on s\nkernel on s reads x\nend_capture g\n";
    CHECK(found(text + "replay g on s\nfree x\n").empty());
    CHECK(found(text + "free x\nreplay g on s\n") == Found{"stale_address 5 3"});
    CHECK(found(text + "free x\nalloc x 2097152 on s\nkernel on s writes x\nreplay g on s\n") ==
          Found{"stale_address 5 3"});
    CHECK(found(text + "free x\ndestroy_graph g\n").empty());
}

TEST_CASE("a graph that writes to memory of another tensor clobbers it", "[graphs][stale]") {
    CHECK(found("alloc x 1048576 on s\nbegin_capture g on s\nkernel on s writes x\nend_capture g\n"
                "free x\nalloc a 1048576 on s\nkernel on s writes a\n"
                "replay g on s\nkernel on s reads a\n") ==
          Found{"stale_address 5 3", "overwritten 3 9"});
}

TEST_CASE("what a graph frees of its own pool is no stale address", "[graphs][stale]") {
    CHECK(found(kTemporary + "replay g on s\nreplay g on s\n").empty());
}

TEST_CASE("a graph captured anew under its name is another graph", "[graphs]") {
    const std::string captured = "begin_capture g on s\nkernel on s reads x\nend_capture g\n";
    CHECK(found("alloc x 1048576 on s\n" + captured +
                "destroy_graph g\nfree x\n"
                "alloc x 1048576 on s\n" +
                captured + "replay g on s\n")
              .empty());
}

TEST_CASE("a tensor that lost its memory when a pool was set back does no harm", "[graphs]") {
    CHECK(found(kHandle + capture("g", "") + "save_pool p \"empty\"\n" +
                capture("h", "alloc a 1048576 on s\nkernel on s writes a\n") +
                "try t\nrestore_pool \"empty\"\nend_try\n" +
                capture("k", "alloc b 2097152 on s\nkernel on s writes b\n") + "replay k on s\n")
              .empty());
}

TEST_CASE("an output that the next replay overwrites before it is copied is lost",
          "[graphs][content]") {
    const std::string text =
        "alloc x 1024 on s\nbegin_capture g on s\nalloc a 1024 on s\nkernel on s writes a\n"
        "end_capture g\nreplay g on s\n";
    const std::string copy = "copy device_to_device 1024 on s from a to x\n";
    CHECK(found(text + "replay g on s\n" + copy) == Found{"overwritten 4 8"});
    const auto hazards = find_hazards(program_of(text + "replay g on s\n" + copy));
    CHECK(hazards.at(0).outrun == 5);
    CHECK(hazards[0].first.op == 6);
    CHECK(found(text + copy).empty());
    CHECK(found(text + copy + "replay g on s\n" + copy).empty());
    // A kernel may want the last one only; a copy to the host wants each.
    CHECK(found(text + "replay g on s\nkernel on s reads a\n").empty());
    CHECK(found(text + "replay g on s\ncopy device_to_host 1024 on s from a\n") ==
          Found{"overwritten 4 8"});
    CHECK(found(text + "kernel on s reads a\nreplay g on s\n" + copy).empty());
}

TEST_CASE("an output that nobody looked at though the host could have is not missed",
          "[graphs][content]") {
    const std::string replay = "replay g on s\n";
    const std::string copy = "copy device_to_host 1024 on s from a\n";
    CHECK(found(kGoesOn + replay + replay + copy) == Found{"overwritten 4 8"});
    CHECK(found(kGoesOn + replay + "synchronize\n" + replay + copy).empty());
    CHECK(found(kGoesOn + replay + "synchronize on s\n" + replay + copy).empty());
    CHECK(found(kGoesOn + replay + "record_event e on s\nsynchronize_event e\n" + replay + copy)
              .empty());
    CHECK(found(kGoesOn + replay + "synchronize on t\n" + replay + copy) ==
          Found{"overwritten 4 9"});
}

TEST_CASE("replays in a loop make the same again unless their input is new", "[graphs][content]") {
    const std::string replay = "replay g on s\n";
    const std::string copy = "copy device_to_host 1024 on s from a\n";
    const std::string fill = "memset x on s\n";
    const auto in_a_loop = [](const std::string& text) {
        Program program = program_of(text);
        OpPlaces places;
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const bool is_replay = std::holds_alternative<op::Replay>(program.ops[i]);
            first = is_replay && !first ? i : first;
            places.push_back(program.places[is_replay ? *first : i]);
        }
        program.places = places;
        return found(program);
    };
    CHECK(in_a_loop(kGoesOn + replay + replay + copy).empty());
    CHECK(in_a_loop(kGoesOn + fill + replay + replay + copy).empty());
    CHECK(in_a_loop(kGoesOn + replay + fill + replay + copy) == Found{"overwritten 4 9"});
    CHECK(in_a_loop(kGoesOn + replay + copy + fill + replay + copy).empty());
}

TEST_CASE("what is read through a weak view is what was there when it was taken",
          "[graphs][content]") {
    const std::string replay = "replay g on s\n";
    const std::string view = "weak_view c of a\n";
    const auto reads = {"copy device_to_host 1024 on s from c\n", "kernel on s reads c\n"};
    for (const std::string read : reads) {
        CAPTURE(read);
        CHECK(found(kGoesOn + replay + view + read + replay).empty());
        CHECK(found(kGoesOn + replay + view + replay + read) == Found{"overwritten 4 9"});
        // Whoever waited or looked before.
        CHECK(found(kGoesOn + replay + view + read + replay + read) == Found{"overwritten 4 10"});
        CHECK(found(kGoesOn + replay + view + "synchronize\n" + replay + read) ==
              Found{"overwritten 4 10"});
        CHECK(found(kGoesOn + replay + view + "synchronize\n" + replay + "free c\n" + view + read)
                  .empty());
        // Taken before any replay it stands for whatever comes.
        CHECK(found(kGoesOn + view + replay + "synchronize\n" + replay + read).empty());
    }
    const auto hazards = find_hazards(
        program_of(kGoesOn + replay + view + replay + replay + "kernel on s reads c\n"));
    REQUIRE(hazards.size() == 1);
    CHECK(hazards[0].outrun == 5);
    CHECK(hazards[0].first.op == 8);
}

TEST_CASE("a view of what each replay updates in place goes on with it", "[graphs][content]") {
    CHECK(found("alloc a 1024 on s\nbegin_capture g on s\nkernel on s reads a writes a\n"
                "end_capture g\nreplay g on s\nweak_view c of a\nreplay g on s\n"
                "kernel on s reads c\n")
              .empty());
}

TEST_CASE("a graph that goes on from its own output has read it", "[graphs][content]") {
    CHECK(found("alloc x 1024 on s\nbegin_capture g on s\nkernel on s reads x writes x\n"
                "end_capture g\nreplay g on s\nreplay g on s\n"
                "copy device_to_host 1024 on s from x\n")
              .empty());
}

TEST_CASE("an eager reader of a weakly held output finds what came after it", "[graphs][content]") {
    const std::string weak = kHandle +
                             capture("g", "alloc a 1048576 on s\nkernel on s writes a\n") +
                             "weak_view c of a\nfree a\n" + kOutput;
    const std::string read = "kernel on s reads c\n";
    CHECK(found(weak + "replay g on s\n" + read + "replay h on s\n").empty());
    CHECK(found(weak + "replay g on s\nreplay h on s\n" + read) == Found{"overwritten 10 14"});
    CHECK(found(weak + "replay h on s\nreplay g on s\n" + read + "free c\n").empty());
}

TEST_CASE("a weak view of a tensor that is free again is a stale address", "[content]") {
    const std::string text = "alloc a 1024 on s\nkernel on s writes a\nweak_view c of a\n";
    CHECK(found(text + "kernel on s reads c\nfree a\n").empty());
    CHECK(found(text + "free a\nkernel on s reads c\n") == Found{"stale_address 4 5"});
    CHECK(found(text + "free c\nkernel on s reads a\nfree a\n").empty());
}
