#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::pickle {

/// Where in a file something was found, for messages.
struct Origin {
    std::string_view file;
    /// Bytes from its begin.
    std::uint64_t byte = 0;
};

/// Throws `InputError`: the file is no snapshot, or not one that can be read.
[[noreturn]] void refuse(
    const Origin& origin,
    const std::string& problem,
    const std::string& remedy = "write it anew with torch.cuda.memory._dump_snapshot");

}  // namespace highwater::pickle
