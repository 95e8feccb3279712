// Several processes that run one Program, each on a fake card of its own.
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "gpu/notes.hpp"
#include "gpu/rank_runs.hpp"
#include "gpu/refused_error.hpp"
#include "gpu/run_command.hpp"
#include "gpu/stamps.hpp"
#include "tests/gpu/fake_backend.hpp"
#include "tests/gpu/gpu_command.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;
using How = gpu::Ended::How;

namespace {

const std::string kScenario = HIGHWATER_SOURCE_DIR "/scenarios/nccl_all_reduce.yaml";

struct Ran {
    gpu::CommandOutcome outcome;
    /// Null if nothing was written.
    Json json;
};

Ran ran(std::vector<std::string> words, const gpu::BackendOpener& open) {
    const gpu::TestFolder folder;
    words.insert(words.end(), {"--json", folder.file("m.json")});
    Ran made{gpu::run_command_line(words, open), nullptr};
    const std::string text = gpu::text_of_file(folder.file("m.json"));
    made.json = text.empty() ? Json(nullptr) : Json::parse(text);
    return made;
}

gpu::BackendOpener open_of(int cards) {
    return [cards](const std::string&,
                   const std::string&,
                   const Program& program,
                   const gpu::Rank& rank) -> std::unique_ptr<gpu::Backend> {
        if (rank.device >= cards) {
            throw gpu::NoMeasurement("there are too few cards");
        }
        return std::make_unique<gpu::FakeBackend>(program, rank);
    };
}

gpu::EndedTogether together(const std::function<std::vector<std::string>(const gpu::Rank&)>& call,
                            std::chrono::milliseconds limit = 20s) {
    return gpu::run_ranks({2, 3, limit, call});
}

std::vector<std::string> done() {
    return {R"({"measured": {}})"};
}

// What the harness saw of a Program that reduces and then reads a tensor of each rank.
Json reduced_by_two(const std::string& body) {
    const std::string text =
        "highwater-program 1\n"
        "machine total_memory 1073741824 memory_fraction 1 conf \"\" ranks 2\n"
        "stream default handle 0x0\nstream side handle 0x10\n"
        "tensor x\ntensor y\ngraph g\nalloc x 1048576 on side\n"
        "make_communicator ring seen 0\n" +
        body;
    const gpu::TestFolder folder;
    std::ofstream(folder.file("p.txt")) << text;
    const Ran run = ran({"run", folder.file("p.txt")}, open_of(2));
    INFO(run.outcome.error);
    REQUIRE(run.outcome.status == 0);
    return run.json;
}

std::uint64_t corrupt_words(const Json& json, std::size_t rank) {
    return json["measured"]["ranks"][rank]["measured"]["corruption"]["words"];
}

}  // namespace

TEST_CASE("each rank runs on a card of its own, and all figures are gathered", "[ranks]") {
    const Ran run = ran({"run", kScenario, "--device", "1", "--repeat", "2"}, open_of(3));
    INFO(run.outcome.error);
    REQUIRE(run.outcome.status == 0);
    const Json& measured = run.json["measured"];
    REQUIRE(measured["ranks"].size() == 2);
    CHECK(run.json["checkpoints"] == measured["ranks"][0]["checkpoints"]);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const Json& own = measured["ranks"][rank]["measured"];
        CHECK(own["rank"] == rank);
        CHECK(own["device"] == 1 + rank);
        CHECK(own["repeats"] == 2);
        CHECK(own["corruption"]["words"] == 0);
        CHECK(own["corruption"]["verified_reads"] > 0);
        CHECK(own["collectives"]["library"] == "Fake collectives 1.0");
        const Json& first = own["collectives"]["operations"][0];
        CHECK(first["text"].get<std::string>().starts_with("make_communicator nccl"));
        CHECK(first["taken_bytes"] > 0);
    }
    CHECK_THAT(run.outcome.output, Catch::Matchers::ContainsSubstring("rank 1: "));
}

TEST_CASE("a collective gives every rank the sum of all", "[ranks]") {
    const std::string reduce = "all_reduce x ring on side\nkernel on side reads x\n";
    const Json right = reduced_by_two("kernel on side writes x\n" + reduce);
    CHECK(corrupt_words(right, 0) == 0);
    CHECK(corrupt_words(right, 1) == 0);
    const Json twice = reduced_by_two("kernel on side writes x\n" + reduce + reduce);
    CHECK(corrupt_words(twice, 1) == 0);
    const Json replayed =
        reduced_by_two("begin_capture g on side\nkernel on side writes x\n" + reduce +
                       "end_capture g\nreplay g on side\n" + "replay g on side\n");
    CHECK(corrupt_words(replayed, 0) == 0);
    CHECK(replayed["measured"]["collectives"]["operations"][1]["card_ns"].is_null());
}

