#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::pickle {

/// A file's bytes, one after the other, through a buffer: what is held of the file does not depend
/// on how long it is, nor on how long it says that a part of it is. Throws `InputError` where it
/// ends early.
class ByteSource {
  public:
    ByteSource(std::istream& in, std::string name);

    const std::string& name() const { return name_; }
    /// Of the next byte.
    std::uint64_t offset() const { return before_ + at_; }

    /// The next number, least byte first.
    template <std::unsigned_integral Number>
    Number number() {
        if (end_ - at_ < sizeof(Number)) [[unlikely]] {
            fill(sizeof(Number));
        }
        Number result = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i) {
            result = static_cast<Number>(result | (static_cast<Number>(byte_at(i)) << (kByte * i)));
        }
        at_ += sizeof(Number);
        return result;
    }

    /// The next `size` bytes, valid until the next call. `size` is at most `kMostAtOnce`.
    std::string_view text(std::uint64_t size);
    /// Up to the end of the line, which is passed over; valid until the next call.
    std::string_view line();
    void skip(std::uint64_t size);

    static constexpr std::uint64_t kMostAtOnce = 1U << 20U;

  private:
    static constexpr unsigned kByte = 8;

    unsigned char byte_at(std::size_t i) const {
        return static_cast<unsigned char>(buffer_[at_ + i]);
    }
    // Gets at least `size` bytes into the buffer.
    void fill(std::size_t size);
    bool read_more();
    [[noreturn]] void fail_at_end() const;

    std::istream& in_;
    std::string name_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    // The file's bytes before the buffer.
    std::uint64_t before_ = 0;
};

}  // namespace highwater::pickle
