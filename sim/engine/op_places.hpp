#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// Where each operation of a Program was written, and what it was called there. A Program may have
/// tens of millions of them, in one file or a few: a place takes 12 bytes.
class OpPlaces {
  public:
    std::size_t size() const { return places_.size(); }

    /// `label` is what a scenario calls the work, `attend`; empty where it has no name.
    void push_back(const SourcePlace& place, const std::string& label = {}) {
        // Neighbours mostly come from the same file.
        if (files_.empty() || files_[file_] != place.file) {
            file_ = find_or_add(place.file);
        }
        places_.push_back({static_cast<std::uint16_t>(file_),
                           label_number(label),
                           static_cast<std::uint32_t>(place.line),
                           static_cast<std::uint32_t>(place.column)});
    }

    SourcePlace operator[](std::size_t index) const {
        const Place& place = places_.at(index);
        return {files_[place.file], place.line, place.column};
    }

    const std::string& label(std::size_t index) const { return labels_[places_.at(index).label]; }

    std::vector<SourcePlace> all() const {
        std::vector<SourcePlace> all;
        for (std::size_t i = 0; i < size(); ++i) {
            all.push_back((*this)[i]);
        }
        return all;
    }

  private:
    struct Place {
        std::uint16_t file = 0;
        std::uint16_t label = 0;
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

    // Names beyond those that a number has room for are left out.
    std::uint16_t label_number(const std::string& label) {
        if (label.empty()) {
            return 0;
        }
        const auto found = label_numbers_.find(label);
        if (found != label_numbers_.end()) {
            return found->second;
        }
        if (labels_.size() > std::numeric_limits<std::uint16_t>::max()) {
            return 0;
        }
        const auto number = static_cast<std::uint16_t>(labels_.size());
        labels_.push_back(label);
        label_numbers_.emplace(label, number);
        return number;
    }

    std::vector<std::string> files_;
    std::size_t file_ = 0;
    /// The first is that of whatever has none.
    std::vector<std::string> labels_{std::string()};
    std::map<std::string, std::uint16_t> label_numbers_;
    std::vector<Place> places_;
};

}  // namespace highwater
