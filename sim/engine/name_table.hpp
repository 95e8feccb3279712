#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/engine/text_cursor.hpp"

namespace highwater {

/// The names of one kind, in the order in which a text declares them.
class TextNameTable {
  public:
    /// `kind` is the word for it: "tensor". It outlives the table.
    explicit TextNameTable(std::string_view kind) : kind_(kind) {}

    /// The next word becomes a name. Throws `InputError` if it is one already.
    void declare(TextCursor& line);
    /// The index of the name that the next word is. Throws `InputError` if it is none.
    std::size_t find(TextCursor& line) const;

    std::string_view kind() const { return kind_; }
    std::vector<std::string> take();

  private:
    std::string_view kind_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace highwater
