#include "tests/snapshot/snapshot_files.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/core/error.hpp"
#include "sim/snapshot/read_pickle.hpp"
#include "tests/support/catch.hpp"

namespace highwater {
namespace {

constexpr const char* kName = "x.pickle";

}  // namespace

std::string recorded_snapshot(const std::string& name) {
    std::ifstream in(HIGHWATER_SOURCE_DIR "/tests/recorded/snapshots/" + name, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

Snapshot read_bytes(const std::string& bytes) {
    std::istringstream in(bytes);
    return read_pickle(in, kName);
}

Snapshot read_bytes(const std::string& bytes, std::uint32_t device) {
    std::istringstream in(bytes);
    return read_pickle(in, kName, {device});
}

std::string error_of(const std::string& bytes) {
    try {
        read_bytes(bytes);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace highwater
