#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// A scenario, or the text of a Program that stands in for one: `--program` wrote it, or a person.
struct Input {
    /// For messages.
    std::string name;
    std::string text;
    bool is_program = false;
};

/// From the file at `path`; "-" is standard input. Throws `InputError`.
Input read_input(const std::string& path);

/// Throws `InputError` if a Program is given the option, which is for parameters.
void require_parameters(const Input& input, const std::string& option, bool is_given);

/// The words of `--set`. Throws `InputError` if one parameter is set twice.
std::vector<Override> parse_overrides(const std::vector<std::string>& set);

/// The option `--max-operations`.
void add_max_operations(CLI::App& command, std::size_t& most);

}  // namespace highwater
