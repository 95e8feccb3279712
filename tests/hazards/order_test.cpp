// What orders accesses to one live tensor, and what does not.
#include "tests/hazards/found.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using Found = std::vector<std::string>;

TEST_CASE("a side branch that writes its input in place races with its other reader", "[order]") {
    CHECK(found("alloc a 1024 on default\n"
                "kernel on default writes a\n"
                "record_event e on default\n"
                "wait_event e on s\n"
                "kernel on default reads a\n"
                "kernel on s reads a writes a\n") == Found{"unordered 5 6"});
}

TEST_CASE("two streams that only read one tensor do not race", "[order]") {
    CHECK(found("alloc a 1024 on default\n"
                "kernel on default writes a\n"
                "record_event e on default\n"
                "wait_event e on s\n"
                "kernel on default reads a\n"
                "kernel on s reads a\n")
              .empty());
}

TEST_CASE("a write races with a write, and a read with a write, of another stream", "[order]") {
    CHECK(found("alloc a 1024 on s\n"
                "kernel on s writes a\n"
                "memset a on t\n") == Found{"unordered 2 3"});
    CHECK(found("alloc a 1024 on s\n"
                "kernel on s writes a\n"
                "copy device_to_host 1024 on t from a\n") == Found{"unordered 2 3"});
}

TEST_CASE("an event orders what was before its record with what is behind its wait", "[order]") {
    const std::string write = "alloc a 1024 on s\nkernel on s writes a\n";
    CHECK(found(write + "record_event e on s\nwait_event e on t\nkernel on t reads a\n").empty());
    // Recorded too early, waited for by another stream, or too late.
    CHECK(found("alloc a 1024 on s\nrecord_event e on s\nkernel on s writes a\n"
                "wait_event e on t\nkernel on t reads a\n") == Found{"unordered 3 5"});
    CHECK(found(write + "record_event e on s\nwait_event e on u\nkernel on t reads a\n") ==
          Found{"unordered 2 5"});
    CHECK(found(write + "record_event e on s\nkernel on t reads a\nwait_event e on t\n") ==
          Found{"unordered 2 4"});
}

TEST_CASE("an all-reduce reads and writes its tensor", "[order]") {
    const std::string made = "make_communicator c seen 0\nalloc a 1024 on s\n";
    CHECK(found(made + "kernel on s writes a\nall_reduce a c on s\n").empty());
    CHECK(found(made + "kernel on s writes a\nall_reduce a c on t\n") == Found{"unordered 3 4"});
    CHECK(found(made + "kernel on s reads a\nall_reduce a c on t\n") == Found{"unordered 3 4"});
}

TEST_CASE("waits chain over streams", "[order]") {
    CHECK(found("alloc a 1024 on s\nkernel on s writes a\n"
                "record_event e on s\nwait_event e on u\n"
                "record_event f on u\nwait_event f on t\nkernel on t writes a\n")
              .empty());
}

TEST_CASE("a host that waits orders what it launches next", "[order]") {
    const std::string write = "alloc a 1024 on s\nkernel on s writes a\n";
    const std::string read = "kernel on t reads a\n";
    CHECK(found(write + "synchronize\n" + read).empty());
    CHECK(found(write + "synchronize on s\n" + read).empty());
    CHECK(found(write + "synchronize on u\n" + read) == Found{"unordered 2 4"});
    CHECK(found(write + "record_event e on s\nsynchronize_event e\n" + read).empty());
    CHECK(found(write + "copy device_to_host 1024 on s from a blocking\n" + read).empty());
    CHECK(found(write + "copy device_to_host 1024 on s from a\n" + read) == Found{"unordered 2 4"});
}

TEST_CASE("a query orders nothing, whatever it says", "[order]") {
    CHECK(found("alloc a 1024 on s\nkernel on s writes a\nrecord_event e on s\nquery_event e\n"
                "kernel on t reads a\n") == Found{"unordered 2 5"});
}

TEST_CASE("launches that block order everything", "[order]") {
    Program program = program_of("alloc a 1024 on s\nkernel on s writes a\nkernel on t reads a\n");
    CHECK(found(program) == Found{"unordered 2 3"});
    program.machine.blocking_launches = true;
    CHECK(found(program).empty());
}

TEST_CASE("the default stream and blocking streams wait for each other", "[order]") {
    const std::string_view there =
        "alloc a 1024 on default\nkernel on s writes a\nkernel on default reads a\n";
    CHECK(found(program_of(there, Streams::kBlocking)).empty());
    CHECK(found(program_of(there)) == Found{"unordered 2 3"});
    const std::string_view back =
        "alloc a 1024 on default\nkernel on default writes a\nkernel on s reads a\n";
    CHECK(found(program_of(back, Streams::kBlocking)).empty());
    CHECK(found(program_of(back)) == Found{"unordered 2 3"});
    // Two blocking streams do not wait for each other, nor does one that does not block.
    CHECK(found(program_of("alloc a 1024 on s\nkernel on s writes a\nkernel on t reads a\n",
                           Streams::kBlocking)) == Found{"unordered 2 3"});
    CHECK(found(program_of("alloc a 1024 on u\nkernel on u writes a\nkernel on default reads a\n",
                           Streams::kBlocking)) == Found{"unordered 2 3"});
}

TEST_CASE("a thread that waits orders its own launches only", "[order][threads]") {
    const std::string write =
        "switch_thread other\nswitch_thread main\n"
        "alloc a 1024 on s\nkernel on s writes a\nsynchronize on s\n";
    CHECK(found(write + "kernel on t reads a\n").empty());
    CHECK(found(write + "switch_thread other\nkernel on t reads a\n") == Found{"unordered 4 7"});
}

TEST_CASE("a thread begins behind what was before its first call", "[order][threads]") {
    CHECK(found("alloc a 1024 on s\nkernel on s writes a\nsynchronize on s\n"
                "switch_thread other\nkernel on t reads a\n")
              .empty());
}

TEST_CASE("an event that one thread records orders the stream of another", "[order][threads]") {
    CHECK(found("switch_thread other\nswitch_thread main\n"
                "alloc a 1024 on s\nkernel on s writes a\nsynchronize on s\nrecord_event e on u\n"
                "switch_thread other\nwait_event e on t\nkernel on t reads a\n")
              .empty());
}

TEST_CASE("what has no bytes cannot race", "[order]") {
    CHECK(found("alloc a 0 on s\nkernel on s writes a\nkernel on t writes a\n").empty());
}
