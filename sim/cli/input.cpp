#include "sim/cli/input.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// The first word that is not in a comment says so.
bool is_program_text(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    text = without_byte_order_mark(text);
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
        if (!text.starts_with('#')) {
            return text.starts_with("highwater-program");
        }
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
}

// Of a scenario one byte too many is enough to know that it is too long; a Program may be long.
std::string text_of(std::istream& stream) {
    std::string text(kMaxFileBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (is_program_text(text)) {
        text.append(std::istreambuf_iterator<char>(stream), {});
    }
    return text;
}

std::string text_at(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::error_code ignored;
    if (!stream || std::filesystem::is_directory(path, ignored)) {
        return read_scenario_file(path);  // It says what is wrong.
    }
    return text_of(stream);
}

}  // namespace

Input read_input(const std::string& path) {
    const bool is_standard = path == "-";
    Input input{is_standard ? "standard input" : path, "", false};
    input.text = is_standard ? text_of(std::cin) : text_at(path);
    input.is_program = is_program_text(input.text);
    return input;
}

void require_parameters(const Input& input, const std::string& option, bool is_given) {
    if (input.is_program && is_given) {
        throw InputError(
            {input.name}, "a Program has no parameters", fmt::format("leave out `{}`", option));
    }
}

void add_max_operations(CLI::App& command, std::size_t& most) {
    constexpr std::size_t kMost = 1'000'000'000;
    command
        .add_option("--max-operations",
                    most,
                    fmt::format("Refuse a program of more operations (now {})", most))
        ->check(CLI::Range(std::size_t{1}, kMost));
}

std::vector<Override> parse_overrides(const std::vector<std::string>& set) {
    std::vector<Override> overrides;
    for (const std::string& each : set) {
        Override made = parse_override(each);
        for (const Override& other : overrides) {
            if (other.name == made.name) {
                throw InputError({"--set"},
                                 fmt::format("`{}` is set twice", highwater::quoted(made.name)),
                                 "give it one value");
            }
        }
        overrides.push_back(std::move(made));
    }
    return overrides;
}

}  // namespace highwater
