// For libFuzzer: whatever the bytes, reading them as a snapshot gives one or throws InputError, and
// what was read is read again from what is written of it.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"
#include "sim/snapshot/read_pickle.hpp"
#include "sim/snapshot/write_pickle.hpp"

namespace highwater {
namespace {

Snapshot read_bytes(const std::string& bytes) {
    std::istringstream in(bytes);
    return read_pickle(in, "fuzz.pickle");
}

void read_and_write(const std::string& bytes) {
    try {
        const std::string written = to_pickle(read_bytes(bytes));
        check(to_pickle(read_bytes(written)) == written, "what is written is read as it was");
    } catch (const InputError&) {
        return;
    }
}

}  // namespace
}  // namespace highwater

// The name that libFuzzer looks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,  // NOLINT
                                      std::size_t size) {
    highwater::read_and_write({reinterpret_cast<const char*>(data), size});
    return 0;
}
