#include "sim/snapshot/history_streams.hpp"

#include <charconv>

#include <fmt/format.h>

namespace highwater {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
    constexpr int kDecimal = 10;
    constexpr int kHexadecimal = 16;
    const bool is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_hexadecimal ? 2 : 0);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(
        text.data(), text.data() + text.size(), number, is_hexadecimal ? kHexadecimal : kDecimal);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size();
    return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace

HistoryStreams::HistoryStreams(const Snapshot& snapshot) {
    add(StreamHandle{0});
    for (const SnapshotEvent& event : snapshot.events) {
        if (event.action != SnapshotEvent::Action::kSnapshot &&
            event.action != SnapshotEvent::Action::kAnnotation) {
            add(event.stream);
        }
    }
    for (const SnapshotSegment& segment : snapshot.segments) {
        add(segment.stream);
    }
}

void HistoryStreams::add(StreamHandle handle) {
    if (!handles_.empty() && handles_.back() == handle) {
        return;
    }
    const StreamId next{static_cast<std::uint32_t>(handles_.size())};
    if (ids_.try_emplace(handle, next).second) {
        handles_.push_back(handle);
    }
}

std::string HistoryStreams::name_of(StreamId id) const {
    return id == kDefaultStream ? "default" : fmt::format("s{}", index_of(id));
}

std::optional<StreamId> HistoryStreams::find(std::string_view text) const {
    if (text == "default") {
        return kDefaultStream;
    }
    if (text.starts_with('s')) {
        const auto number = number_in(text.substr(1));
        return number && *number > 0 && *number < size()
                   ? std::optional(StreamId{static_cast<std::uint32_t>(*number)})
                   : std::nullopt;
    }
    const auto handle = number_in(text);
    const auto known = handle ? ids_.find(StreamHandle{*handle}) : ids_.end();
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace highwater
