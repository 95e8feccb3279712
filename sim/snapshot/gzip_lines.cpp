#include "sim/snapshot/gzip_lines.hpp"

#include <algorithm>

#include <zlib.h>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 18U;
constexpr std::size_t kLongestLine = std::size_t{1} << 28U;
constexpr std::string_view kGzip = "\x1f\x8b";

}  // namespace

/// What a gzip-compressed file holds: one member or several.
class Inflated {
  public:
    explicit Inflated(std::istream& packed) : packed_(packed), input_(kStep) {
        constexpr int kGzipOnly = MAX_WBITS + 16;
        check(inflateInit2(&state_, kGzipOnly) == Z_OK, "zlib has memory for its state");
    }
    ~Inflated() { inflateEnd(&state_); }
    Inflated(const Inflated&) = delete;
    Inflated& operator=(const Inflated&) = delete;

    /// Up to `size` bytes, 0 at the end. None if the file is damaged, or ends too early.
    std::optional<std::size_t> read(char* to, std::size_t size) {
        state_.next_out = reinterpret_cast<Bytef*>(to);  // NOLINT(*-reinterpret-cast): zlib's type.
        state_.avail_out = static_cast<uInt>(size);
        while (state_.avail_out > 0 && (state_.avail_in > 0 || get_more())) {
            if (is_at_member_end_) {
                inflateReset(&state_);
            }
            const int code = inflate(&state_, Z_NO_FLUSH);
            is_at_member_end_ = code == Z_STREAM_END;
            if (code != Z_OK && !is_at_member_end_) {
                return std::nullopt;
            }
        }
        const std::size_t got = size - state_.avail_out;
        return got > 0 || is_at_member_end_ ? std::optional(got) : std::nullopt;
    }

  private:
    bool get_more() {
        packed_.read(input_.data(), static_cast<std::streamsize>(input_.size()));
        state_.next_in = reinterpret_cast<Bytef*>(input_.data());  // NOLINT(*-reinterpret-cast)
        state_.avail_in = static_cast<uInt>(packed_.gcount());
        return state_.avail_in > 0;
    }

    std::istream& packed_;
    std::vector<char> input_;
    z_stream state_{};
    bool is_at_member_end_ = false;
};

GzipLines::GzipLines(const std::string& path)
    : opened_(std::make_unique<InputFile>(path)), file_(*opened_) {
    if (file_.beginning().starts_with(kGzip)) {
        inflated_ = std::make_unique<Inflated>(file_.stream());
    }
}

GzipLines::GzipLines(InputFile& file) : file_(file) {
    if (file_.beginning().starts_with(kGzip)) {
        inflated_ = std::make_unique<Inflated>(file_.stream());
    }
}

GzipLines::~GzipLines() = default;

bool GzipLines::refill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > kLongestLine) {
        throw InputError({file_.name(), line_number_ + 1},
                         "the line is longer than 256 MiB",
                         "give a file of JSON lines, one program a line");
    }
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + kStep);
    std::optional<std::size_t> got;
    if (inflated_) {
        got = inflated_->read(buffer_.data() + kept, kStep);
    } else {
        file_.stream().read(buffer_.data() + kept, static_cast<std::streamsize>(kStep));
        got = static_cast<std::size_t>(file_.stream().gcount());
    }
    if (!got) {
        throw InputError({file_.name(), line_number_ + 1},
                         "cannot be read: what is packed ends early or is damaged",
                         "copy the file again");
    }
    buffer_.resize(kept + *got);
    return *got > 0;
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
