#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// Pickles made opcode by opcode, well formed or not; none of the code under test is in them.
class RawPickle {
  public:
    RawPickle& op(std::string_view bytes) {
        bytes_ += bytes;
        return *this;
    }
    RawPickle& text(std::string_view text) {
        op("X").little(text.size(), 4);
        return op(text);
    }
    /// Of 64 bits and a sign.
    RawPickle& number(std::int64_t number) {
        op("\x8a\x08").little(static_cast<std::uint64_t>(number), 8);
        return *this;
    }
    RawPickle& little(std::uint64_t number, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            bytes_ += static_cast<char>(number >> (8 * i));
        }
        return *this;
    }
    RawPickle& begin_dict() { return op("}("); }
    RawPickle& end_dict() { return op("u"); }
    RawPickle& begin_list() { return op("]("); }
    RawPickle& end_list() { return op("e"); }
    RawPickle& entry(std::string_view key, std::int64_t value) { return text(key).number(value); }
    RawPickle& entry(std::string_view key, std::string_view value) { return text(key).text(value); }

    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

}  // namespace highwater
