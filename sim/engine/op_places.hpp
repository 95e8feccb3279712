#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// Where each operation of a Program was written. A Program may have tens of millions of them, in
/// one file or a few: a place takes 12 bytes.
class OpPlaces {
  public:
    std::size_t size() const { return places_.size(); }

    void push_back(const SourcePlace& place) {
        // Neighbours mostly come from the same file.
        if (files_.empty() || files_[file_] != place.file) {
            file_ = find_or_add(place.file);
        }
        places_.push_back({static_cast<std::uint32_t>(file_),
                           static_cast<std::uint32_t>(place.line),
                           static_cast<std::uint32_t>(place.column)});
    }

    SourcePlace operator[](std::size_t index) const {
        const Place& place = places_.at(index);
        return {files_[place.file], place.line, place.column};
    }

    std::vector<SourcePlace> all() const {
        std::vector<SourcePlace> all;
        for (std::size_t i = 0; i < size(); ++i) {
            all.push_back((*this)[i]);
        }
        return all;
    }

  private:
    struct Place {
        std::uint32_t file = 0;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };

    std::size_t find_or_add(const std::string& file) {
        for (std::size_t i = 0; i < files_.size(); ++i) {
            if (files_[i] == file) {
                return i;
            }
        }
        files_.push_back(file);
        return files_.size() - 1;
    }

    std::vector<std::string> files_;
    std::size_t file_ = 0;
    std::vector<Place> places_;
};

}  // namespace highwater
