#include "gpu/isolated.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/refused_error.hpp"
#include "sim/core/error.hpp"

namespace highwater::gpu {
namespace {

using How = Ended::How;
using Clock = std::chrono::steady_clock;

// A word for how it ended, and the parts, each behind its length.
std::string packed(How how, const std::vector<std::string>& parts) {
    std::string text(1, static_cast<char>('0' + static_cast<int>(how)));
    for (const std::string& part : parts) {
        text += fmt::format("{}\n", part.size());
        text += part;
    }
    return text;
}

std::vector<std::string> unpacked(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t line = text.find('\n');
        const std::size_t size = std::stoull(std::string(text.substr(0, line)));
        parts.emplace_back(text.substr(line + 1, size));
        text.remove_prefix(line + 1 + size);
    }
    return parts;
}

std::string outcome_of(const std::function<std::vector<std::string>()>& call) {
    try {
        return packed(How::kDone, call());
    } catch (const InputError& error) {
        return packed(How::kBadInput, {error.what()});
    } catch (const std::exception& error) {
        return packed(How::kNoMeasurement, {error.what()});
    }
}

// Leaves without destructors: a context that failed may hang in them.
[[noreturn]] void be_the_child(int pipe, const std::function<std::vector<std::string>()>& call) {
    const std::string outcome = outcome_of(call);
    std::string_view rest = outcome;
    while (!rest.empty()) {
        const ssize_t written = write(pipe, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) {
            break;
        }
        rest.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    _exit(rest.empty() ? 0 : 1);
}

// False when the time is over.
bool read_all(int pipe, Clock::time_point end, std::string& text) {
    constexpr std::size_t kChunk = 65536;
    std::array<char, kChunk> chunk{};
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd waiting{pipe, POLLIN, 0};
        const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready == 0) {
            return false;
        }
        const ssize_t size = ready > 0 ? read(pipe, chunk.data(), chunk.size()) : -1;
        if (size == 0) {
            return true;
        }
        if (size > 0) {
            text.append(chunk.data(), static_cast<std::size_t>(size));
        } else if (errno != EINTR) {
            return true;
        }
    }
}

Ended ended(const std::string& text, int status) {
    if (WIFSIGNALED(status)) {
        return {How::kCrashed, {}, fmt::format("the run crashed: {}", strsignal(WTERMSIG(status)))};
    }
    if (text.empty() || WEXITSTATUS(status) != 0) {
        return {How::kCrashed, {}, "the run ended without a result"};
    }
    Ended result{static_cast<How>(text.front() - '0'), unpacked(text.substr(1)), {}};
    if (result.how != How::kDone) {
        result.reason = result.parts.front();
        result.parts.clear();
    }
    return result;
}

}  // namespace

Ended run_isolated(const std::function<std::vector<std::string>()>& call,
                   std::chrono::milliseconds limit) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        return {How::kNoMeasurement, {}, "no pipe could be made"};
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_the_child(ends[1], call);
    }
    close(ends[1]);
    std::string text;
    const bool in_time = child > 0 && read_all(ends[0], Clock::now() + limit, text);
    close(ends[0]);
    if (child < 0) {
        return {How::kNoMeasurement, {}, "no process could be started"};
    }
    if (!in_time) {
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!in_time) {
        return {How::kTimedOut,
                {},
                fmt::format("the run was not over after {} s", limit.count() / 1000)};
    }
    return ended(text, status);
}

}  // namespace highwater::gpu
