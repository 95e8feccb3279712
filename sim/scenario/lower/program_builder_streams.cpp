// ProgramBuilder's streams.
#include <fmt/format.h>

#include "sim/scenario/lower/program_builder.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// PyTorch's own name for it.
constexpr std::string_view kDefaultCaptureStream = "torch.cuda.graph.default_capture_stream";

}  // namespace

StreamId ProgramBuilder::add_stream(const std::string& name, std::int64_t priority) {
    const StreamId id = add_pool_stream(name, stream_pool_.take(StreamPool::level_of(priority)));
    streams_.emplace(name, id);
    return id;
}

// Its handle is made up, too, and above those of PyTorch's.
StreamId ProgramBuilder::add_blocking_stream(const std::string& name) {
    constexpr std::size_t kFirst = StreamPool::kStreamsPerLevel * StreamPool::kLevels + 1;
    const auto id = static_cast<StreamId>(program_.streams.size());
    program_.streams.push_back({name, StreamHandle{kFirst + blocking_streams_++}, true});
    streams_.emplace(name, id);
    return id;
}

StreamId ProgramBuilder::add_pool_stream(const std::string& name,
                                         const StreamPool::Stream& from_pool) {
    const auto next = static_cast<StreamId>(program_.streams.size());
    const auto [found, is_new] = pool_streams_.try_emplace(from_pool, next);
    if (is_new) {
        program_.streams.push_back({name, StreamPool::handle_of(from_pool)});
    }
    return found->second;
}

StreamId ProgramBuilder::default_capture_stream() {
    if (!default_capture_stream_) {
        default_capture_stream_ =
            add_pool_stream(std::string(kDefaultCaptureStream), stream_pool_.take(0));
    }
    return *default_capture_stream_;
}

StreamId ProgramBuilder::stream(std::string_view name, const SourcePlace& place) const {
    const auto found = streams_.find(name);
    if (found != streams_.end()) {
        return found->second;
    }
    std::size_t members = 0;
    const std::string base(name.substr(0, name.find('[')));
    while (streams_.contains(fmt::format("{}[{}]", base, members))) {
        ++members;
    }
    if (members > 0) {
        throw InputError(place,
                         fmt::format("there is no stream `{}`", quoted(name)),
                         members == 1
                             ? fmt::format("write `{}[0]`", base)
                             : fmt::format("write `{0}[0]` to `{0}[{1}]`", base, members - 1));
    }
    if (streams_.contains(base)) {
        throw InputError(place,
                         fmt::format("there is no stream `{}`", quoted(name)),
                         fmt::format("write `{0}`, or give `{0}` a count", base));
    }
    throw InputError(place,
                     fmt::format("there is no stream `{}`", quoted(name)),
                     "define it under `streams`, with a count above 0");
}

void ProgramBuilder::hold_stream(StreamId stream, const SourcePlace& place) {
    if (!held_.insert(stream).second) {
        throw InputError(place, "the stream is held already", "release it first");
    }
    add(op::HoldStream{stream}, place);
}

void ProgramBuilder::release_stream(StreamId stream, const SourcePlace& place) {
    if (held_.erase(stream) == 0) {
        throw InputError(place, "the stream is not held", "hold it first");
    }
    add(op::ReleaseStream{stream}, place);
}

void ProgramBuilder::synchronize(std::optional<StreamId> stream, const SourcePlace& place) {
    add(op::Synchronize{stream}, place);
}

}  // namespace highwater
