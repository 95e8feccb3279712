#include "sim/snapshot/stream_map.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/snapshot/added_workspaces.hpp"
#include "sim/snapshot/frame_filter.hpp"

namespace highwater {
namespace {

StreamId id_of(std::size_t number) {
    return StreamId{static_cast<std::uint32_t>(number)};
}

// The stream with the most allocations, the first of equals.
StreamId busiest(const RecordedHistory& recorded) {
    std::vector<std::size_t> counts(recorded.streams.size());
    for (const Request request : recorded.requests) {
        if (request.kind == Request::Kind::kAlloc) {
            ++counts[index_of(recorded.streams.id_of(request.stream))];
        }
    }
    return id_of(static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin()));
}

std::vector<StreamId> each_its_own(const RecordedHistory& recorded) {
    std::vector<StreamId> streams;
    for (std::size_t i = 0; i < recorded.streams.size(); ++i) {
        streams.push_back(id_of(i));
    }
    return streams;
}

// The N of `turns:N`; none if the target is something else.
std::optional<std::string_view> turns_in(std::string_view target) {
    constexpr std::string_view kTurns = "turns:";
    return target.starts_with(kTurns) ? std::optional(target.substr(kTurns.size())) : std::nullopt;
}

class Rules {
  public:
    Rules(const Snapshot& snapshot,
          const RecordedHistory& recorded,
          const std::vector<FoundCapture>& captures,
          const std::string& option)
        : snapshot_(snapshot), recorded_(recorded), captures_(captures), option_(option) {
        map_.at_start = each_its_own(recorded);
        for (const Request request : recorded.requests) {
            map_.of_request.push_back(recorded.streams.id_of(request.stream));
        }
    }

    void apply(std::string_view rule) {
        const std::size_t equals = rule.find('=');
        if (equals == std::string_view::npos) {
            throw InputError({option_},
                             fmt::format("`{}` is no rule", rule),
                             "write WHICH=TARGET, as side=one or s3-s8=s2");
        }
        const std::string_view which = rule.substr(0, equals);
        const std::size_t at = which.find('@');
        const bool has_text = at != std::string_view::npos;
        const std::vector<StreamId> streams = streams_in(which.substr(0, at));
        const FrameFilter frames(snapshot_,
                                 has_text ? std::optional(which.substr(at + 1)) : std::nullopt);
        const std::vector<Allocations> moved = allocations_of(streams, frames);
        if (has_text && std::ranges::all_of(moved, &Allocations::empty)) {
            throw InputError({option_},
                             fmt::format("nothing that `{}` finds was allocated there", which),
                             "give a part of a frame's function or file:line; files without call "
                             "stacks have none");
        }
        send(which, streams, moved, rule.substr(equals + 1));
    }

    StreamMap map() && {
        map_.workspaces = added_workspaces(recorded_, captures_, map_);
        return std::move(map_);
    }

  private:
    struct Allocation {
        std::size_t request = 0;
        // Of all allocations, in the order of requests.
        std::size_t number = 0;
    };
    using Allocations = std::vector<Allocation>;

    // The requests that a rule is about, for each stream.
    std::vector<Allocations> allocations_of(const std::vector<StreamId>& streams,
                                            const FrameFilter& frames) const {
        std::vector<Allocations> of_stream(recorded_.streams.size());
        std::size_t number = 0;
        for (std::size_t i = 0; i < recorded_.requests.size(); ++i) {
            const Request request = recorded_.requests[i];
            if (request.kind != Request::Kind::kAlloc) {
                continue;
            }
            if (frames.finds(snapshot_.events[request.end - 1].stack)) {
                of_stream[index_of(recorded_.streams.id_of(request.stream))].push_back({i, number});
            }
            ++number;
        }
        std::vector<Allocations> result;
        for (const StreamId stream : streams) {
            result.push_back(std::move(of_stream[index_of(stream)]));
        }
        return result;
    }

    void send(std::string_view which,
              const std::vector<StreamId>& streams,
              const std::vector<Allocations>& moved,
              std::string_view target) {
        const bool is_whole = which.find('@') == std::string_view::npos;
        const StreamId fresh =
            target == "new" ? added({std::string(which), streams.front(), {}}) : StreamId{};
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (target == "per-capture") {
                split_by_capture(streams[i], moved[i]);
            } else if (const auto turns = turns_in(target)) {
                split_by_turns(streams[i], moved[i], turn_count(*turns));
            } else {
                const StreamId to = target == "new"   ? fresh
                                    : target == "own" ? streams[i]
                                    : target == "one" ? streams.front()
                                                      : stream_named(target);
                move(moved[i], to);
                if (is_whole) {
                    map_.at_start[index_of(streams[i])] = to;
                }
            }
        }
    }

    StreamId added(AddedStream stream) {
        map_.added.push_back(std::move(stream));
        return id_of(recorded_.streams.size() + map_.added.size() - 1);
    }

