#include "sim/snapshot/pickle/byte_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/snapshot/pickle/origin.hpp"

namespace highwater::pickle {

ByteSource::ByteSource(std::istream& in, std::string name)
    : in_(in), name_(std::move(name)), buffer_(2 * kMostAtOnce) {}

std::string_view ByteSource::text(std::uint64_t size) {
    if (end_ - at_ < size) {
        fill(size);
    }
    const std::string_view result(buffer_.data() + at_, size);
    at_ += size;
    return result;
}

std::string_view ByteSource::line() {
    std::size_t looked_at = 0;
    for (;;) {
        const char* const begin = buffer_.data() + at_;
        const char* const end = std::find(begin + looked_at, begin + (end_ - at_), '\n');
        const std::string_view result(begin, static_cast<std::size_t>(end - begin));
        if (result.size() < end_ - at_) {
            at_ += result.size() + 1;
            return result;
        }
        if (result.size() >= kMostAtOnce) {
            refuse({name_, offset()}, "a line of more than 1 MiB");
        }
        looked_at = result.size();
        fill(looked_at + 1);
    }
}

void ByteSource::skip(std::uint64_t size) {
    while (size > end_ - at_) {
        size -= end_ - at_;
        at_ = end_;
        fill(1);
    }
    at_ += size;
}

void ByteSource::fill(std::size_t size) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    before_ += at_;
    end_ -= at_;
    at_ = 0;
    while (end_ < size) {
        if (!read_more()) {
            fail_at_end();
        }
    }
}

bool ByteSource::read_more() {
    in_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
    end_ += static_cast<std::size_t>(in_.gcount());
    return in_.gcount() > 0;
}

void ByteSource::fail_at_end() const {
    if (before_ + end_ == 0) {
        refuse({name_, 0}, "the file is empty");
    }
    refuse({name_, before_ + end_},
           "the file ends here, in the middle of its data",
           "copy it again: it is not complete");
}

}  // namespace highwater::pickle