TEST_CASE("a sum that is no longer the tensor's own is seen as corruption on each rank",
          "[ranks]") {
    // Each replay adds up what the one before it left.
    const Json json = reduced_by_two(
        "kernel on side writes x\nbegin_capture g on side\nall_reduce x ring on side\n"
        "kernel on side reads x\nend_capture g\nreplay g on side\nreplay g on side\n");
    CHECK(corrupt_words(json, 0) > 0);
    CHECK(corrupt_words(json, 1) > 0);
}

TEST_CASE("where there are fewer cards than ranks nothing is measured", "[ranks]") {
    const Ran run = ran({"run", kScenario}, open_of(1));
    CHECK(run.outcome.status == 3);
    CHECK(run.outcome.error == "highwater-gpu: error: rank 1: there are too few cards\n");
    CHECK(run.json.is_null());
}

TEST_CASE("once a rank fails the others are ended, and the message names it", "[ranks]") {
    const auto began = std::chrono::steady_clock::now();
    const gpu::EndedTogether ended = together([](const gpu::Rank& rank) {
        if (rank.number == 1) {
            throw gpu::NoMeasurement("its card is gone");
        }
        gpu::wait_for_note(rank.folder, "that never comes");
        return done();
    });
    CHECK(std::chrono::steady_clock::now() - began < 15s);
    CHECK(ended.first_failed == 1);
    CHECK(ended.calls[0].how == How::kGivenUp);
    CHECK_FALSE(gpu::is_measured(ended));
    CHECK(gpu::reason_of(ended) == "rank 1: its card is gone");
}

TEST_CASE("ranks that are not over in time are named", "[ranks]") {
    const auto waits = [](std::uint32_t late) {
        return [late](const gpu::Rank& rank) {
            if (rank.number >= late) {
                gpu::wait_for_note(rank.folder, "that never comes");
            }
            return done();
        };
    };
    CHECK(gpu::reason_of(together(waits(1), 200ms)) == "rank 1: the run was not over after 0 s");
    CHECK(gpu::reason_of(together(waits(0), 200ms)) ==
          "ranks 0, 1: the run was not over after 0 s");
}

TEST_CASE("a program that fails on one rank is an answer, with what the others lack", "[ranks]") {
    const gpu::EndedTogether ended = together([](const gpu::Rank& rank) {
        if (rank.number == 0) {
            return std::vector<std::string>{R"({"failure": {}, "measured": {}})"};
        }
        gpu::wait_for_note(rank.folder, "that never comes");
        return done();
    });
    CHECK(gpu::is_measured(ended));
    CHECK(ended.calls[1].how == How::kGivenUp);
    const Json json = gpu::gathered({Json(nullptr), Json::parse(done().front())});
    CHECK(json["measured"]["ranks"][0].is_null());
    CHECK_FALSE(json["measured"]["ranks"][1].is_null());
}

TEST_CASE("ranks are told their number, their card and where to leave notes", "[ranks]") {
    const gpu::EndedTogether ended = together([](const gpu::Rank& rank) {
        gpu::leave_note(
            rank.folder, std::to_string(rank.number), "from " + std::to_string(rank.number));
        const std::string other = gpu::wait_for_note(rank.folder, std::to_string(1 - rank.number));
        return std::vector<std::string>{
            done().front(), other, std::to_string(rank.device), rank.folder};
    });
    REQUIRE(gpu::is_measured(ended));
    CHECK(ended.calls[0].parts[1] == "from 1");
    CHECK(ended.calls[1].parts[1] == "from 0");
    CHECK(ended.calls[0].parts[2] == "3");
    CHECK(ended.calls[1].parts[2] == "4");
    CHECK_FALSE(std::filesystem::exists(ended.calls[0].parts[3]));
}

TEST_CASE("no two ranks' allocations have the same word", "[ranks]") {
    std::set<std::uint64_t> words;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        for (std::uint64_t allocation = 1; allocation <= 100; ++allocation) {
            CHECK(words.insert(gpu::stamp_word(allocation, rank)).second);
        }
    }
    const gpu::StampedWord word = gpu::stamped_word(7, 1, 2);
    CHECK(word.here == gpu::stamp_word(7, 1));
    CHECK(word.sum == gpu::stamp_word(7, 0) + gpu::stamp_word(7, 1));
    CHECK(gpu::reduced(word, 2).here == word.sum);
    CHECK(gpu::reduced(gpu::reduced(word, 2), 2).here == 2 * word.sum);
}
