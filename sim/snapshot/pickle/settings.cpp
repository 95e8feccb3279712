#include "sim/snapshot/pickle/settings.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "sim/snapshot/pickle/fields.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

// Slots for up to 1 MiB, 2 MiB, ... 32 GiB.
constexpr std::size_t kSlots = 16;

std::span<const Value> items_of(const Records& records, const Value& value) {
    return std::span(records.plain).subspan(value.first(), value.count);
}

std::optional<std::int64_t> signed_number(const Fields& fields, Word key) {
    const Value* const value = fields.find(key);
    if (value == nullptr || value->kind == Kind::kNone) {
        return std::nullopt;
    }
    if (value->kind == Kind::kHugeInt) {
        // Without a sign, no limit is the largest number there is.
        return -1;
    }
    if (value->kind != Kind::kInt) {
        fields.fail(key, "is not an integer");
    }
    return value->bits;
}

std::optional<double> real_number(const Fields& fields, Word key) {
    const Value* const value = fields.find(key);
    if (value == nullptr || value->kind == Kind::kNone) {
        return std::nullopt;
    }
    if (value->kind != Kind::kFloat && value->kind != Kind::kInt) {
        fields.fail(key, "is not a number");
    }
    return value->kind == Kind::kFloat ? value->real() : static_cast<double>(value->bits);
}

std::optional<bool> flag(const Fields& fields, Word key) {
    return fields.has(key) ? std::optional(fields.flag(key)) : std::nullopt;
}

std::optional<std::string> text(const Records& records, const Fields& fields, Word key) {
    if (!fields.has(key)) {
        return std::nullopt;
    }
    return std::string(records.strings.text(fields.string(key)));
}

// The slot that "1", "2", ... "32768" names; `kSlots` for anything else.
std::size_t slot_of(std::string_view boundary) {
    std::uint64_t mebibytes = 0;
    std::from_chars(boundary.data(), boundary.data() + boundary.size(), mebibytes);
    std::size_t slot = 0;
    while (slot < kSlots && (std::uint64_t{1} << slot) != mebibytes) {
        ++slot;
    }
    return slot;
}

std::optional<std::vector<std::int64_t>> divisions(const Records& records, const Fields& fields) {
    constexpr Word kKey = Word::kRoundupPower2Divisions;
    const Value* const value = fields.find(kKey);
    if (value == nullptr || value->kind == Kind::kNone) {
        return std::nullopt;
    }
    if (value->kind != Kind::kPlainDict) {
        fields.fail(kKey, "is no dict");
    }
    std::vector<std::int64_t> result(kSlots);
    const std::span<const Value> items = items_of(records, *value);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const bool is_text = items[i].kind == Kind::kString;
        const std::size_t slot =
            is_text ? slot_of(records.strings.text(items[i].number())) : kSlots;
        if (slot == kSlots || items[i + 1].kind != Kind::kInt) {
            fields.fail(kKey, "has an entry that is none of its 16");
        }
        result[slot] = items[i + 1].bits;
    }
    return result;
}

}  // namespace

SnapshotSettings settings_from(const Records& records, const Value* dict, const Origin& origin) {
    SnapshotSettings settings;
    if (dict == nullptr || dict->kind == Kind::kNone) {
        return settings;
    }
    if (dict->kind != Kind::kPlainDict) {
        refuse(origin, "`allocator_settings` is no dict");
    }
    const Fields fields(records, items_of(records, *dict), "the settings", origin);
    settings.conf = text(records, fields, Word::kCudaAllocConf);
    if (!settings.conf) {
        settings.conf = text(records, fields, Word::kAllocConf);
    }
    settings.max_split_size = signed_number(fields, Word::kMaxSplitSize);
    settings.garbage_collection_threshold = real_number(fields, Word::kGarbageCollectionThreshold);
    settings.expandable_segments = flag(fields, Word::kExpandableSegments);
    settings.graph_capture_record_stream_reuse = flag(fields, Word::kGraphCaptureRecordStreamReuse);
    settings.release_lock_on_cudamalloc = flag(fields, Word::kReleaseLockOnCudaMalloc);
    settings.pinned_num_register_threads = signed_number(fields, Word::kPinnedNumRegisterThreads);
    settings.pinned_use_cuda_host_register = flag(fields, Word::kPinnedUseCudaHostRegister);
    settings.roundup_power2_divisions = divisions(records, fields);
    return settings;
}

}  // namespace highwater::pickle
