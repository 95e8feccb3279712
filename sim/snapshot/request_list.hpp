#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/snapshot/hash_index.hpp"
#include "sim/snapshot/list_iterator.hpp"
#include "sim/snapshot/number_list.hpp"
#include "sim/snapshot/request.hpp"

namespace highwater {

/// The requests of a history, in 5 to 16 bytes each; as `EventList`, what many have in common is
/// kept once, they come out as values, and none can be changed in its place. Copies share nearly
/// all.
class RequestList {
  public:
    using Iterator = ListIterator<RequestList, Request>;

    void push_back(const Request& request);

    std::size_t size() const { return common_.size(); }
    bool empty() const { return size() == 0; }
    /// Const, so that nobody sets a part of the copy.
    // NOLINTNEXTLINE(readability-const-return-type)
    const Request operator[](std::size_t i) const;
    /// The same, of a place that must be there.
    // NOLINTNEXTLINE(readability-const-return-type)
    const Request at(std::size_t i) const;
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

  private:
    struct Common {
        Request::Kind kind{};
        bool waits = false;
        bool is_restored = false;
        bool is_inferred = false;
        /// Events.
        std::uint32_t count = 0;
        StreamHandle stream{};
        Bytes size;
        friend bool operator==(const Common&, const Common&) = default;
    };

    std::uint32_t number_of(const Common& common);

    // By request.
    NumberList common_;
    NumberList allocation_;
    NumberList region_;
    NumberList first_;
    std::vector<Common> commons_;
    HashIndex common_index_;
};

}  // namespace highwater
