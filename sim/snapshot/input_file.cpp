#include "sim/snapshot/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/core/error.hpp"

namespace highwater {

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : path), stream_(&whole_) {
    constexpr std::streamsize kBegin = 64;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw InputError({path}, "this is a folder", "name a file in it");
    }
    errno = 0;
    file_.open(path == "-" ? "/dev/stdin" : path, std::ios::binary);
    if (!file_) {
        throw InputError({path},
                         std::string("cannot be opened: ") + std::strerror(errno),
                         "check the path and its permissions");
    }
    beginning_.resize(static_cast<std::size_t>(kBegin));
    beginning_.resize(static_cast<std::size_t>(file_.rdbuf()->sgetn(beginning_.data(), kBegin)));
    whole_.begin_with(beginning_, *file_.rdbuf());
}

void InputFile::Whole::begin_with(std::string& beginning, std::streambuf& rest) {
    rest_ = &rest;
    setg(beginning.data(), beginning.data(), beginning.data() + beginning.size());
}

InputFile::Whole::int_type InputFile::Whole::underflow() {
    constexpr std::size_t kStep = std::size_t{1} << 18U;
    buffer_.resize(kStep);
    const std::streamsize got =
        rest_->sgetn(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_.front());
}

}  // namespace highwater
