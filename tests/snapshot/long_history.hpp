#pragma once

#include <cstdint>
#include <streambuf>
#include <string>

#include "tests/support/raw_pickle.hpp"

namespace highwater {

/// A snapshot file that is made as it is read, as long as asked for: each round is an alloc, a
/// free_requested and a free_completed of the oldest block that share the alloc's call stack, if it
/// has one, all frames of which are named by the memo. 63 blocks are there before the first round,
/// and the file's segments are what the rounds lead to.
class LongHistory : public std::streambuf {
  public:
    /// Whose habits: Python (protocol 4) numbers every container and adds 1000 events at once;
    /// PyTorch's own pickler (protocol 2) numbers what is shared and puts all events on the stack
    /// at once.
    enum class Pickler { kPython, kTorch };

    struct Events {
        /// 0 where stacks were not recorded: the key is not there then.
        int frames_a_stack = 0;
        /// Each has a `compile_context` of its own, as since PyTorch 2.8.
        bool has_contexts = false;
    };

    LongHistory(Pickler pickler, std::uint64_t rounds, Events events)
        : pickler_(pickler), rounds_(rounds), events_(events) {}

    std::uint64_t size() const { return size_; }

  protected:
    int_type underflow() override;

  private:
    void write_begin();
    void write_rounds();
    void write_end();
    void write_segment();
    void write_block(std::uint64_t place, std::uint64_t size, bool is_free);
    void write_event(const char* action, std::uint64_t round, bool is_first);
    void write_stack(std::uint64_t round);
    void write_frames(std::uint64_t round, bool is_first);
    void memoize();
    std::string number(std::int64_t number) const;

    Pickler pickler_;
    std::uint64_t rounds_;
    Events events_;
    std::uint64_t done_ = 0;
    std::uint64_t memo_ = 0;
    std::uint64_t stack_ = 0;
    bool has_begun_ = false;
    bool has_ended_ = false;
    std::string bytes_;
    std::uint64_t size_ = 0;
};

}  // namespace highwater
