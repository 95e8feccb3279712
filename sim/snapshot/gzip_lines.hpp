#pragma once

#include <memory>
#include <optional>
#include <string>

#include <zlib.h>

namespace highwater {

/// The lines of a text file, gzip-compressed or plain.
class GzipLines {
  public:
    /// Throws `InputError` if the file cannot be opened.
    explicit GzipLines(const std::string& path);

    /// The next line without its end, or none after the last. Throws `InputError` if the file is
    /// damaged or a line is longer than 256 MiB.
    std::optional<std::string> next();

    /// The number of the line read last, from 1.
    std::size_t line_number() const { return line_number_; }

  private:
    bool refill();

    struct Closer {
        void operator()(gzFile_s* file) const { gzclose(file); }
    };
    std::string path_;
    std::unique_ptr<gzFile_s, Closer> file_;
    std::string buffer_;
    std::size_t begin_ = 0;
    std::size_t line_number_ = 0;
};

}  // namespace highwater
