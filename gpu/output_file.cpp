#include "gpu/output_file.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/core/error.hpp"

namespace highwater::gpu {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& path) {
    throw InputError({option},
                     fmt::format("`{}` cannot be written", path),
                     "name a file in a folder that exists and that you may write");
}

}  // namespace

void write_file(const std::string& option, const std::string& path, const std::string& text) {
    if (path == "-") {
        std::fwrite(text.data(), 1, text.size(), stdout);
        return;
    }
    // Whole or not at all: what was there before stays until then.
    const std::string unfinished = path + ".unfinished";
    const bool is_file = !std::filesystem::exists(path) || std::filesystem::is_regular_file(path);
    std::ofstream file(is_file ? unfinished : path, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    if (file && is_file) {
        std::filesystem::rename(unfinished, path, error);
    }
    if (!file || error) {
        refuse(option, path);
    }
}

void require_writable(const std::string& option, const std::string& path) {
    if (path == "-") {
        return;
    }
    std::error_code ignored;
    const std::filesystem::path file(path);
    const bool exists = std::filesystem::exists(file, ignored);
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (std::filesystem::is_directory(file, ignored) ||
        access((exists ? file : folder).c_str(), W_OK) != 0) {
        refuse(option, path);
    }
}

}  // namespace highwater::gpu
