#pragma once

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/input_file.hpp"

namespace highwater {

class Inflated;

/// The lines of a text file, gzip-compressed or plain.
class GzipLines {
  public:
    /// Throws `InputError` if the file cannot be opened.
    explicit GzipLines(const std::string& path);
    /// Of a file that is open; it outlives the lines.
    explicit GzipLines(InputFile& file);
    ~GzipLines();
    GzipLines(const GzipLines&) = delete;
    GzipLines& operator=(const GzipLines&) = delete;

    /// The next line without its end, or none after the last. Throws `InputError` if the file is
    /// damaged or a line is longer than 256 MiB.
    std::optional<std::string> next();

    /// The number of the line read last, from 1.
    std::size_t line_number() const { return line_number_; }

  private:
    bool refill();

    std::unique_ptr<InputFile> opened_;
    InputFile& file_;
    /// None of a plain file.
    std::unique_ptr<Inflated> inflated_;
    std::string buffer_;
    std::size_t begin_ = 0;
    std::size_t line_number_ = 0;
};

}  // namespace highwater
