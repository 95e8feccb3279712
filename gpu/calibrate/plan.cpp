#include "gpu/calibrate/plan.hpp"

#include <array>
#include <span>

namespace highwater::gpu {
namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kGiB = 1ULL << 30U;

constexpr std::array<std::uint64_t, 1> kOne{1};
constexpr std::array<std::uint64_t, 6> kSizes{
    2 * kMiB, 20 * kMiB, 64 * kMiB, 256 * kMiB, kGiB, 4 * kGiB};
constexpr std::array<std::uint64_t, 2> kPages{2 * kMiB, 20 * kMiB};
constexpr std::array<std::uint64_t, 1> kAddresses{kGiB};
/// Nanoseconds of work.
constexpr std::array<std::uint64_t, 1> kWork{5'000'000};
constexpr std::array<std::uint64_t, 1> kCapturedNodes{1000};
/// One of them is three for each of the layers.
constexpr std::array<std::uint64_t, 7> kNodes{1, 100, 500, 1200, 4000, 16000, 64000};
constexpr std::array<std::uint64_t, 1> kLayers{400};
/// Fewer than a held stream takes, and even, for hops.
constexpr std::array<std::uint64_t, 3> kChains{50, 100, 150};
constexpr std::array<std::uint64_t, 3> kEmptyChains{200, 600, 1000};
constexpr std::array<std::uint64_t, 3> kSmallCopies{20, 60, 100};
constexpr std::array<std::uint64_t, 3> kHostCopies{64 * kMiB, 128 * kMiB, 256 * kMiB};
constexpr std::array<std::uint64_t, 1> kPageableCopies{256 * kMiB};
/// Far beyond the card's cache.
constexpr std::array<std::uint64_t, 3> kDeviceCopies{512 * kMiB, kGiB, 2 * kGiB};
constexpr std::array<std::uint64_t, 1> kShared{kGiB};
constexpr std::array<std::uint64_t, 2> kHalvesTried{2, 3};
constexpr std::array<std::uint64_t, 7> kSmallTried{2, 4, 8, 16, 32, 64, 128};

constexpr std::array<GraphForm, 6> kChainsOfGraphs{
    {{1, 1, 500}, {1, 1, 1000}, {1, 1, 2000}, {1, 1, 4000}, {1, 1, 8000}, {1, 1, 16000}}};
constexpr std::array<GraphForm, 1> kLongChain{{{1, 1, 32000}}};
constexpr std::array<GraphForm, 4> kForks{{{32, 2, 1}, {64, 2, 1}, {128, 2, 1}, {256, 2, 1}}};

/// Graphs of one form, again and again.
struct Copies {
    GraphForm form;
    std::size_t count = 0;
};
constexpr std::array<Copies, 4> kCopies{
    {{{1, 1, 10}, 128}, {{1, 1, 500}, 32}, {{8, 2, 10}, 24}, {{2, 4, 2}, 64}}};

constexpr std::array<Bytes, 2> kNodeSizes{Bytes{kMiB}, Bytes{33 * kMiB}};

std::vector<GraphForm> sequence(std::span<const GraphForm> forms) {
    return {forms.begin(), forms.end()};
}

}  // namespace

std::vector<TimeProbe> time_probes() {
    std::vector<TimeProbe> probes;
    const auto add = [&](const std::vector<Timed>& calls, std::span<const std::uint64_t> all) {
        for (const Timed what : calls) {
            for (const std::uint64_t n : all) {
                probes.push_back({what, n});
            }
        }
    };
    add({Timed::kClockStep,
         Timed::kLaunch,
         Timed::kLaunchIdle,
         Timed::kLaunchSeen,
         Timed::kRecordEvent,
         Timed::kWaitEvent,
         Timed::kQueryEvent,
         Timed::kSynchronize,
         Timed::kCapture},
        kOne);
    add({Timed::kMalloc, Timed::kFree}, kSizes);
    add({Timed::kMallocBehindWork, Timed::kFreeBehindWork}, kWork);
    add({Timed::kMap, Timed::kUnmap}, kPages);
    add({Timed::kReserve}, kAddresses);
    add({Timed::kCaptureNode}, kCapturedNodes);
    add({Timed::kInstantiate, Timed::kGraphLaunch}, kNodes);
    add({Timed::kInstantiateJoins}, kLayers);
    add({Timed::kStreamChain, Timed::kStreamHops, Timed::kGraphChain, Timed::kGraphJoins}, kChains);
    add({Timed::kEmptyGraphChain}, kEmptyChains);
    add({Timed::kSmallToDevice, Timed::kSmallToHost, Timed::kSmallWithin}, kSmallCopies);
    add({Timed::kToDevice, Timed::kToHost}, kHostCopies);
    add({Timed::kPageableToDevice, Timed::kPageableToHost}, kPageableCopies);
    add({Timed::kWithin, Timed::kAddition}, kDeviceCopies);
    add({Timed::kAdditionOnHalf, Timed::kTwoAdditions}, kShared);
    add({Timed::kHalves}, kHalvesTried);
    add({Timed::kSmallAtOnce}, kSmallTried);
    return probes;
}

std::vector<std::vector<GraphForm>> graph_sequences() {
    std::vector<std::vector<GraphForm>> all{
        sequence(kChainsOfGraphs), sequence(kLongChain), sequence(kForks)};
    for (const Copies& copies : kCopies) {
        all.emplace_back(copies.count, copies.form);
    }
    return all;
}

std::vector<Bytes> node_sizes() {
    return {kNodeSizes.begin(), kNodeSizes.end()};
}

}  // namespace highwater::gpu
