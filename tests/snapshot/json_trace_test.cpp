#include "sim/snapshot/json_trace.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/snapshot/read_snapshot.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

// A file of its own, gone at the end.
class File {
  public:
    explicit File(const std::string& text) {
        const int file = mkstemp(name_.data());
        REQUIRE(file >= 0);
        close(file);
        std::ofstream(name_) << text;
    }
    ~File() { std::remove(name_.c_str()); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    const std::string& name() const { return name_; }

  private:
    std::string name_ =
        (std::filesystem::temp_directory_path() / "highwater-history-XXXXXX").string();
};

std::string problem_of(const std::string& text) {
    const File file(text);
    try {
        read_json_trace(file.name());
    } catch (const InputError& error) {
        return error.problem();
    }
    return "none";
}

const std::string kSegment =
    R"([4096,2097152,0,"small",[0,0],false,[[512,8,"active_allocated"],[2096640,0,"inactive"]]])";

}  // namespace

TEST_CASE("a plain file of one line is read as it stands", "[json_trace]") {
    const File file(R"({"conf":"max_split_size_mb:64","other":[1,[2]],"trace":[["a",4096,8,0]],)"
                    R"("segments":[)" +
                    kSegment + "]}\n");
    const Snapshot snapshot = read_snapshot(file.name(), {}, {});
    CHECK(snapshot.settings.conf == "max_split_size_mb:64");
    REQUIRE(snapshot.events.size() == 1);
    CHECK(snapshot.events[0].size == Bytes{8});
    REQUIRE(snapshot.segments.size() == 1);
    CHECK(snapshot.segments[0].blocks[1].address == Address{4608});
    CHECK(!snapshot.base);
}

TEST_CASE("events may have their pool", "[json_trace]") {
    const File file(R"({"trace":[["a",4096,8,0,[0,3]]],"segments":[]})");
    CHECK(read_json_trace(file.name()).events.at(0).pool == PoolId{0, 3});
}

TEST_CASE("a bad value is told with its place", "[json_trace]") {
    const auto trace = [](const std::string& row) {
        return R"({"segments":[],"trace":[["a",4096,8,0],)" + row + "]}";
    };
    CHECK(problem_of(trace(R"(["z",1,2,3])")).find("trace[1]: one of the letters") == 0);
    CHECK(problem_of(trace(R"(["a",-1,2,3])")).find("trace[1]: a whole number") == 0);
    CHECK(problem_of(trace(R"(["a",1.5,2,3])")).find("trace[1]: a whole number") == 0);
    CHECK(problem_of(trace(R"(["a",1,9223372036854775808,3])")).find("trace[1]: ") == 0);
    CHECK(problem_of(trace(R"(["a",1])")).find("trace[1]: a list of at least") == 0);
    CHECK(problem_of(trace("7")) != "none");
    CHECK(problem_of(R"({"trace":[],"segments":[[4096,2097152,0,"huge",[0,0],false,[]]]})")
              .find("segments[0]: ") == 0);
    CHECK(problem_of(R"({"trace":[]})").find("are needed") != std::string::npos);
    CHECK(problem_of("[]") != "none");
    CHECK(problem_of("nonsense").find("not JSON") != std::string::npos);
    CHECK(problem_of("") == "the file is empty");
    CHECK(problem_of(R"({"trace":[[[[[[[[[[[]]]]]]]]]]],"segments":[]})") != "none");
    CHECK(problem_of("{\"trace\":[],\"segments\":[]}\n{}\n") == "a second history follows");
}

TEST_CASE("blocks that do not fill their segment are refused", "[json_trace]") {
    CHECK(problem_of(R"({"trace":[],"segments":[[4096,2097152,0,"small",[0,0],false,)"
                     R"([[512,8,"active_allocated"]]]]})") != "none");
}

}  // namespace highwater
