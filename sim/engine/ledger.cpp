#include "sim/engine/ledger.hpp"

namespace highwater {
namespace {

Bytes sum_of(const Ledger& ledger, Bytes DriverTerm::*figure) {
    Bytes sum;
    if (ledger.driver) {
        for (const DriverTerm& term : *ledger.driver) {
            sum += term.*figure;
        }
    }
    return sum;
}

}  // namespace

Bytes driver_total(const Ledger& ledger) {
    return sum_of(ledger, &DriverTerm::bytes);
}

Bytes driver_error(const Ledger& ledger) {
    return sum_of(ledger, &DriverTerm::error);
}

}  // namespace highwater
