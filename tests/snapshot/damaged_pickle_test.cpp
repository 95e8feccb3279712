#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

#ifdef _GLIBCXX_ASSERTIONS
constexpr int kRounds = 1500;
#else
constexpr int kRounds = 6000;
#endif

// SplitMix64: the same numbers everywhere.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}

    std::size_t below(std::size_t end) {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return (mixed ^ (mixed >> 31U)) % end;
    }

  private:
    std::uint64_t state_;
};

std::string damaged(const std::string& whole, Numbers& numbers) {
    static constexpr std::string_view kOpcodes =
        "(.012FIJKLMNSTUVXad}eghjlpqr]st)uGBCPQRbcio\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a"
        "\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97\x98";
    std::string bytes = whole;
    const std::size_t changes = 1 + numbers.below(4);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
        const std::size_t at = numbers.below(bytes.size());
        switch (numbers.below(6)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << numbers.below(8)));
                break;
            case 1:
                bytes.resize(at);
                break;
            case 2:
                bytes.insert(at, 1, kOpcodes[numbers.below(kOpcodes.size())]);
                break;
            case 3:
                bytes[at] = kOpcodes[numbers.below(kOpcodes.size())];
                break;
            case 4:
                bytes.erase(at, 1 + numbers.below(20));
                break;
            default:
                bytes.insert(at, whole.substr(numbers.below(whole.size()), numbers.below(200)));
        }
    }
    return bytes;
}

// The first half of a round's damage stands near the begin, where the keys are first named.
TEST_CASE("a damaged file gives a snapshot or an error in its words", "[pickle]") {
    const std::string whole = recorded_snapshot("small.pickle");
    Numbers numbers(20261130);
    int read = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t head = round % 2 == 0 ? whole.size() : 4000;
        const std::string bytes = damaged(whole.substr(0, head), numbers) + whole.substr(head);
        try {
            read_bytes(bytes);
            ++read;
        } catch (const InputError& error) {
            if (!std::string_view(error.what()).starts_with("x.pickle: error: ")) {
                FAIL(error.what());
            }
        }
    }
    // A changed digit of a time, name or free block changes nothing that is checked.
    CHECK(read > kRounds / 50);
    CHECK(read < kRounds / 2);
}

}  // namespace
}  // namespace highwater
