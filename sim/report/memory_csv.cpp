#include "sim/report/memory_csv.hpp"

#include "sim/report/csv.hpp"

namespace highwater {

std::string memory_csv(const Ledger& ledger) {
    std::string text = csv_line({"time_ns", "allocated_bytes", "active_bytes", "reserved_bytes"});
    for (const MemoryAt& row : ledger.memory) {
        text += csv_line({std::to_string(nanoseconds_of(row.time)),
                          std::to_string(row.allocated.count),
                          std::to_string(row.active.count),
                          std::to_string(row.reserved.count)});
    }
    return text;
}

}  // namespace highwater
