#include "sim/cli/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr const char* kStandardOutput = "-";

[[noreturn]] void fail(const std::string& path, int error) {
    throw InputError({path},
                     fmt::format("it cannot be written: {}", std::strerror(error)),
                     "name a file in a folder that exists and that you may write");
}

void check_printing(bool succeeded) {
    // EPIPE: the reader has gone.
    if (!succeeded && errno != EPIPE) {
        throw InputError({"standard output"},
                         fmt::format("it cannot be written: {}", std::strerror(errno)),
                         "send it to a place that is open and has room");
    }
}

// Where a path leads, links followed, so that a link stays one; whether or not it is there yet.
std::string without_links(const std::string& path) {
    constexpr int kMostLinks = 40;
    std::error_code error;
    auto target = std::filesystem::absolute(path, error);
    // `weakly_canonical` stops at a link to what is not there.
    for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(target, error); ++i) {
        target = target.parent_path() / std::filesystem::read_symlink(target, error);
    }
    target = std::filesystem::weakly_canonical(target, error);
    return error ? path : target.string();
}

/// A file under a name of its own, beside the one it is for; gone at the end unless renamed.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string path)
        : path_(std::move(path)),
          temporary_(without_links(path_) + ".XXXXXX"),
          file_(mkstemp(temporary_.data())) {
        if (file_ < 0) {
            fail(path_, errno);
        }
    }
    TemporaryFile(TemporaryFile&& other) noexcept
        : path_(std::move(other.path_)),
          temporary_(std::exchange(other.temporary_, "")),
          file_(std::exchange(other.file_, -1)) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    ~TemporaryFile() {
        close();
        if (!temporary_.empty()) {
            unlink(temporary_.c_str());
        }
    }

    void write(std::string_view text) {
        while (!text.empty()) {
            const ssize_t written = ::write(file_, text.data(), text.size());
            if (written < 0 && errno != EINTR) {
                fail(path_, errno);
            }
            text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
    }

    void complete() {
        set_mode();
        if (!close()) {
            fail(path_, errno);
        }
    }

    void rename_to_its_own() {
        if (std::rename(temporary_.c_str(), without_links(path_).c_str()) != 0) {
            fail(path_, errno);
        }
        temporary_.clear();
    }

  private:
    // As the shell would make it: mkstemp gives files to their owner alone.
    void set_mode() const {
        constexpr mode_t kAll = 0666;
        const mode_t mask = umask(0);
        umask(mask);
        if (fchmod(file_, kAll & ~mask) != 0) {
            fail(path_, errno);
        }
    }
    bool close() { return file_ < 0 || ::close(std::exchange(file_, -1)) == 0; }

    std::string path_;
    std::string temporary_;
    int file_;
};

// A device or a pipe is written to, never replaced.
bool is_replaceable(const std::string& path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    return status.type() == std::filesystem::file_type::not_found ||
           std::filesystem::is_regular_file(status);
}

void write_through(const std::string& path, const OutputFiles::Producer& produce) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        fail(path, errno);
    }
    int error = 0;
    produce([&](std::string_view text) {
        if (error == 0 && std::fwrite(text.data(), 1, text.size(), file) != text.size()) {
            error = errno;
        }
    });
    if (std::fclose(file) != 0 || error != 0) {
        fail(path, error != 0 ? error : errno);
    }
}

}  // namespace

void print(std::string_view text) {
    check_printing(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void finish_printing() {
    check_printing(std::fflush(stdout) == 0);
}

OutputFiles::OutputFiles(const std::string& input) : inputs_{without_links(input)} {}

void OutputFiles::protect(const std::string& path) {
    inputs_.push_back(without_links(path));
}

void OutputFiles::add(const std::string& option, const std::string& path, std::string text) {
    add(option, path, [text = std::move(text)](const auto& sink) { sink(text); });
}

void OutputFiles::add(const std::string& option, const std::string& path, Producer produce) {
    if (path != kStandardOutput &&
        std::ranges::find(inputs_, without_links(path)) != inputs_.end()) {
        throw InputError({option}, fmt::format("`{}` is what is read", path), "name another file");
    }
    for (const File& file : files_) {
        if (file.path == path || without_links(file.path) == without_links(path)) {
            throw InputError({option},
                             fmt::format("`{}` is where {} goes already", path, file.option),
                             "name another file");
        }
    }
    files_.push_back({option, path, std::move(produce)});
}

bool OutputFiles::uses_standard_output() const {
    for (const File& file : files_) {
        if (file.path == kStandardOutput) {
            return true;
        }
    }
    return false;
}

void OutputFiles::write() const {
    std::vector<TemporaryFile> complete;
    for (const File& file : files_) {
        if (file.path != kStandardOutput && is_replaceable(file.path)) {
            TemporaryFile& temporary = complete.emplace_back(file.path);
            file.produce([&](std::string_view text) { temporary.write(text); });
            temporary.complete();
        }
    }
    for (const File& file : files_) {
        if (file.path == kStandardOutput) {
            file.produce(print);
        } else if (!is_replaceable(file.path)) {
            write_through(file.path, file.produce);
        }
    }
    for (TemporaryFile& file : complete) {
        file.rename_to_its_own();
    }
}

}  // namespace highwater
