#include "sim/snapshot/json_trace.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/snapshot/check_snapshot.hpp"
#include "sim/snapshot/gzip_lines.hpp"

namespace highwater {
namespace {

using nlohmann::json;

// What a value is wrong in; where it stands is added outside.
class BadValue : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

const json& item(const json& list, std::size_t i) {
    if (!list.is_array() || i >= list.size()) {
        throw BadValue(fmt::format("a list of at least {} values should stand here", i + 1));
    }
    return list[i];
}

std::uint64_t number_of(const json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= kMostBytes.count) {
        throw BadValue("a whole number from 0 up, below 2^62, should stand here");
    }
    return value.get<std::uint64_t>();
}

// Handles are pointers: any 64 bits.
StreamHandle stream_of(const json& value) {
    if (!value.is_number_unsigned()) {
        throw BadValue("a stream handle, a whole number from 0 up, should stand here");
    }
    return StreamHandle{value.get<std::uint64_t>()};
}

const std::string& text_of(const json& value) {
    if (!value.is_string()) {
        throw BadValue(fmt::format("a {} stands where a text should", value.type_name()));
    }
    return value.get_ref<const std::string&>();
}

PoolId pool_of(const json& value) {
    return {number_of(item(value, 0)), number_of(item(value, 1))};
}

PoolKind kind_of(const json& value) {
    const std::string& text = text_of(value);
    if (text != "small" && text != "large") {
        throw BadValue(R"("small" or "large" should stand here)");
    }
    return text == "small" ? PoolKind::kSmall : PoolKind::kLarge;
}

BlockState state_of(const json& value) {
    const std::string& text = text_of(value);
    for (const BlockState state :
         {BlockState::kInactive, BlockState::kActiveAllocated, BlockState::kActivePendingFree}) {
        if (text == name_of(state)) {
            return state;
        }
    }
    throw BadValue(
        "a block's state should stand here: inactive, active_allocated or "
        "active_pending_free");
}

std::vector<SnapshotBlock> blocks_of(const json& list, Address address) {
    if (!list.is_array()) {
        throw BadValue("a list of blocks should stand here");
    }
    std::vector<SnapshotBlock> blocks;
    for (const json& each : list) {
        SnapshotBlock block;
        block.address = address;
        block.size = Bytes{number_of(item(each, 0))};
        block.requested = Bytes{number_of(item(each, 1))};
        block.state = state_of(item(each, 2));
        address.value += block.size.count;
        blocks.push_back(block);
    }
    return blocks;
}

SnapshotSegment segment_of(const json& row) {
    constexpr std::size_t kPool = 4;
    constexpr std::size_t kExpandable = 5;
    constexpr std::size_t kBlocks = 6;
    SnapshotSegment segment;
    segment.address = Address{number_of(item(row, 0))};
    segment.size = Bytes{number_of(item(row, 1))};
    segment.stream = stream_of(item(row, 2));
    segment.kind = kind_of(item(row, 3));
    segment.pool = pool_of(item(row, kPool));
    if (!item(row, kExpandable).is_boolean()) {
        throw BadValue("true or false, for expandable, should stand here");
    }
    segment.is_expandable = row[kExpandable].get<bool>();
    segment.blocks = blocks_of(item(row, kBlocks), segment.address);
    return segment;
}

SnapshotEvent event_of(const json& row) {
    constexpr std::size_t kStream = 3;
    constexpr std::size_t kPool = 4;
    const auto kind = kind_of_letter(text_of(item(row, 0)));
    if (!kind) {
        throw BadValue("one of the letters a, q, c, S, F, M, U, O should stand first");
    }
    SnapshotEvent event;
    event.action = action_of(*kind);
    event.address = Address{number_of(item(row, 1))};
    event.size = Bytes{number_of(item(row, 2))};
    event.stream = stream_of(item(row, kStream));
    if (row.size() > kPool) {
        event.pool = pool_of(row[kPool]);
    }
    return event;
}

// Takes the elements of the long lists as they come, so that the whole file never stands in memory
// as JSON.
class Reader {
  public:
    explicit Reader(Snapshot& into) : into_(into) {}

