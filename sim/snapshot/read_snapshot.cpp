#include "sim/snapshot/read_snapshot.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

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

std::string beginning_of(const std::string& path) {
    constexpr std::streamsize kBegin = 64;
    std::string begin(static_cast<std::size_t>(kBegin), '\0');
    std::ifstream stream = opened(path);
    stream.read(begin.data(), kBegin);
    begin.resize(static_cast<std::size_t>(stream.gcount()));
    return begin;
}

// Both are JSON, but only a result begins with who wrote it.
bool begins_as_result(std::string_view begin) {
    return begin.starts_with('{') && begin.find("\"highwater\"") != std::string_view::npos;
}

void refuse_others(const std::string& path, std::string_view begin) {
    if (begins_as_result(begin)) {
        throw InputError(
            {path},
            "this is a result of highwater, and no memory history",
            "compare results with `highwater diff`, or write a history with `highwater "
            "run --snapshot`");
    }
    if (path.ends_with(".yaml") || path.ends_with(".yml")) {
        throw InputError({path},
                         "this is a scenario by its name, and no memory history",
                         "run it with `highwater run`");
    }
    if (begin.starts_with("PK")) {
        throw InputError({path},
                         "this is a zip archive, as torch.save writes, and no memory history",
                         "give a file of torch.cuda.memory._dump_snapshot, unpacked");
    }
}

}  // namespace

SnapshotFormat format_of(const std::string& path) {
    constexpr char kGzip = 0x1f;
    const std::string begin = beginning_of(path);
    if (begin.empty()) {
        throw InputError(
            {path}, "the file is empty", "give a file of torch.cuda.memory._dump_snapshot");
    }
    refuse_others(path, begin);
    return begin[0] == '{' || begin[0] == kGzip ? SnapshotFormat::kJson : SnapshotFormat::kPickle;
}

bool is_result(const std::string& path) {
    return begins_as_result(beginning_of(path));
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
