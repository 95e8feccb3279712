#include "sim/snapshot/added_workspaces.hpp"

#include <algorithm>

#include "sim/snapshot/merged_workspaces.hpp"

namespace highwater {
namespace {

using Kind = Request::Kind;

class Adding {
  public:
    Adding(const RecordedHistory& recorded,
           const std::vector<FoundCapture>& captures,
           const StreamMap& streams)
        : recorded_(recorded),
          captures_(captures),
          streams_(streams),
          made_at_(start_allocations(recorded.history)) {
        on_stream_.resize(recorded.streams.size() + streams.added.size());
        for (std::size_t i = 0; i < recorded.requests.size(); ++i) {
            if (recorded.requests[i].kind == Kind::kAlloc) {
                made_at_.push_back(i);
                on_stream_[index_of(streams.of_request[i])].push_back(i);
            }
        }
        next_ = static_cast<std::uint32_t>(made_at_.size());
    }

    std::vector<AddedWorkspace> all() {
        for (const CublasWorkspace& each : workspaces_found(recorded_)) {
            add_for_parts(each);
        }
        return std::move(added_);
    }

  private:
    bool is_at_start(const CublasWorkspace& workspace) const {
        return index_of(workspace.id) < start_allocations(recorded_.history);
    }

    StreamId stream_of(const CublasWorkspace& workspace) const {
        return is_at_start(workspace) ? streams_.at_start[index_of(workspace.stream)]
                                      : streams_.of_request[made_at_[index_of(workspace.id)]];
    }

    void add_for_parts(const CublasWorkspace& workspace) {
        bool is_split = false;
        for (std::size_t i = 0; i < streams_.added.size(); ++i) {
            const AddedStream& part = streams_.added[i];
            if (part.from == workspace.stream && part.works_alike) {
                is_split = true;
                const std::size_t number = recorded_.streams.size() + i;
                add(workspace, StreamId{static_cast<std::uint32_t>(number)}, part.capture);
            }
        }
        if (is_split) {
            add(workspace, workspace.stream, std::nullopt);
        }
    }

    void add(const CublasWorkspace& workspace, StreamId part, std::optional<std::size_t> capture) {
        if (part == stream_of(workspace)) {
            return;
        }
        AddedWorkspace made{AllocationId{next_}, part, workspace.size, {}, kNoRegion, 0};
        if (is_at_start(workspace) && !capture) {
            made.start_region = workspace.start_region;
        } else if (!place(made, workspace)) {
            return;
        }
        ++next_;
        added_.push_back(made);
    }

    // False if the stream does nothing after the recorded one was made.
    bool place(AddedWorkspace& made, const CublasWorkspace& workspace) const {
        const bool is_late = !is_at_start(workspace);
        const std::size_t came = is_late ? made_at_[index_of(workspace.id)] : 0;
        const std::vector<std::size_t>& there = on_stream_[index_of(made.stream)];
        const auto next = std::ranges::lower_bound(there, is_late ? came + 1 : 0);
        if (next == there.end()) {
            return false;
        }
        const std::size_t into = is_late ? came - first_of_work(came) : 1;
        made.pool_of = *next;
        made.before = std::min(*next + into, end_of_capture(*next));
        return true;
    }

    // Of the allocations in a row that went to the same stream.
    std::size_t first_of_work(std::size_t i) const {
        std::size_t first = i;
        for (std::size_t before = i; before-- > 0;) {
            if (recorded_.requests[before].kind == Kind::kAlloc) {
                if (streams_.of_request[before] != streams_.of_request[i]) {
                    break;
                }
                first = before;
            }
        }
        return first;
    }

    std::size_t end_of_capture(std::size_t i) const {
        const auto in = std::ranges::find_if(captures_, [i](const FoundCapture& capture) {
            return capture.first <= i && i < capture.end;
        });
        return in == captures_.end() ? recorded_.requests.size() : in->end;
    }

    const RecordedHistory& recorded_;
    const std::vector<FoundCapture>& captures_;
    const StreamMap& streams_;
    // By allocation; those of the start have no request.
    std::vector<std::size_t> made_at_;
    // By stream, as it is now: the allocations on it.
    std::vector<std::vector<std::size_t>> on_stream_;
    std::uint32_t next_ = 0;
    std::vector<AddedWorkspace> added_;
};

}  // namespace

std::vector<AddedWorkspace> added_workspaces(const RecordedHistory& recorded,
                                             const std::vector<FoundCapture>& captures,
                                             const StreamMap& streams) {
    // There would be no stream to add any to.
    return streams.added.empty() ? std::vector<AddedWorkspace>()
                                 : Adding(recorded, captures, streams).all();
}

}  // namespace highwater
