#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshot/hash_index.hpp"

namespace highwater::pickle {

/// The strings of a file, each kept once and numbered. The `Word`s come first, in their order.
class Strings {
  public:
    Strings();

    std::uint32_t add(std::string_view text);
    /// Valid until the next one is added.
    std::string_view text(std::uint32_t number) const;

  private:
    // One after the other, and where each ends.
    std::string texts_;
    std::vector<std::size_t> ends_;
    HashIndex index_;
};

}  // namespace highwater::pickle
