#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <cuda_runtime_api.h>

#include "gpu/rank.hpp"

namespace highwater::gpu {

/// NCCL, loaded where the first communicator is made: neither the build nor any other run needs it.
/// Looked for where HIGHWATER_NCCL says, else as libnccl.so.2, which libtorch brings with it.
class Nccl {
  public:
    explicit Nccl(Rank rank) : rank_(std::move(rank)) {}

    /// Waits for the other ranks. Throws `NoMeasurement` where there is no NCCL and `RefusedError`
    /// where it gives an error.
    void make_communicator(const std::string& name);
    /// False if there is none of that name.
    bool destroy_communicator(const std::string& name);
    /// Of all ranks' 64-bit words, in place.
    void all_reduce(const std::string& name, void* words, std::size_t count, cudaStream_t stream);
    /// "NCCL 2.28.9"; empty while it is not loaded.
    const std::string& version() const { return version_; }

  private:
    void load();
    template <typename Signature>
    Signature* function(const char* name) const;
    void call(int result, const char* what) const;
    void* communicator(const std::string& name) const;

    Rank rank_;
    void* library_ = nullptr;
    std::string version_;
    std::size_t made_ = 0;
    std::map<std::string, void*> communicators_;
};

}  // namespace highwater::gpu
