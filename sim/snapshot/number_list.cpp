#include "sim/snapshot/number_list.hpp"

#include <algorithm>

namespace highwater {

void NumberList::push_back(std::uint32_t number) {
    last_.push_back(number);
    if (last_.size() == kPiece) {
        pieces_.push_back(packed(last_));
        last_.clear();
    }
}

NumberList::Piece NumberList::packed(const std::vector<std::uint32_t>& numbers) {
    constexpr unsigned kByte = 8;
    std::uint32_t least = UINT32_MAX;
    std::uint32_t most = 0;
    for (const std::uint32_t number : numbers) {
        least = std::min(least, number + 1);
        most = std::max(most, number + 1);
    }
    const auto bits = static_cast<unsigned>(std::bit_width(most - least));
    Piece piece;
    piece.least = least;
    piece.width = (bits + kByte - 1) / kByte;
    piece.mask = static_cast<std::uint32_t>((std::uint64_t{1} << (kByte * piece.width)) - 1);
    // Every number is read as one of four bytes, the last as well.
    const std::size_t size = numbers.size() * piece.width + sizeof(std::uint32_t);
    const std::shared_ptr<std::uint8_t[]> bytes(
        new std::uint8_t[size]());  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint32_t above = numbers[i] + 1 - least;
        std::memcpy(bytes.get() + i * piece.width, &above, piece.width);
    }
    piece.bytes = bytes;
    return piece;
}

}  // namespace highwater
