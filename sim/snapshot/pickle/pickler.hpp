#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::pickle {

/// Writes the values of a pickle one after the other, as Python does in protocol 4. The caller sees
/// to it that what it begins it ends.
class Pickler {
  public:
    /// A value by which the pickle can name it again.
    enum class Number : std::uint32_t {};

    Pickler();

    void integer(std::int64_t value);
    void real(double value);
    void boolean(bool value);
    /// The second time, by its number.
    void text(std::string_view value);
    void named(Number number);
    /// Of the two last values.
    void pair();

    void begin_dict();
    void end_dict();
    void begin_list();
    /// Before each item: the items of a list are added a thousand at a time.
    void next_item(std::size_t index);
    void end_list();
    /// Of the last value, from now on: after `text`, `end_dict` or `end_list`.
    Number number();

    /// The whole pickle.
    std::string finish() &&;

  private:
    void little(std::uint64_t value, unsigned bytes);

    std::string bytes_;
    std::uint32_t numbers_ = 0;
    std::map<std::string, Number, std::less<>> texts_;
};

}  // namespace highwater::pickle