    bool operator()(int depth, json::parse_event_t what, json& parsed) {
        constexpr int kDeepest = 8;
        if (depth > kDeepest) {
            throw BadValue("lists within lists, more than 8 deep");
        }
        if (what == json::parse_event_t::key && depth == 1) {
            key_ = parsed.get<std::string>();
            count_ = 0;
            has_segments_ |= key_ == "segments";
            has_trace_ |= key_ == "trace";
            if (key_ == "base") {
                into_.base.emplace();
            }
        }
        if (what == json::parse_event_t::value && depth == 1 && key_ == "conf") {
            into_.settings.conf = text_of(parsed);
        }
        const bool is_list = what == json::parse_event_t::array_end;
        if (is_list && depth == 2) {
            return !take(parsed);
        }
        const bool is_row = depth == 2 && (what == json::parse_event_t::value ||
                                           what == json::parse_event_t::object_end);
        if (is_row && (key_ == "trace" || key_ == "segments" || key_ == "base")) {
            throw BadValue("a list should stand here");
        }
        return true;
    }

    void finish() const {
        if (!has_segments_ || !has_trace_) {
            throw BadValue("the keys `trace` and `segments` are needed");
        }
    }

    /// Which element of which list was read last.
    std::string place() const { return key_.empty() ? "" : fmt::format("{}[{}]: ", key_, count_); }

  private:
    bool take(const json& row) {
        if (key_ == "trace") {
            into_.events.push_back(event_of(row));
        } else if (key_ == "segments") {
            into_.segments.push_back(segment_of(row));
        } else if (key_ == "base") {
            into_.base->push_back(segment_of(row));
        } else {
            return false;
        }
        ++count_;
        return true;
    }

    Snapshot& into_;
    std::string key_;
    std::size_t count_ = 0;
    bool has_segments_ = false;
    bool has_trace_ = false;
};

void parse_into(Snapshot& snapshot, const SourcePlace& place, const std::string& text) {
    constexpr const char* kRemedy =
        "give one line of JSON as sim/snapshot/README.md describes, or a file of "
        "torch.cuda.memory._dump_snapshot, with gunzip first if it is packed";
    Reader reader(snapshot);
    try {
        const json rest = json::parse(text, std::ref(reader));
        if (!rest.is_object()) {
            throw BadValue("an object should stand here");
        }
        reader.finish();
    } catch (const json::exception&) {
        throw InputError(place, reader.place() + "not JSON", kRemedy);
    } catch (const BadValue& error) {
        throw InputError(place, reader.place() + error.what(), kRemedy);
    }
}

}  // namespace

std::optional<TraceEvent::Kind> kind_of_letter(std::string_view letter) {
    constexpr std::string_view kLetters = "aqcSFMUO";  // in the order of TraceEvent::Kind
    const auto index = kLetters.find(letter);
    return letter.size() == 1 && index != std::string_view::npos
               ? std::optional(static_cast<TraceEvent::Kind>(index))
               : std::nullopt;
}

Snapshot read_json_trace(const std::string& path) {
    InputFile file(path);
    return read_json_trace(file);
}

Snapshot read_json_trace(InputFile& file) {
    const std::string& path = file.name();
    GzipLines lines(file);
    const auto line = lines.next();
    if (!line) {
        throw InputError({path}, "the file is empty", "give a memory history");
    }
    Snapshot snapshot;
    snapshot.name = path;
    parse_into(snapshot, {path, 1}, *line);
    if (lines.next()) {
        throw InputError(
            {path, 2}, "a second history follows", "give a file of one history, on one line");
    }
    for (std::string& oddity : check_snapshot(snapshot)) {
        snapshot.notices.push_back(std::move(oddity));
    }
    return snapshot;
}

}  // namespace highwater
