#include "sim/engine/program_text.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <variant>

#include "tests/engine/every_op.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;

namespace {

// The text of `program_of_every_op`.
constexpr const char* kEveryOp = R"(highwater-program 1  # what a host does, in order
machine total_memory 85899345920 memory_fraction 0.1 conf "expandable_segments:True, max_split_size_mb:64" no_caching blocking_launches cost_profile "h200 as measured" ranks 2
stream default handle 0x0
stream aux[0] handle 0x55d0c0ffee00 blocking
tensor x
tensor "on"
tensor "two words"
event e
graph g
pool p
thread main
thread "mode"
create_pool p use_on_oom no_split
create_pool p use_on_oom
create_pool p no_split
create_pool p
enter_pool p
alloc x 8388608 on default
alloc_rest x 131072 1073741824 on aux[0]
leave_pool p
destroy_pool p
save_pool p "after b"
restore_pool "after b"
record_stream x on aux[0]
weak_view "two words" of x
kernel on aux[0] reads x "on" writes "two words"
kernel on aux[0] writes "on"
kernel on aux[0] reads "two words"
kernel on aux[0]
kernel on aux[0] for 1200 width 0.25 reads x writes "two words"
kernel on aux[0] for 1 writes "on"
memset x on aux[0]
memset x on aux[0] for 7
copy host_to_device 1048576 on aux[0] to x
copy device_to_host 4 on aux[0] from x blocking
copy device_to_device 4 on aux[0] from x to "on"
host_function on aux[0]
host_function on aux[0] for 3000
host_work 5000
switch_thread "mode"
switch_thread main
synchronize_event e
query_event e
record_event e on aux[0]
wait_event e on default
synchronize
synchronize on aux[0]
make_pool_handle p
begin_capture g on aux[0] into p
begin_capture g on aux[0]
begin_capture g on aux[0] mode thread_local
begin_capture g on aux[0] into p mode relaxed
end_capture g
end_capture g on aux[0]
try "for once"
end_try
replay g on default
destroy_graph g
free x
add_driver_memory nccl "on page 3" collective 209715200 error 52428800
add_driver_memory blas error library 1 on aux[0]
remove_driver_memory nccl
make_communicator ring seen 209715200 first_use 8388608 captured 2097152 error 1048576
make_communicator captured first_use 1
all_reduce x ring on aux[0]
all_reduce "two words" captured on aux[0] for 20000 width 0.25
empty_cache
set_allocator_settings ""
reset_peaks
checkpoint "after \"it\""
hold_stream aux[0]
release_stream aux[0]
)";

Program program_with_tensor(const std::string& name) {
    Program p;
    p.tensors = {name};
    p.ops = {op::Free{TensorId{0}}};
    return p;
}

// Linear congruential, as in Knuth's MMIX: the same numbers with every library.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t below(std::uint64_t end) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state_ >> 33U) % end;
    }

  private:
    std::uint64_t state_;
};

std::string any_name(Numbers& numbers, std::size_t index) {
    std::string name = std::to_string(index);
    for (std::uint64_t length = numbers.below(6); length > 0; --length) {
        name.insert(name.begin(), static_cast<char>(numbers.below(256)));
    }
    return name;
}

}  // namespace

TEST_CASE("the text of a Program has a line for the machine, each name and each operation",
          "[program_text]") {
    REQUIRE(to_text(program_of_every_op()) == kEveryOp);
}

TEST_CASE("every operation reads back as itself", "[program_text]") {
    const Program program = program_of_every_op();
    std::set<std::size_t> kinds;
    for (const Op& op : program.ops) {
        kinds.insert(op.index());
    }
    REQUIRE(kinds.size() == std::variant_size_v<Op>);
    REQUIRE(parse_program(kEveryOp, "p.txt") == program);
}

TEST_CASE("reading gives each operation the place of its verb", "[program_text]") {
    const Program program = parse_program(
        "highwater-program 1\n\nmachine total_memory 1\n  empty_cache\nreset_peaks\n", "p.txt");
    REQUIRE(program.places.all() == std::vector<SourcePlace>{{"p.txt", 4, 3}, {"p.txt", 5, 1}});
}

TEST_CASE("a name of any bytes reads back as itself", "[program_text]") {
    const auto name = GENERATE(std::string("plain"),
                               std::string("h[3].w/q:0-1,2=3"),
                               std::string("reads"),
                               std::string("writes"),
                               std::string("free"),
                               std::string("a b"),
                               std::string("tab\tnewline\nreturn\r"),
                               std::string("\"quoted\""),
                               std::string("back\\slash"),
                               std::string("#5"),
                               std::string("\0", 1),
                               std::string("\x1f\x7f"),
                               std::string("gr\xc3\xb6\xc3\x9f"
                                           "e"),
                               std::string("\xff\xfe"));
    const Program program = program_with_tensor(name);
    REQUIRE(parse_program(to_text(program), "p.txt") == program);
}

TEST_CASE("random names read back as themselves", "[program_text]") {
    const auto seed = GENERATE(range(1, 9));
    CAPTURE(seed);
    Numbers numbers(static_cast<std::uint64_t>(seed));
    Program program;
    for (std::uint32_t i = 0; i < 500; ++i) {
        program.tensors.push_back(any_name(numbers, i));
        program.ops.push_back(op::Free{TensorId{i}});
    }
    REQUIRE(parse_program(to_text(program), "p.txt") == program);
}

TEST_CASE("tables keep their order, and names that nothing uses", "[program_text]") {
    Program program;
    program.tensors = {"b", "a", "unused"};
    program.pools = {"a"};
    program.ops = {op::Free{TensorId{1}}, op::Free{TensorId{0}}};
    REQUIRE(parse_program(to_text(program), "p.txt") == program);
}

TEST_CASE("a memory fraction reads back to the last bit", "[program_text]") {
    const double fraction = GENERATE(
        0.0, 1.0, 0.1, 1.0 / 3.0, 0.9999999999999999, 5e-324, 2.2250738585072014e-308, 0.3 - 0.1);
    Program program;
    program.machine.memory_fraction = fraction;
    REQUIRE(parse_program(to_text(program), "p.txt").machine.memory_fraction == fraction);
}

TEST_CASE("the largest size and the largest handle read back", "[program_text]") {
    Program program;
    program.machine.total_memory = kMaxTotalMemory;
    program.streams = {{"s", StreamHandle{UINT64_MAX}}};
    program.tensors = {"t"};
    program.ops = {op::Alloc{TensorId{0}, Bytes{UINT64_MAX}, StreamId{0}}};
    REQUIRE(parse_program(to_text(program), "p.txt") == program);
}

TEST_CASE("comments, blanks, a byte order mark and Windows line ends carry no meaning",
          "[program_text]") {
    const Program program = parse_program(
        "\xEF\xBB\xBF# made by hand\r\n"
        "highwater-program 1\r\n"
        "machine total_memory 64 # no fraction, no settings\r\n"
        "\r\n"
        "stream s handle 12\r\n"
        "\tsynchronize   on\ts",
        "p.txt");
    REQUIRE(program.machine == Machine{64_B, 1.0, ""});
    REQUIRE(program.streams == std::vector<StreamEntry>{{"s", StreamHandle{12}}});
    REQUIRE(program.ops == std::vector<Op>{op::Synchronize{StreamId{0}}});
}
