#include "gpu/isolated.hpp"

#include <algorithm>
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

struct Child {
    pid_t process = -1;
    int pipe = -1;
    std::string text;
    std::optional<Ended> ended{};
};

Child started(const IsolatedCall& call) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        return {.text = {}, .ended = Ended{How::kNoMeasurement, {}, "no pipe could be made"}};
    }
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        be_the_child(ends[1], call);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return {.text = {}, .ended = Ended{How::kNoMeasurement, {}, "no process could be started"}};
    }
    return {process, ends[0], {}};
}

int status_of(const Child& child) {
    close(child.pipe);
    int status = 0;
    waitpid(child.process, &status, 0);
    return status;
}

void read_some(Child& child) {
    constexpr std::size_t kChunk = 65536;
    std::array<char, kChunk> chunk{};
    const ssize_t size = read(child.pipe, chunk.data(), chunk.size());
    if (size > 0) {
        child.text.append(chunk.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
        child.ended = ended(child.text, status_of(child));
    }
}

// Until something comes from one of them, or the time is over.
void wait_for_any(std::vector<Child>& children, Clock::time_point end) {
    std::vector<pollfd> waiting;
    for (const Child& child : children) {
        // A negative one is passed over.
        waiting.push_back({child.ended ? -1 : child.pipe, POLLIN, 0});
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (poll(waiting.data(), waiting.size(), static_cast<int>(std::max<long>(left, 0))) <= 0) {
        return;
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (waiting[i].revents != 0) {
            read_some(children[i]);
        }
    }
}

bool is_any_open(const std::vector<Child>& children) {
    return std::ranges::any_of(children, [](const Child& child) { return !child.ended; });
}

std::optional<std::size_t> find_failed(const std::vector<Child>& children,
                                       const std::function<bool(const Ended&)>& is_failed) {
    for (std::size_t i = 0; i < children.size(); ++i) {
        const std::optional<Ended>& ended = children[i].ended;
        if (ended && (ended->how != How::kDone || is_failed(*ended))) {
            return i;
        }
    }
    return std::nullopt;
}

void stop(Child& child, How how, const std::string& reason) {
    kill(child.process, SIGKILL);
    static_cast<void>(status_of(child));
    child.ended = Ended{how, {}, reason};
}

}  // namespace

Ended run_isolated(const IsolatedCall& call, std::chrono::milliseconds limit) {
    return run_together({call}, limit, [](const Ended&) { return false; }).calls.front();
}

EndedTogether run_together(const std::vector<IsolatedCall>& calls,
                           std::chrono::milliseconds limit,
                           const std::function<bool(const Ended&)>& is_failed) {
    constexpr std::chrono::seconds kGrace{2};
    std::vector<Child> children;
    for (const IsolatedCall& call : calls) {
        children.push_back(started(call));
    }
    EndedTogether together;
    Clock::time_point end = Clock::now() + limit;
    while (is_any_open(children) && Clock::now() < end) {
        wait_for_any(children, end);
        if (!together.first_failed) {
            together.first_failed = find_failed(children, is_failed);
            end = together.first_failed ? std::min(end, Clock::now() + kGrace) : end;
        }
    }
    for (Child& child : children) {
        if (!child.ended && together.first_failed) {
            stop(child, How::kGivenUp, "another rank failed");
        } else if (!child.ended) {
            stop(child,
                 How::kTimedOut,
                 fmt::format("the run was not over after {} s", limit.count() / 1000));
        }
        together.calls.push_back(std::move(*child.ended));
    }
    return together;
}

}  // namespace highwater::gpu
