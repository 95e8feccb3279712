#include "gpu/notes.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "gpu/refused_error.hpp"

namespace highwater::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::microseconds kBetweenLooks{200};

fs::path path_of(const std::string& folder, const std::string& name) {
    return fs::path(folder) / name;
}

}  // namespace

// A file is there under its name once it is whole.
void leave_note(const std::string& folder, const std::string& name, const std::string& text) {
    const fs::path path = path_of(folder, name);
    const fs::path part = path.string() + ".part";
    std::ofstream file(part, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    if (file) {
        fs::rename(part, path, error);
    }
    if (!file || error) {
        throw NoMeasurement(
            fmt::format("{} cannot be written: ranks cannot tell each other what "
                        "they have to; name another folder with TMPDIR",
                        path.string()));
    }
}

std::string wait_for_note(const std::string& folder, const std::string& name) {
    const fs::path path = path_of(folder, name);
    std::error_code ignored;
    while (!fs::exists(path, ignored)) {
        std::this_thread::sleep_for(kBetweenLooks);
    }
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

NoteFolder::NoteFolder() {
    std::error_code ignored;
    path_ = (fs::temp_directory_path(ignored) / "highwater-ranks.XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) {
        throw NoMeasurement(
            fmt::format("{} cannot be made; name a folder that may be written with TMPDIR", path_));
    }
}

NoteFolder::~NoteFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace highwater::gpu
