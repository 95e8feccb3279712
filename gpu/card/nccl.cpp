#include "gpu/card/nccl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "gpu/notes.hpp"
#include "gpu/refused_error.hpp"

namespace highwater::gpu {
namespace {

// What of nccl.h is used here (NCCL API reference).
constexpr int kNcclSuccess = 0;
constexpr int kUint64 = 5;
constexpr int kSum = 0;
struct UniqueId {
    std::array<char, 128> internal;
};

std::vector<std::string> places() {
    const char* const named = std::getenv("HIGHWATER_NCCL");
    if (named != nullptr && *named != '\0') {
        return {named};
    }
    return {"libnccl.so.2", "libnccl.so"};
}

// 22809 is 2.28.9.
std::string version_text(int code) {
    constexpr int kMajor = 10'000;
    constexpr int kMinor = 100;
    return fmt::format("NCCL {}.{}.{}", code / kMajor, code % kMajor / kMinor, code % kMinor);
}

}  // namespace

template <typename Signature>
Signature* Nccl::function(const char* name) const {
    const auto found = reinterpret_cast<Signature*>(dlsym(library_, name));
    if (found == nullptr) {
        throw NoMeasurement(fmt::format(
            "this NCCL has no {}; name another libnccl.so.2 with HIGHWATER_NCCL", name));
    }
    return found;
}

void Nccl::call(int result, const char* what) const {
    if (result == kNcclSuccess) {
        return;
    }
    const char* const text = function<const char*(int)>("ncclGetErrorString")(result);
    const char* const last = function<const char*(void*)>("ncclGetLastError")(nullptr);
    std::string detail = last != nullptr ? last : "";
    detail.resize(std::min(detail.find('\n'), detail.size()));
    throw RefusedError(
        fmt::format("{}: {} ({}){}{}", what, text, result, detail.empty() ? "" : ": ", detail));
}

void Nccl::load() {
    std::string why;
    for (const std::string& place : places()) {
        library_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library_ != nullptr) {
            int version = 0;
            call(function<int(int*)>("ncclGetVersion")(&version), "ncclGetVersion");
            version_ = version_text(version);
            return;
        }
        const char* const error = dlerror();
        why = why.empty() && error != nullptr ? error : why;
    }
    throw NoMeasurement(
        fmt::format("the program has collectives and there is no NCCL ({}); install PyTorch or "
                    "nvidia-nccl-cu13, and name its libnccl.so.2 with HIGHWATER_NCCL",
                    why));
}

// The first rank makes the id that all others need to find each other.
void Nccl::make_communicator(const std::string& name) {
    if (library_ == nullptr) {
        load();
    }
    const std::string note = fmt::format("communicator-{}", made_++);
    UniqueId id{};
    if (rank_.number == 0) {
        call(function<int(UniqueId*)>("ncclGetUniqueId")(&id), "ncclGetUniqueId");
        if (rank_.count > 1) {
            leave_note(rank_.folder, note, std::string(id.internal.data(), id.internal.size()));
        }
    } else {
        const std::string told = wait_for_note(rank_.folder, note);
        std::memcpy(id.internal.data(), told.data(), std::min(told.size(), id.internal.size()));
    }
    void* made = nullptr;
    const auto init = function<int(void**, int, UniqueId, int)>("ncclCommInitRank");
    call(init(&made, static_cast<int>(rank_.count), id, static_cast<int>(rank_.number)),
         "ncclCommInitRank");
    communicators_.insert_or_assign(name, made);
}

void* Nccl::communicator(const std::string& name) const {
    const auto found = communicators_.find(name);
    if (found == communicators_.end()) {
        throw RefusedError(fmt::format("there is no communicator '{}'", name));
    }
    return found->second;
}

bool Nccl::destroy_communicator(const std::string& name) {
    const auto found = communicators_.extract(name);
    if (found.empty()) {
        return false;
    }
    call(function<int(void*)>("ncclCommDestroy")(found.mapped()), "ncclCommDestroy");
    return true;
}

void Nccl::all_reduce(const std::string& name,
                      void* words,
                      std::size_t count,
                      cudaStream_t stream) {
    using Signature = int(const void*, void*, std::size_t, int, int, void*, cudaStream_t);
    const auto reduce = function<Signature>("ncclAllReduce");
    call(reduce(words, words, count, kUint64, kSum, communicator(name), stream), "ncclAllReduce");
}

}  // namespace highwater::gpu
