// Random programs: the detector against happens-before the slow way.
#include <cstdint>
#include <set>
#include <utility>

#include "sim/hazards/hazard_detector.hpp"
#include "tests/hazards/found.hpp"
#include "tests/hazards/slow_hazards.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

constexpr std::uint32_t kStreams = 4;
constexpr std::uint32_t kTensors = 4;
constexpr std::uint32_t kEvents = 2;
constexpr int kOps = 60;
#ifdef NDEBUG
constexpr std::uint64_t kPrograms = 3000;
#else
constexpr std::uint64_t kPrograms = 150;
#endif

class RandomProgram {
  public:
    explicit RandomProgram(std::uint64_t seed) : state_(seed) {}

    Program eager() {
        for (int i = 0; i < kOps; ++i) {
            add_any();
        }
        return take();
    }

    // One capture with all streams but the default one.
    Program captured() {
        capture();
        return take();
    }

    // And its replays among other work.
    Program replayed() {
        capture();
        first_stream_ = 0;
        for (std::uint32_t i = 0; i < kEvents; ++i) {
            ops_.push_back(op::RecordEvent{EventName{i}, kDefaultStream});
        }
        for (int i = 0; i < kOps; ++i) {
            add_any();
            if (below(6) == 0) {
                ops_.push_back(op::Replay{GraphId{0}, stream()});
            }
        }
        return take();
    }

  private:
    void capture() {
        ops_.push_back(op::BeginCapture{GraphId{0}, StreamId{1}, std::nullopt});
        ops_.push_back(op::RecordEvent{EventName{0}, StreamId{1}});
        for (std::uint32_t i = 2; i < kStreams; ++i) {
            ops_.push_back(op::WaitEvent{StreamId{i}, EventName{0}});
        }
        ops_.push_back(op::RecordEvent{EventName{1}, StreamId{1}});
        first_stream_ = 1;
        for (int i = 0; i < kOps; ++i) {
            add_captured();
        }
        for (std::uint32_t i = 2; i < kStreams; ++i) {
            ops_.push_back(op::RecordEvent{EventName{0}, StreamId{i}});
            ops_.push_back(op::WaitEvent{StreamId{1}, EventName{0}});
        }
        ops_.push_back(op::EndCapture{GraphId{0}, std::nullopt});
    }
    std::uint32_t below(std::uint32_t bound) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(state_ >> 33U) % bound;
    }
    StreamId stream() { return StreamId{first_stream_ + below(kStreams - first_stream_)}; }
    EventName event() { return EventName{below(kEvents)}; }

    void add_captured() {
        switch (below(8)) {
            case 0:
            case 1:
                add_tensor_op();
                return;
            case 2:
                ops_.push_back(op::RecordEvent{event(), stream()});
                return;
            case 3:
                ops_.push_back(op::WaitEvent{stream(), event()});
                return;
            default:
                add_kernel();
        }
    }
    void add_any() {
        switch (below(24)) {
            case 0:
                ops_.push_back(op::Synchronize{stream()});
                return;
            case 1:
                ops_.push_back(op::SynchronizeEvent{event()});
                return;
            case 2:
                ops_.push_back(op::SwitchThread{ThreadId{below(2)}});
                return;
            case 3:
            case 4:
                if (const TensorId tensor{below(kTensors)}; live_.contains(tensor)) {
                    ops_.push_back(op::RecordStream{tensor, stream()});
                }
                return;
            default:
                add_captured();
        }
    }
    // Of a few sizes, so that memory is used again whole and in parts.
    void add_tensor_op() {
        const TensorId tensor{below(kTensors)};
        if (live_.erase(tensor) > 0) {
            ops_.push_back(op::Free{tensor});
        } else {
            live_.insert(tensor);
            ops_.push_back(op::Alloc{tensor, Bytes{(1 + below(3)) << 19U}, stream()});
        }
    }
    void add_kernel() {
        op::Kernel kernel{stream(), {}, {}};
        for (const TensorId tensor : live_) {
            switch (below(4)) {
                case 0:
                    kernel.reads.push_back(tensor);
                    break;
                case 1:
                    kernel.writes.push_back(tensor);
                    break;
                default:
                    break;
            }
        }
        ops_.push_back(kernel);
    }

    Program take() {
        Program program = program_of("");
        program.places = {};
        program.ops = std::move(ops_);
        return program;
    }

    std::uint64_t state_;
    std::uint32_t first_stream_ = 0;
    std::set<TensorId> live_;
    std::vector<Op> ops_;
};

bool is_about_order(const Hazard& hazard) {
    return hazard.kind != HazardKind::kOverwritten && hazard.kind != HazardKind::kStaleAddress;
}

// How many racing operations there were.
std::size_t compare(const Program& program) {
    const SlowHazards expected = slow_hazards(program);
    std::set<std::size_t> seconds;
    bool all_race = true;
    for (const Hazard& hazard : find_hazards(program)) {
        if (!is_about_order(hazard)) {
            continue;
        }
        all_race = all_race && expected.pairs.contains({hazard.first.op, hazard.second.op});
        seconds.insert(hazard.second.op);
    }
    CHECK(all_race);
    CHECK(seconds == expected.seconds);
    return seconds.size();
}

}  // namespace

TEST_CASE("random programs race where nothing orders their accesses, and nowhere else",
          "[random]") {
    std::size_t racing = 0;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        INFO("seed " << seed);
        racing += compare(RandomProgram(seed).eager());
    }
    CHECK(racing > kPrograms);
}

TEST_CASE("random captures race where nothing orders their nodes, and nowhere else", "[random]") {
    std::size_t racing = 0;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        INFO("seed " << seed);
        racing += compare(RandomProgram(seed).captured());
    }
    CHECK(racing > kPrograms);
}

TEST_CASE("random replays race where nothing orders them, and nowhere else", "[random]") {
    std::size_t racing = 0;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        INFO("seed " << seed);
        racing += compare(RandomProgram(seed).replayed());
    }
    CHECK(racing > kPrograms);
}
