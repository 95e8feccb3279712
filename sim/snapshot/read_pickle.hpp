#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

struct PickleOptions {
    /// PyTorch's ordinal of the device to read. None: the only one that the file has anything of.
    std::optional<std::uint32_t> device;
};

/// A snapshot file of PyTorch 2.1 to 2.15 (`torch.cuda.memory._dump_snapshot`, its C++ pickler, or
/// pickled `memory_snapshot()`, a list of segments without a history): pickle protocols 0 to 5 of
/// plain data. Nothing in the file is ever run. It is read in one pass and held to
/// `check_snapshot`; segments come in the order of their addresses. Throws `InputError` for
/// anything that is no snapshot, with the byte it was found at, and for one of several devices of
/// which none is named.
Snapshot read_pickle(std::istream& in, const std::string& name, const PickleOptions& options = {});

/// Whether a file that begins like this may be a pickle, rather than text.
bool looks_like_pickle(char first_byte);

}  // namespace highwater
