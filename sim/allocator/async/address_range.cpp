#include "sim/allocator/async/address_range.hpp"

#include <algorithm>

namespace highwater {

std::optional<Address> AddressRange::follow(Address end, Bytes size) {
    if (begin_ <= end && end <= end_ && end_ - end >= size) {
        return end;
    }
    const Bytes range = round_up(std::max(size, profile_->address_range), profile_->page);
    const std::optional<Address> begin = device_->reserve(range + profile_->page);
    if (!begin) {
        return std::nullopt;
    }
    begin_ = align_up(*begin, profile_->page);
    end_ = begin_ + range;
    return begin_;
}

}  // namespace highwater
