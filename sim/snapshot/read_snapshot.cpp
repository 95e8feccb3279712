#include "sim/snapshot/read_snapshot.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/snapshot/json_trace.hpp"
#include "sim/snapshot/read_pickle.hpp"

namespace highwater {
namespace {

std::ifstream opened(const std::string& path) {
    std::error_code ignored;
    errno = std::filesystem::is_directory(path, ignored) ? EISDIR : 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream || errno != 0) {
        throw InputError({path},
                         fmt::format("cannot be opened: {}", std::strerror(errno)),
                         "check the path and its permissions");
    }
    return stream;
}

}  // namespace

SnapshotFormat format_of(const std::string& path) {
    constexpr int kGzip = 0x1f;
    std::ifstream stream = opened(path);
    const int first = stream.get();
    if (first == std::ifstream::traits_type::eof()) {
        throw InputError(
            {path}, "the file is empty", "give a file of torch.cuda.memory._dump_snapshot");
    }
    return first == '{' || first == kGzip ? SnapshotFormat::kJson : SnapshotFormat::kPickle;
}

Snapshot read_snapshot(const std::string& path,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device) {
    if (format.value_or(format_of(path)) == SnapshotFormat::kPickle) {
        std::ifstream stream = opened(path);
        return read_pickle(stream, path, {device});
    }
    if (device.value_or(0) != 0) {
        throw InputError({path}, "a history in JSON is of one device", "leave `--device` out");
    }
    return read_json_trace(path);
}

}  // namespace highwater
