#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/snapshot/pickle/value.hpp"

namespace highwater::pickle {

/// A list or dict that may get more items.
struct OpenContainer {
    static constexpr std::uint64_t kNoKey = UINT64_MAX;

    bool is_dict = false;
    /// It has been used: it is `result` from now on, and takes nothing more.
    bool is_settled = false;
    Value result;
    /// The memo's number for it.
    std::uint64_t memo_key = kNoKey;
    /// Of a dict, key and value in turns.
    std::vector<Value> items;

    /// Of a list. Events, blocks and the like that follow each other become one item.
    void add(const Value& item);
};

/// The lists and dicts that are being filled. Their places are used again.
class OpenContainers {
  public:
    std::uint32_t open(bool is_dict);
    void close(std::uint32_t number);
    std::size_t count() const { return all_.size() - unused_.size(); }
    OpenContainer& operator[](std::uint32_t number) { return all_[number]; }

  private:
    std::vector<OpenContainer> all_;
    std::vector<std::uint32_t> unused_;
};

}  // namespace highwater::pickle
