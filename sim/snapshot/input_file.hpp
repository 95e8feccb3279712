#pragma once

#include <fstream>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// A file that is opened once and read from its beginning to its end, which may be a pipe. Its
/// first bytes can be looked at before.
class InputFile {
  public:
    /// "-" is standard input. Throws `InputError` if there is nothing to be read at `path`.
    explicit InputFile(const std::string& path);

    /// For messages.
    const std::string& name() const { return name_; }
    /// Up to 64 bytes, or all.
    std::string_view beginning() const { return beginning_; }
    /// From the first byte on.
    std::istream& stream() { return stream_; }

  private:
    // The first bytes again, then what follows.
    class Whole : public std::streambuf {
      public:
        void begin_with(std::string& beginning, std::streambuf& rest);

      protected:
        int_type underflow() override;

      private:
        std::streambuf* rest_ = nullptr;
        std::vector<char> buffer_;
    };

    std::string name_;
    std::ifstream file_;
    std::string beginning_;
    Whole whole_;
    std::istream stream_;
};

}  // namespace highwater
