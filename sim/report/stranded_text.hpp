#pragma once

#include <string_view>
#include <vector>

#include "sim/allocator/stranded_bytes.hpp"

namespace highwater {

/// One reason and its bytes.
struct StrandedRow {
    StrandedReason reason{};
    /// In a few words, for people.
    std::string_view says;
    Bytes bytes;
};

/// The reasons that have any, in their order.
std::vector<StrandedRow> stranded_rows(const StrandedBytes& stranded);

/// The title of a reason's column.
std::string_view title_of(StrandedReason reason);

}  // namespace highwater
