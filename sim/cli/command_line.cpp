#include "sim/cli/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr const char* kName = "highwater";

constexpr const char* kProgramExample =
    "Example:\n"
    "  highwater run scenarios/aux_streams.yaml --set mode=shared\n\n"
    "`highwater COMMAND --help`, or `highwater help COMMAND`, explains a command, with an example.";

void add_commands(CLI::App& program, Action& chosen) {
    program.set_version_flag("--version", fmt::format("{} {}", kName, version()));
    program.footer(kProgramExample);
    program.require_subcommand(1);
    add_run(program, chosen);
    add_check(program, chosen);
    add_replay(program, chosen);
    add_conform(program, chosen);
    add_validate(program, chosen);
    add_diff(program, chosen);
    add_plan(program, chosen);
}

InputError usage_error(const std::string& problem, const std::string& remedy) {
    return {{kName}, problem, remedy};
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({})) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_lnames().empty()) {
            names.push_back("--" + option->get_lnames().front());
        }
    }
    return names;
}

// CLI11 would only say that a command is missing.
void require_known_command(const CLI::App& program, const std::vector<std::string>& words) {
    const std::vector<std::string> names = command_names(program);
    if (words.empty()) {
        throw usage_error("there is no command", suggestion("", {}, "see `highwater --help`"));
    }
    const std::string& first = words.front();
    if (!first.starts_with('-') && std::find(names.begin(), names.end(), first) == names.end()) {
        throw usage_error(fmt::format("`{}` is no command", highwater::quoted(first)),
                          suggestion(first, names, ""));
    }
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

InputError extra_word(const CLI::App& program) {
    const CLI::App& command = *program.get_subcommands().front();
    const std::string word = command.remaining().empty() ? "" : command.remaining().front();
    const std::string help = fmt::format("see `{} {} --help`", kName, command.get_name());
    if (!word.starts_with('-')) {
        return usage_error(
            fmt::format(
                "`{}` is one word too many for `{}`", highwater::quoted(word), command.get_name()),
            help);
    }
    return usage_error(
        fmt::format("`{}` is no option of `{}`", highwater::quoted(word), command.get_name()),
        suggestion(word.substr(0, word.find('=')), option_names(command), help));
}

InputError parse_error(const CLI::App& program, const CLI::ParseError& error) {
    const auto commands = program.get_subcommands();
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (is_extra && !commands.empty()) {
        return extra_word(program);
    }
    const std::string command = commands.empty() ? "" : commands.front()->get_name() + " ";
    return usage_error(one_line(error.what()), fmt::format("see `{} {}--help`", kName, command));
}

// `help`, `help run`: other words for `--help`, `run --help`.
std::vector<std::string> without_help_command(std::vector<std::string> words) {
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    return words;
}

/// No action if the words ask for a text only, which is printed.
Action action_of(const std::vector<std::string>& words) {
    CLI::App program("Predicts the GPU memory that PyTorch programs take.", kName);
    Action chosen;
    add_commands(program, chosen);
    require_known_command(program, words);
    try {
        // CLI11 takes them from the back.
        program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        print(program.help());
        return {};
    } catch (const CLI::CallForVersion& request) {
        print(std::string(request.what()) + '\n');
        return {};
    } catch (const CLI::ParseError& error) {
        throw parse_error(program, error);
    }
    return chosen;
}

int fail(const std::string& line) {
    std::fputs((line + '\n').c_str(), stderr);
    return kBadInput;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words) {
    try {
        const Action action = action_of(without_help_command(words));
        const int status = action ? action() : kDone;
        finish_printing();
        return status;
    } catch (const InputError& error) {
        return fail(error.what());
    } catch (const std::bad_alloc&) {
        return fail("highwater: error: this machine has too little memory for it; make it smaller");
    } catch (const std::exception& error) {
        return fail(fmt::format("highwater: error: {}; please report it", printable(error.what())));
    }
}

}  // namespace highwater
