#include "gpu/host_threads.hpp"

#include <exception>
#include <utility>

namespace highwater::gpu {

class HostThreads::Worker {
  public:
    explicit Worker(std::function<void()> enter) {
        thread_ = std::thread([this, enter = std::move(enter)] { serve(enter); });
    }
    ~Worker() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void run(const std::function<void()>& call) {
        std::unique_lock lock(mutex_);
        call_ = &call;
        changed_.notify_all();
        changed_.wait(lock, [this] { return call_ == nullptr; });
        if (error_) {
            std::rethrow_exception(std::exchange(error_, nullptr));
        }
    }

  private:
    void serve(const std::function<void()>& enter) {
        bool has_entered = false;
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return is_over_ || call_ != nullptr; });
            if (is_over_) {
                return;
            }
            try {
                if (!std::exchange(has_entered, true)) {
                    enter();
                }
                (*call_)();
            } catch (...) {
                error_ = std::current_exception();
            }
            call_ = nullptr;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* call_ = nullptr;
    std::exception_ptr error_;
    bool is_over_ = false;
    std::thread thread_;
};

HostThreads::HostThreads(std::function<void()> enter) : enter_(std::move(enter)) {
    enter_();
}

HostThreads::~HostThreads() = default;

void HostThreads::run(ThreadId thread, const std::function<void()>& call) {
    if (thread == kMainThread) {
        call();
        return;
    }
    std::unique_ptr<Worker>& worker = workers_[thread];
    if (!worker) {
        worker = std::make_unique<Worker>(enter_);
    }
    worker->run(call);
}

}  // namespace highwater::gpu
