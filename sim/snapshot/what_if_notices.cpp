#include "sim/snapshot/what_if_notices.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace highwater {
namespace {

using Kind = Request::Kind;

struct Counts {
    std::size_t failed = 0;
    std::size_t released = 0;
    std::size_t inferred = 0;
    std::size_t restored = 0;
    std::size_t waiting = 0;
};

Counts counts_of(const RequestList& requests) {
    Counts counts;
    for (const Request request : requests) {
        counts.failed += request.kind == Kind::kOutOfMemory ? 1U : 0U;
        counts.released += request.kind == Kind::kRelease ? 1U : 0U;
        counts.inferred += request.is_inferred ? 1U : 0U;
        counts.restored += request.is_restored ? 1U : 0U;
        counts.waiting += request.waits ? 1U : 0U;
    }
    return counts;
}

std::string times_text(std::size_t count) {
    return count == 1 ? std::string("once") : fmt::format("{} times", count);
}

class Notices {
  public:
    void add_if(bool holds, std::string text) {
        if (holds) {
            all.push_back(std::move(text));
        }
    }
    std::vector<std::string> all;
};

void note_start(Notices& notices, const LeftOut& left_out) {
    notices.add_if(
        left_out.free > Bytes{0},
        fmt::format("what lived at the start is allocated anew where the settings matter to it, "
                    "without the {} B that were free between: how a program came to its start "
                    "is not in the file, so trust the growth from there more than the sum. "
                    "Recorded from the program's first allocation on, what-ifs are exact",
                    left_out.free.count));
    notices.add_if(
        left_out.workspaces.count > 0,
        fmt::format("{} allocations of {} B together are taken for workspaces of cuBLAS and left "
                    "out: PyTorch keeps one for each thread and stream, so streams that become "
                    "one share theirs",
                    left_out.workspaces.count,
                    left_out.workspaces.bytes.count));
}

void note_requests(Notices& notices, const Counts& counts) {
    notices.add_if(
        counts.inferred > 0,
        fmt::format("the cache is taken to have been emptied {} as a capture began, as "
                    "torch.cuda.graph does: the file does not show it where nothing was given "
                    "back",
                    times_text(counts.inferred)));
    notices.add_if(counts.released > 0,
                   fmt::format("memory was given back {} by the allocator itself, to make room: "
                               "the what-if does so only where it must",
                               times_text(counts.released)));
    notices.add_if(
        counts.failed > 0,
        fmt::format("{} requests that failed for want of memory are left out: what the program "
                    "would have done with the memory is not in the file",
                    counts.failed));
    notices.add_if(
        counts.restored > 0,
        fmt::format("{} allocations that set pools back (cudagraph trees) are taken as ordinary "
                    "ones",
                    counts.restored));
}

}  // namespace

std::vector<std::string> what_if_notices(const Replay& replay,
                                         const LeftOut& left_out,
                                         const Changes& changes) {
    Notices notices;
    const Counts counts = counts_of(replay.recorded.requests);
    notices.add_if(replay.departure.has_value(),
                   "the replay is not exact, so neither is the what-if");
    note_start(notices, left_out);
    note_requests(notices, counts);
    notices.add_if(
        !changes.map_streams.empty() && counts.waiting > 0 && !changes.drop_record_stream,
        "frees wait for other streams as long as they did, also where those are one stream "
        "now; `--drop-record-stream` shows what that costs");
    return std::move(notices.all);
}

}  // namespace highwater
