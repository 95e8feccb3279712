#include "validate/conform.hpp"

#include <filesystem>
#include <fstream>
#include <functional>

#include "sim/core/error.hpp"
#include "tests/support/string_makers.hpp"
#include "validate/recorded_file.hpp"

namespace highwater {

namespace {

const std::filesystem::path kRecorded = HIGHWATER_SOURCE_DIR "/tests/recorded/conformance";

// Of each configuration the audit takes a program as well.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kEveryFile = 4;
constexpr std::size_t kPrograms = 157;
#else
constexpr std::size_t kEveryFile = 1;
constexpr std::size_t kPrograms = 630;
#endif

std::vector<std::string> recorded_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(kRecorded)) {
        files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

RecordedProgram last_program_of(const std::string& path) {
    RecordedProgram last;
    read_recorded_file(path, [&last](const RecordedProgram& program) { last = program; });
    return last;
}

// A recording small enough to be read here: 12 MiB allocated and freed.
constexpr const char* kHead =
    R"({"conf":"","fraction":0,"total_memory":1073741824,"stats":["allocated_bytes","segment"]})";
constexpr const char* kStat = R"({"current":0,"peak":0,"allocated":0,"freed":0})";

std::string by_pool() {
    return fmt::format(R"({{"all":{0},"small_pool":{0},"large_pool":{0}}})", kStat);
}

std::string empty_stats() {
    std::string text = "{";
    for (const NamedStatByPool& stat : kStatsByPool) {
        text += fmt::format(R"("{}":{},)", stat.name, by_pool());
    }
    for (const NamedCount& count : kCounts) {
        text += fmt::format(R"("{}":0,)", count.name);
    }
    return text + fmt::format(R"("oversize_allocations":{0},"oversize_segments":{0}}})", kStat);
}

std::string program_line(const std::string& ops, const std::string& rows) {
    return fmt::format(
        R"({{"seed":1,"streams":[0,16],"base":[],"ops":{},"rows":{},"trace":[],"segments":[],)"
        R"("final":{}}})",
        ops,
        rows,
        empty_stats());
}

// A file of these lines in the temporary folder.
class File {
  public:
    explicit File(const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("highwater-conform-{}.jsonl", static_cast<const void*>(this))) {
        std::ofstream(path_) << text;
    }
    ~File() { std::filesystem::remove(path_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

std::string error_of(const std::string& text) {
    const File file(text);
    try {
        conform_file(file.path());
    } catch (const InputError& error) {
        return fmt::format("{}: {}", error.place().line, error.problem());
    }
    return "";
}

}  // namespace

TEST_CASE("every recorded program replays exactly", "[conform]") {
    ConformReport all;
    const std::vector<std::string> files = recorded_files();
    for (std::size_t i = 0; i < files.size(); i += kEveryFile) {
        const ConformReport report = conform_file(files[i]);
        INFO(files[i]);
        CHECK_FALSE(report.first);
        all.exact += report.exact;
        all.total += report.total;
    }
    CHECK(all.exact == kPrograms);
    CHECK(all.total == kPrograms);
}

TEST_CASE("the audit finds nothing while recorded programs replay", "[conform][audit]") {
    // One program of each configuration; each operation is followed by an audit.
    for (const std::string& path : recorded_files()) {
        bool first = true;
        read_recorded_file(path, [&](const RecordedProgram& recorded) {
            if (std::exchange(first, false)) {
                INFO(path);
                CHECK_FALSE(replay_recorded(recorded, true));
            }
        });
    }
}

TEST_CASE("a departure names the operation, the figure and both values", "[conform]") {
    const File file(std::string(kHead) + "\n" +
                    program_line(R"([["k",1],["e"]])", "[[null,0,0],[null,0,3]]"));
    const ConformReport report = conform_file(file.path());
    CHECK(report.total == 1);
    CHECK(report.exact == 0);
    REQUIRE(report.first);
    CHECK(*report.first == Departure{"1", "1 [\"e\"]", "segment", "3", "0"});
}

TEST_CASE("a changed figure anywhere in a recording is found", "[conform]") {
    // Read once for all changes.
    static const RecordedProgram good = last_program_of(recorded_files().front());
    REQUIRE_FALSE(replay_recorded(good));
    const std::size_t middle = good.ops.size() / 2;
    RecordedProgram bad = good;
    using Change = std::function<void(RecordedProgram&)>;
    const auto [what, change] = GENERATE_REF(table<std::string, Change>({
        {"a counter", [&](RecordedProgram& p) { p.ops[middle].counters[3] += 512; }},
        {"a result", [](RecordedProgram& p) { p.ops[0].result = Address{12}; }},
        {"an event's size", [](RecordedProgram& p) { p.trace[9].size += Bytes{1}; }},
        {"an event too many", [](RecordedProgram& p) { p.trace.push_back(p.trace.back()); }},
        {"an event too few", [](RecordedProgram& p) { p.trace.pop_back(); }},
        {"a segment", [](RecordedProgram& p) { p.segments.pop_back(); }},
        {"a block", [](RecordedProgram& p) { p.segments[0].blocks[0].requested += Bytes{1}; }},
        {"a peak", [](RecordedProgram& p) { p.final.active_bytes.all.peak += 1; }},
    }));
    INFO(what);
    change(bad);
    CHECK(replay_recorded(bad));
}

TEST_CASE("what is not a recording is refused with its line", "[conform][errors]") {
    const std::string head = std::string(kHead) + "\n";
    CHECK(error_of("") == "0: the file is empty");
    CHECK(error_of("nonsense") == "1: not JSON");
    CHECK(error_of(head + "{") == "2: not JSON");
    CHECK(error_of("{}") == "1: key 'total_memory' not found");
    CHECK(error_of(R"({"total_memory":"x"})") ==
          "1: a string stands where a whole number from 0 up should");
    CHECK(error_of(head + "{}") == "2: key 'seed' not found");
    CHECK(error_of(head + program_line(R"([["x",1]])", "[[null,0,0]]")) ==
          R"(2: unknown operation ["x",1])");
    CHECK(error_of(head + program_line(R"([["k",7]])", "[[null,0,0]]")) ==
          "2: there is no stream 7");
    CHECK(error_of(head + program_line(R"([["e"]])", "[[null,0]]")) ==
          "2: a row has 1 counters, the head names 2");
    CHECK(error_of(head + program_line(R"([["e"]])", "[]")) == "2: 1 operations have 0 rows");
    CHECK(error_of(head + program_line(R"([["f",3]])", "[[null,0,0]]")) ==
          "2: tensor `t3` is not allocated here");
    CHECK(error_of(head + program_line(R"([["md",3]])", "[[null,0,0]]")) ==
          "2: there is no memory pool 3");
}

TEST_CASE("numbers that cannot be are refused, and nothing worse", "[conform][errors]") {
    const std::string head = std::string(kHead) + "\n";
    const auto error_with = [&head](const std::string& from, const std::string& to) {
        std::string line = program_line(R"([["a",1,512,0]])", "[[4096,512,1]]");
        line.replace(line.find(from), from.size(), to);
        return error_of(head + line);
    };
    const auto base = [](const std::string& address, const std::string& size) {
        return fmt::format(R"("base":[{{"address":{0},"total_size":{1},"stream":0,)"
                           R"("segment_type":"small","segment_pool_id":[0,0],)"
                           R"("blocks":[[{1},0,"inactive"]]}}])",
                           address,
                           size);
    };
    const std::string none = R"("base":[])";
    CHECK_THAT(error_with("1,512,0", "1,-1,0"), Catch::Matchers::StartsWith("2: a number"));
    CHECK_THAT(error_with("1,512,0", "1,1.5,0"), Catch::Matchers::StartsWith("2: a number"));
    CHECK_THAT(error_with("1,512,0", "1,1e300,0"), Catch::Matchers::StartsWith("2: a number"));
    CHECK_THAT(error_with(R"([["a",1,512,0]])", "null"),
               Catch::Matchers::ContainsSubstring("`ops` is a null"));
    CHECK_THAT(error_with(none, base("4096", "998")),
               Catch::Matchers::ContainsSubstring("a block has 998 bytes"));
    CHECK_THAT(error_with(none, base("18446744073709551104", "2097152")),
               Catch::Matchers::ContainsSubstring("is no address"));
    CHECK_THAT(error_with(none, base("4096", "4611686018427387392")),
               Catch::Matchers::ContainsSubstring("cannot be"));
    CHECK_THAT(error_with(R"("seed":1)", R"("seed":)" + std::string(300000, '[')),
               Catch::Matchers::ContainsSubstring("16 deep"));
    CHECK_THAT(error_of(head + program_line(R"([["mp",1]])", "[[[0,0],0,0]]")),
               Catch::Matchers::ContainsSubstring("a pool's id"));
    CHECK_THAT(error_of(head), Catch::Matchers::ContainsSubstring("no programs"));
}

TEST_CASE("a file that is not there, or cut short, is refused", "[conform][errors]") {
    CHECK_THROWS_AS(conform_file("/nowhere/file.jsonl.gz"), InputError);
    std::ifstream whole(recorded_files().front(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    CHECK_THAT(error_of(bytes.substr(0, bytes.size() / 2)),
               Catch::Matchers::ContainsSubstring("cannot be read"));
}

}  // namespace highwater