    void move(const Allocations& moved, StreamId to) {
        for (const Allocation& each : moved) {
            map_.of_request[each.request] = to;
        }
    }

    std::size_t turn_count(std::string_view text) const {
        constexpr std::size_t kMost = 1000;
        std::size_t count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error != std::errc{} || end != text.data() + text.size() || count < 2 ||
            count > kMost) {
            throw InputError({option_},
                             fmt::format("`{}` is no number of streams to take turns", text),
                             fmt::format("give 2 to {}, as turns:12", kMost));
        }
        return count;
    }

    // The first of them is the recorded stream itself: what lived on it at the start is there.
    void split_by_turns(StreamId stream, const Allocations& moved, std::size_t count) {
        std::vector<StreamId> parts{stream};
        for (std::size_t i = 1; i < count; ++i) {
            const std::string name = fmt::format("{}.{}", recorded_.streams.name_of(stream), i + 1);
            parts.push_back(added({name, stream, std::nullopt, true}));
        }
        std::size_t visits = 0;
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const bool is_new = i == 0 || moved[i].number != moved[i - 1].number + 1;
            visits += is_new ? 1U : 0U;
            map_.of_request[moved[i].request] = parts[(visits - 1) % count];
        }
        map_.at_start[index_of(stream)] = stream;
    }

    void split_by_capture(StreamId stream, const Allocations& moved) {
        if (captures_.empty()) {
            throw InputError({option_}, "the history shows no captures", "leave per-capture out");
        }
        std::size_t capture = 0;
        std::size_t part_of = captures_.size();
        StreamId part = stream;
        for (const Allocation& each : moved) {
            const std::size_t request = each.request;
            while (capture < captures_.size() && captures_[capture].end <= request) {
                ++capture;
            }
            const bool is_in = capture < captures_.size() && captures_[capture].first <= request;
            if (is_in && part_of != capture) {
                const std::string name = recorded_.streams.name_of(stream);
                part = added({fmt::format("{}.c{}", name, capture + 1), stream, capture, true});
                part_of = capture;
            }
            map_.of_request[request] = is_in ? part : stream;
        }
        map_.at_start[index_of(stream)] = stream;
    }

    StreamId stream_named(std::string_view text) const {
        const auto found = recorded_.streams.find(text);
        if (!found) {
            const std::size_t last = recorded_.streams.size() - 1;
            throw InputError({option_},
                             fmt::format("there is no stream `{}`", text),
                             last == 0 ? std::string("there is only default")
                                       : fmt::format("there are default and s1 to s{}, or their "
                                                     "handles",
                                                     last));
        }
        return *found;
    }

    std::vector<StreamId> streams_in(std::string_view text) const {
        const std::size_t dash = text.find('-');
        if (text == "side" || text == "all") {
            return all_but_main(text == "all");
        }
        if (dash == std::string_view::npos) {
            return {stream_named(text)};
        }
        std::vector<StreamId> range;
        const std::size_t last = index_of(stream_named(text.substr(dash + 1)));
        for (std::size_t i = index_of(stream_named(text.substr(0, dash))); i <= last; ++i) {
            range.push_back(id_of(i));
        }
        if (range.empty()) {
            throw InputError({option_},
                             fmt::format("`{}` ends before it begins", text),
                             "write the lower stream first");
        }
        return range;
    }

    std::vector<StreamId> all_but_main(bool main_too) const {
        const StreamId main = busiest(recorded_);
        std::vector<StreamId> streams;
        for (std::size_t i = 0; i < recorded_.streams.size(); ++i) {
            if (main_too || (id_of(i) != kDefaultStream && id_of(i) != main)) {
                streams.push_back(id_of(i));
            }
        }
        if (streams.empty()) {
            throw InputError({option_}, "there are no side streams", "leave it out");
        }
        return streams;
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const std::vector<FoundCapture>& captures_;
    const std::string& option_;
    StreamMap map_;
};

}  // namespace

StreamMap stream_map(const std::string& text,
                     const Snapshot& snapshot,
                     const RecordedHistory& recorded,
                     const std::vector<FoundCapture>& captures,
                     const std::string& option) {
    Rules rules(snapshot, recorded, captures, option);
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        rules.apply(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return std::move(rules).map();
}

std::vector<std::string> split_notices(const StreamMap& streams) {
    std::vector<std::string> notices;
    if (!streams.added.empty()) {
        notices.emplace_back(
            "what lived at the start on a stream that is split stays on it, and frees wait for "
            "other streams as long as they did");
    }
    Bytes bytes;
    for (const AddedWorkspace& each : streams.workspaces) {
        bytes += each.size;
    }
    if (!streams.workspaces.empty()) {
        notices.push_back(
            fmt::format("{} workspaces of cuBLAS, {} B, are added: PyTorch keeps one "
                        "for each stream, and those split off are taken to need what "
                        "the recorded one has",
                        streams.workspaces.size(),
                        bytes.count));
    }
    return notices;
}

}  // namespace highwater
