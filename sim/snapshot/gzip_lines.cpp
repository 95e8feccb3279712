#include "sim/snapshot/gzip_lines.hpp"

#include <cerrno>
#include <cstring>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 18U;
constexpr std::size_t kLongestLine = std::size_t{1} << 28U;

}  // namespace

GzipLines::GzipLines(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (!file_) {
        throw InputError({path},
                         std::string("cannot be opened: ") + std::strerror(errno),
                         "check the path and its permissions");
    }
}

bool GzipLines::refill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > kLongestLine) {
        throw InputError({path_, line_number_ + 1},
                         "the line is longer than 256 MiB",
                         "give a file of JSON lines, one program a line");
    }
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + kStep);
    const int got = gzread(file_.get(), buffer_.data() + kept, static_cast<unsigned>(kStep));
    int code = Z_OK;
    const char* message = gzerror(file_.get(), &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
        throw InputError({path_, line_number_ + 1},
                         std::string("cannot be read: ") + message,
                         "the file is cut short or damaged; copy it again");
    }
    buffer_.resize(kept + static_cast<std::size_t>(got));
    return got > 0;
}

std::optional<std::string> GzipLines::next() {
    std::size_t searched = begin_;
    std::size_t end = buffer_.find('\n', searched);
    while (end == std::string::npos) {
        searched = buffer_.size() - begin_;
        if (!refill()) {
            end = buffer_.size();
            break;
        }
        end = buffer_.find('\n', searched);
    }
    if (end == buffer_.size() && begin_ == end) {
        return std::nullopt;
    }
    std::string line = buffer_.substr(begin_, end - begin_);
    begin_ = std::min(end + 1, buffer_.size());
    ++line_number_;
    return line;
}

}  // namespace highwater
