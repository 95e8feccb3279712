#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace highwater {

/// Of a file, plain or gzip-compressed. Throws `InputError`, with the remedy where it is not JSON.
nlohmann::ordered_json json_in_file(const std::string& path, const std::string& remedy);

}  // namespace highwater
