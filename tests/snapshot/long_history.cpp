#include "tests/snapshot/long_history.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace highwater {

using std::string_literals::operator""s;

namespace {

// What every event has comes first, then the frames: that is what the memo numbers them by.
constexpr std::array<const char*, 10> kTexts{"action",
                                             "addr",
                                             "size",
                                             "stream",
                                             "time_us",
                                             "frames",
                                             "alloc",
                                             "free_requested",
                                             "free_completed",
                                             "compile_context"};
// The oldest of as many blocks as there are places, but one, is freed.
constexpr std::uint64_t kPlaces = 64;
constexpr std::uint64_t kPlaceBytes = 512;
constexpr std::int64_t kBegin = 0x7F0000000000;
constexpr std::int64_t kSegmentBytes = 2097152;
constexpr std::uint64_t kFrames = 1000;
constexpr std::uint64_t kStacks = 5000;
// Events are added 999 at once.
constexpr std::uint64_t kRoundsAtOnce = 333;

std::string named(std::string_view text) {
    const auto* const place = std::find(kTexts.begin(), kTexts.end(), text);
    return RawPickle()
        .op("h")
        .little(static_cast<std::uint64_t>(place - kTexts.begin()), 1)
        .bytes();
}

}  // namespace

LongHistory::int_type LongHistory::underflow() {
    bytes_.clear();
    if (!has_begun_) {
        has_begun_ = true;
        write_begin();
    } else if (done_ < rounds_) {
        write_rounds();
    } else if (!has_ended_) {
        has_ended_ = true;
        write_end();
    } else {
        return traits_type::eof();
    }
    size_ += bytes_.size();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + bytes_.size());
    return traits_type::to_int_type(bytes_.front());
}

void LongHistory::memoize() {
    bytes_ += pickler_ == Pickler::kPython ? "\x94" : RawPickle().op("r").little(memo_, 4).bytes();
    ++memo_;
}

// Python writes no more bytes than it takes.
std::string LongHistory::number(std::int64_t number) const {
    if (pickler_ == Pickler::kTorch) {
        return RawPickle().number(number).bytes();
    }
    int size = 1;
    while (number >> (8 * size - 1) != 0) {
        ++size;
    }
    const auto bits = static_cast<std::uint64_t>(number);
    return RawPickle()
        .op("\x8a")
        .little(static_cast<std::uint64_t>(size), 1)
        .little(bits, size)
        .bytes();
}

void LongHistory::write_begin() {
    bytes_ += pickler_ == Pickler::kPython ? "\x80\x04}(" : "\x80\x02}(";
    bytes_ += RawPickle().text("known").op("](").bytes();
    for (const char* const text : kTexts) {
        bytes_ += RawPickle().text(text).bytes();
        memoize();
    }
    for (std::uint64_t i = 0; i < kFrames; ++i) {
        RawPickle frame;
        frame.begin_dict().entry("name", "function_" + std::to_string(i));
        frame.entry("filename", "file.cpp").entry("line", static_cast<std::int64_t>(i)).end_dict();
        bytes_ += frame.bytes();
        memoize();
    }
    bytes_ += "e";
    bytes_ += RawPickle().text("segments").op("](").bytes();
    write_segment();
    bytes_ += RawPickle().op("e").text("device_traces").op("](](").bytes();
}

void LongHistory::write_segment() {
    const auto active = static_cast<std::int64_t>((kPlaces - 1) * kPlaceBytes);
    RawPickle segment;
    segment.begin_dict().entry("address", kBegin).entry("total_size", kSegmentBytes);
    segment.entry("allocated_size", active).entry("active_size", active);
    segment.entry("requested_size", active).entry("stream", 0).entry("device", 0);
    segment.entry("segment_type", "small").text("segment_pool_id").op("K\0"s).op("K\0\x86"s);
    segment.text("is_expandable").op("\x89").text("blocks").begin_list();
    bytes_ += segment.bytes();
    // The last round freed the block behind its own.
    const std::uint64_t hole = rounds_ % kPlaces;
    for (std::uint64_t place = 0; place < kPlaces; ++place) {
        if (place != hole || hole < kPlaces - 1) {
            write_block(place, kPlaceBytes, place == hole);
        }
    }
    const std::uint64_t rest = hole < kPlaces - 1 ? kPlaces : kPlaces - 1;
    write_block(rest, kSegmentBytes - rest * kPlaceBytes, true);
    bytes_ += "eu";
}

void LongHistory::write_block(std::uint64_t place, std::uint64_t size, bool is_free) {
    RawPickle block;
    block.begin_dict().entry("address", kBegin + static_cast<std::int64_t>(place * kPlaceBytes));
    block.entry("size", static_cast<std::int64_t>(size));
    block.entry("requested_size", static_cast<std::int64_t>(kPlaceBytes));
    block.entry("state", is_free ? "inactive" : "active_allocated").end_dict();
    bytes_ += block.bytes();
}

void LongHistory::write_stack(std::uint64_t round) {
    const bool is_python = pickler_ == Pickler::kPython;
    bytes_ += "]";
    stack_ = memo_;
    if (is_python) {
        memoize();
    }
    RawPickle frames;
    frames.op("(");
    for (int i = 0; i < events_.frames_a_stack; ++i) {
        const std::uint64_t frame = (round % kStacks) * 7 + static_cast<std::uint64_t>(i) * 31;
        frames.op("j").little(kTexts.size() + frame % kFrames, 4);
    }
    bytes_ += frames.op("e").bytes();
    if (!is_python) {
        memoize();
    }
}

void LongHistory::write_frames(std::uint64_t round, bool is_first) {
    if (is_first) {
        write_stack(round);
    } else {
        bytes_ += RawPickle().op("j").little(stack_, 4).bytes();
    }
}

void LongHistory::write_event(const char* action, std::uint64_t round, bool is_first) {
    bytes_ += "}";
    if (pickler_ == Pickler::kPython) {
        memoize();
    }
    RawPickle event;
    event.op("(").op(named("action")).op(named(action));
    event.op(named("addr"));
    const std::uint64_t place = (round + (is_first ? 0 : 1)) % kPlaces;
    event.op(number(kBegin + static_cast<std::int64_t>(place * kPlaceBytes)));
    event.op(named("size")).op("M").little(512, 2).op(named("stream")).op("K").little(0, 1);
    event.op(named("time_us")).op(number(1795972060251182 + static_cast<std::int64_t>(round)));
    bytes_ += event.bytes();
    if (events_.has_contexts) {
        bytes_ += named("compile_context") + "\x8c\x03N/A";
        memoize();
    }
    if (events_.frames_a_stack > 0) {
        bytes_ += named("frames");
        write_frames(round, is_first);
    }
    bytes_ += "u";
}

void LongHistory::write_rounds() {
    const std::uint64_t end = std::min(rounds_, done_ + kRoundsAtOnce);
    for (; done_ < end; ++done_) {
        write_event("alloc", done_, true);
        write_event("free_requested", done_, false);
        write_event("free_completed", done_, false);
    }
    if (pickler_ == Pickler::kPython && done_ < rounds_) {
        bytes_ += "e(";
    }
}

void LongHistory::write_end() {
    bytes_ += "eeu.";
}

}  // namespace highwater
