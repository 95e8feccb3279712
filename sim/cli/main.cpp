#include <csignal>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"

int main(int argc, char* argv[]) {
    // A reader that closes the pipe, such as `head`, shows as a failed write instead.
    std::signal(SIGPIPE, SIG_IGN);
    return highwater::run_command_line(
        std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
