#include "sim/snapshot/read_pickle.hpp"

#include <string_view>
#include <utility>

#include "sim/snapshot/pickle/assemble.hpp"
#include "sim/snapshot/pickle/machine.hpp"

namespace highwater {

Snapshot read_pickle(std::istream& in, const std::string& name, const PickleOptions& options) {
    pickle::Records records;
    pickle::Value whole;
    {
        // Neither the buffer nor the memo is needed to put the snapshot together.
        pickle::ByteSource source(in, name);
        whole = pickle::Machine(source, records).run();
    }
    return pickle::assemble(std::move(records), whole, name, options);
}

bool looks_like_pickle(char first_byte) {
    // PROTO, or what a dict or list begins with in protocols 0 and 1. No JSON begins like this.
    constexpr std::string_view kFirst = "\x80(]}";
    return kFirst.find(first_byte) != std::string_view::npos;
}

}  // namespace highwater
