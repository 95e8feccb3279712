#include "sim/snapshot/request_list.hpp"

#include "sim/core/check.hpp"

namespace highwater {

void RequestList::push_back(const Request& request) {
    check(request.end <= UINT32_MAX, "a history has fewer than 2^32 events");
    common_.push_back(number_of({.kind = request.kind,
                                 .waits = request.waits,
                                 .is_restored = request.is_restored,
                                 .is_inferred = request.is_inferred,
                                 .count = static_cast<std::uint32_t>(request.end - request.first),
                                 .stream = request.stream,
                                 .size = request.size}));
    allocation_.push_back(static_cast<std::uint32_t>(request.allocation));
    region_.push_back(static_cast<std::uint32_t>(request.region));
    first_.push_back(static_cast<std::uint32_t>(request.first));
}

// NOLINTNEXTLINE(readability-const-return-type)
const Request RequestList::operator[](std::size_t i) const {
    const Common& common = commons_[common_[i]];
    const std::size_t first = first_[i];
    return {.kind = common.kind,
            .waits = common.waits,
            .is_restored = common.is_restored,
            .is_inferred = common.is_inferred,
            .allocation = AllocationId{allocation_[i]},
            .size = common.size,
            .stream = common.stream,
            .region = RegionId{region_[i]},
            .first = first,
            .end = first + common.count};
}

// NOLINTNEXTLINE(readability-const-return-type)
const Request RequestList::at(std::size_t i) const {
    check(i < size(), "a request is one of its list");
    return (*this)[i];
}

std::uint32_t RequestList::number_of(const Common& common) {
    constexpr unsigned kShift = 8;
    const std::uint64_t flags =
        (common.waits ? 1U : 0U) | (common.is_restored ? 2U : 0U) | (common.is_inferred ? 4U : 0U);
    std::uint64_t hash = mixed(index_of(common.kind) << kShift | flags, common.count);
    hash = mixed(hash, static_cast<std::uint64_t>(common.stream));
    hash = mixed(hash, common.size.count);
    std::uint32_t number =
        common_index_.find(hash, [&](std::uint32_t known) { return commons_[known] == common; });
    if (number == HashIndex::kNone) {
        number = static_cast<std::uint32_t>(commons_.size());
        commons_.push_back(common);
        common_index_.add(hash, number);
    }
    return number;
}

}  // namespace highwater
