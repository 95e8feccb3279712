#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "sim/core/ids.hpp"

namespace highwater::gpu {

/// The host threads of a Program: real ones, of which one at a time does something, because a
/// Program's calls have an order.
class HostThreads {
  public:
    /// `enter` is a thread's first call; also made by the main thread.
    explicit HostThreads(std::function<void()> enter);
    ~HostThreads();
    HostThreads(const HostThreads&) = delete;
    HostThreads& operator=(const HostThreads&) = delete;

    /// Runs the call on the thread and waits for it. Throws what it throws.
    void run(ThreadId thread, const std::function<void()>& call);

  private:
    class Worker;
    std::function<void()> enter_;
    std::map<ThreadId, std::unique_ptr<Worker>> workers_;
};

}  // namespace highwater::gpu
