#include "sim/report/stranded_text.hpp"

#include <array>
#include <cstddef>

namespace highwater {
namespace {

struct ReasonWords {
    std::string_view title;
    std::string_view says;
};

// In the order of `StrandedReason`.
constexpr std::array<ReasonWords, kStrandedReasons> kReasonWords{{
    {"other pool", "it belongs to another pool"},
    {"other stream", "it belongs to another stream"},
    {"small/large", "it is in the small pool, the request in the large, or the other way round"},
    {"waiting", "it was freed, and waits for other streams"},
    {"parked", "it was freed, and waits until no capture is under way"},
    {"too small", "its blocks are smaller than the request"},
    {"max split size", "max_split_size_mb keeps it for larger requests, or these off it"},
    {"not expandable", "it is expandable, and expandable segments are off"},
    {"grown from", "it serves, once pages are mapped behind it"},
}};

}  // namespace

std::vector<StrandedRow> stranded_rows(const StrandedBytes& stranded) {
    std::vector<StrandedRow> rows;
    for (std::size_t i = 0; i < kStrandedReasons; ++i) {
        if (stranded.by_reason.at(i) > Bytes{}) {
            rows.push_back({static_cast<StrandedReason>(i),
                            kReasonWords.at(i).says,
                            stranded.by_reason.at(i)});
        }
    }
    return rows;
}

std::string_view title_of(StrandedReason reason) {
    return kReasonWords.at(index_of(reason)).title;
}

}  // namespace highwater
