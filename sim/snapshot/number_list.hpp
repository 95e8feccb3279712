#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace highwater {

/// A long list of 32-bit numbers, kept in pieces: each number of a piece takes the bytes, 0 to 4,
/// that the piece's range needs. `UINT32_MAX`, which stands for none, counts as below 0. Copies
/// share the pieces that are full.
class NumberList {
  public:
    static constexpr unsigned kPieceShift = 16;
    static constexpr std::size_t kPiece = std::size_t{1} << kPieceShift;

    void push_back(std::uint32_t number);

    std::size_t size() const { return (pieces_.size() << kPieceShift) + last_.size(); }
    std::uint32_t operator[](std::size_t i) const {
        const std::size_t number = i >> kPieceShift;
        if (number == pieces_.size()) {
            return last_[i % kPiece];
        }
        const Piece& piece = pieces_[number];
        static_assert(std::endian::native == std::endian::little);
        std::uint32_t above = 0;
        std::memcpy(&above, piece.bytes.get() + i % kPiece * piece.width, sizeof(above));
        // Counted from below 0.
        return piece.least + (above & piece.mask) - 1;
    }

    /// A full piece, by its place, is not needed any more.
    void forget_piece(std::size_t piece) { pieces_[piece].bytes.reset(); }

  private:
    struct Piece {
        std::uint32_t least = 0;
        std::uint32_t mask = 0;
        std::uint32_t width = 0;
        // NOLINTNEXTLINE(modernize-avoid-c-arrays): shared, and of a size found as it is made.
        std::shared_ptr<const std::uint8_t[]> bytes;
    };

    static Piece packed(const std::vector<std::uint32_t>& numbers);

    std::vector<Piece> pieces_;
    /// What does not fill a piece yet.
    std::vector<std::uint32_t> last_;
};

}  // namespace highwater
