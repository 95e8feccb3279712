// Collectives of fake cards, whose ranks are processes.
#include <sstream>

#include <fmt/format.h>

#include "gpu/notes.hpp"
#include "gpu/stamps.hpp"
#include "tests/gpu/fake_backend.hpp"

namespace highwater::gpu {
namespace {

constexpr Bytes kOfCommunicator{4ULL << 20U};

// Words by their distance from the tensor's beginning.
using Words = std::map<std::uint64_t, std::uint64_t>;

std::string text_of(const Words& words) {
    std::string text;
    for (const auto& [at, word] : words) {
        text += fmt::format("{} {}\n", at, word);
    }
    return text;
}

Words words_of(const std::string& text) {
    Words words;
    std::istringstream from(text);
    std::uint64_t at = 0;
    std::uint64_t word = 0;
    while (from >> at >> word) {
        words.emplace(at, word);
    }
    return words;
}

}  // namespace

void FakeCard::make_communicator(const std::string& name) {
    communicators_.insert(name);
    add_library_memory(name, kOfCommunicator, std::nullopt);
}

bool FakeCard::destroy_communicator(const std::string& name) {
    return communicators_.erase(name) > 0;
}

void FakeCard::all_reduce(const std::string& communicator,
                          StreamId stream,
                          Address address,
                          Bytes size) {
    if (!communicators_.contains(communicator)) {
        throw RefusedError("there is no such communicator");
    }
    put(stream, NodeKind::kKernel, [this, address, size] { add_up(address, size); });
}

void FakeCard::add_up(Address address, Bytes size) {
    Words mine;
    const auto end = words_.lower_bound((address + size).value);
    for (auto at = words_.lower_bound(address.value); at != end; ++at) {
        mine.emplace(at->first - address.value, at->second);
    }
    const auto note = [number = meetings_++](std::uint32_t rank) {
        return fmt::format("sum-{}-{}", number, rank);
    };
    if (rank_.count > 1) {
        leave_note(rank_.folder, note(rank_.number), text_of(mine));
    }
    for (std::uint32_t other = 0; other < rank_.count; ++other) {
        if (other != rank_.number) {
            for (const auto& [at, word] : words_of(wait_for_note(rank_.folder, note(other)))) {
                words_[address.value + at] += word;
            }
        }
    }
}

}  // namespace highwater::gpu
