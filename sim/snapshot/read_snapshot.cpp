#include "sim/snapshot/read_snapshot.hpp"

#include "sim/core/error.hpp"
#include "sim/snapshot/json_trace.hpp"
#include "sim/snapshot/other_files.hpp"
#include "sim/snapshot/read_pickle.hpp"

namespace highwater {

SnapshotFormat format_of(const InputFile& file) {
    constexpr char kGzip = 0x1f;
    const std::string_view begin = file.beginning();
    if (begin.empty()) {
        throw InputError(
            {file.name()}, "the file is empty", "give a file of torch.cuda.memory._dump_snapshot");
    }
    refuse_others(file);
    return begin[0] == '{' || begin[0] == kGzip ? SnapshotFormat::kJson : SnapshotFormat::kPickle;
}

Snapshot read_snapshot(InputFile& file,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device) {
    if (format.value_or(format_of(file)) == SnapshotFormat::kPickle) {
        return read_pickle(file.stream(), file.name(), {device});
    }
    if (device.value_or(0) != 0) {
        throw InputError(
            {file.name()}, "a history in JSON is of one device", "leave `--device` out");
    }
    return read_json_trace(file);
}

Snapshot read_snapshot(const std::string& path,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device) {
    InputFile file(path);
    return read_snapshot(file, format, device);
}

}  // namespace highwater
