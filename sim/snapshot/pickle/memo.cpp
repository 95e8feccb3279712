#include "sim/snapshot/pickle/memo.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace highwater::pickle {
namespace {

// A place is a tag and a number below it; 0 is an empty one.
constexpr unsigned kTagShift = 28;
constexpr std::uint32_t kMostNumbers = 1U << kTagShift;
enum Tag : std::uint32_t { kUnused, kString, kFrame, kStack, kOpen, kEmptyList, kRecord, kOther };

constexpr std::uint64_t kLargestGap = 1U << 20U;
constexpr std::uint64_t kMostPlaces = 1U << 27U;
constexpr std::size_t kMostOthers = 1U << 24U;

constexpr std::size_t kPage = 1U << 12U;
constexpr std::size_t kFewValues = 16;
// Left as they are: keys and most frames stand in them, and are named again all the time.
constexpr std::size_t kFirstPages = 64;
constexpr std::size_t kWord = 64;

Tag tag_of(const Value& value) {
    switch (value.kind) {
        case Value::Kind::kString:
            return kString;
        case Value::Kind::kFrame:
            return kFrame;
        case Value::Kind::kStack:
            return kStack;
        case Value::Kind::kOpen:
            return kOpen;
        case Value::Kind::kEmptyList:
            return kEmptyList;
        default:
            return is_run(value.kind) ? kRecord : kOther;
    }
}

Value::Kind kind_of(std::uint32_t tag) {
    switch (tag) {
        case kString:
            return Value::Kind::kString;
        case kFrame:
            return Value::Kind::kFrame;
        case kStack:
            return Value::Kind::kStack;
        case kOpen:
            return Value::Kind::kOpen;
        default:
            return Value::Kind::kEmptyList;
    }
}

}  // namespace

std::uint32_t Memo::packed(const Value& value, const Origin& origin) {
    Tag tag = tag_of(value);
    std::uint64_t number = tag == kRecord ? 0 : static_cast<std::uint64_t>(value.bits);
    if (tag == kOther || number >= kMostNumbers) {
        if (others_.size() == kMostOthers) {
            refuse(origin, "more values to be named again than a snapshot has");
        }
        tag = kOther;
        number = others_.size();
        others_.push_back(value);
    }
    return (static_cast<std::uint32_t>(tag) << kTagShift) | static_cast<std::uint32_t>(number);
}

// The page has been left behind. Long histories repeat a few values: that of all events, and what
// each of them says anew.
void Memo::Page::shorten() {
    if (places.size() == kPage && !shorten_to_codes()) {
        shorten_to_others();
    }
}

bool Memo::Page::shorten_to_codes() {
    std::vector<std::uint32_t> values;
    std::vector<std::uint8_t> found(kPage);
    for (std::size_t i = 0; i < kPage; ++i) {
        const auto at = std::ranges::find(values, places[i]);
        if (at == values.end() && values.size() == kFewValues) {
            return false;
        }
        found[i] = static_cast<std::uint8_t>(at - values.begin());
        if (at == values.end()) {
            values.push_back(places[i]);
        }
    }
    if (values.size() > 1) {
        codes = std::move(found);
    }
    places = {values.begin(), values.end()};
    return true;
}

// Call stacks stand between the events that have them.
void Memo::Page::shorten_to_others() {
    constexpr std::uint32_t kAnyRecord = std::uint32_t{kRecord} << kTagShift;
    const auto records = static_cast<std::size_t>(std::ranges::count(places, kAnyRecord));
    if (records < kPage / 4) {
        return;
    }
    std::vector<std::uint32_t> values{kAnyRecord};
    values.reserve(1 + kPage - records);
    others.resize(kPage / kWord);
    for (std::size_t i = 0; i < kPage; ++i) {
        if (i % kWord == 0) {
            before.push_back(static_cast<std::uint16_t>(values.size()));
        }
        if (places[i] != kAnyRecord) {
            others[i / kWord] |= std::uint64_t{1} << (i % kWord);
            values.push_back(places[i]);
        }
    }
    places = std::move(values);
}

void Memo::Page::set(std::size_t i, std::uint32_t place) {
    if (places.size() < kPage) {
        std::vector<std::uint32_t> all(kPage);
        for (std::size_t each = 0; each < kPage && !places.empty(); ++each) {
            all[each] = get(each);
        }
        *this = {};
        places = std::move(all);
    }
    places[i] = place;
}

std::uint32_t Memo::Page::get(std::size_t i) const {
    if (places.size() == kPage) {
        return places[i];
    }
    if (places.empty()) {
        return kUnused;
    }
    if (others.empty()) {
        return places[codes.empty() ? 0 : codes[i]];
    }
    const std::uint64_t word = others[i / kWord];
    const std::uint64_t bit = std::uint64_t{1} << (i % kWord);
    const auto rank = static_cast<std::size_t>(std::popcount(word & (bit - 1)));
    return places[(word & bit) == 0 ? 0 : before[i / kWord] + rank];
}

void Memo::put(std::uint64_t key, const Value& value, const Origin& origin) {
    const std::uint64_t most = pages_.size() * kPage;
    if (key >= std::min(most + kLargestGap, kMostPlaces)) {
        refuse(
            origin,
            fmt::format("a value is to be kept as number {}, far above the {} in use", key, used_));
    }
    const std::size_t number = key / kPage;
    if (number >= pages_.size()) {
        pages_.resize(number + 1);
        // Not the last one: what is still open in it is put again as soon as it is complete.
        if (number >= kFirstPages + 2) {
            pages_[number - 2].shorten();
        }
    }
    Page& page = pages_[number];
    used_ += page.get(key % kPage) == kUnused ? 1U : 0U;
    page.set(key % kPage, packed(value, origin));
}

Value Memo::get(std::uint64_t key, const Origin& origin) const {
    const std::size_t page = key / kPage;
    const std::uint32_t place = page < pages_.size() ? pages_[page].get(key % kPage) : kUnused;
    if (place == kUnused) {
        refuse(origin, fmt::format("value number {} is named before it is there", key));
    }
    const std::uint32_t tag = place >> kTagShift;
    const std::uint32_t number = place & (kMostNumbers - 1);
    if (tag == kRecord) {
        refuse(origin, "an event, block, segment or annotation stands in two places");
    }
    return tag == kOther ? others_[number] : Value{kind_of(tag), 0, 0, number};
}

}  // namespace highwater::pickle
