// ProgramBuilder's operations on events.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"
#include "sim/scenario/lower/program_builder.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// `done` of `done[3]`.
std::string_view base_of(std::string_view name) {
    return name.substr(0, name.find('['));
}

}  // namespace

void ProgramBuilder::record_event(const std::string& event,
                                  StreamId stream,
                                  const SourcePlace& place) {
    auto& entry = events_.get(event, program_.events);
    entry.state.recorded = true;
    add(op::RecordEvent{entry.id, stream}, place);
}

EventName ProgramBuilder::asked_event(const std::string& event, const SourcePlace& place) {
    auto& entry = events_.get(event, program_.events);
    entry.state.asked = entry.state.asked ? entry.state.asked : place;
    return entry.id;
}

// As in PyTorch, an event that was never recorded is one that is done. One that nothing in the
// whole program records may be meant so as well, but not if its name is nearly that of another.
void ProgramBuilder::require_no_misspelt_event() const {
    constexpr std::size_t kShortest = 4;
    const std::vector<std::string> recorded =
        events_.names_where([](const EventState& state) { return state.recorded; });
    std::vector<std::string_view> bases;
    for (const std::string& name : recorded) {
        bases.push_back(base_of(name));
    }
    const auto is_only_asked = [](const EventState& state) {
        return state.asked && !state.recorded;
    };
    for (const std::string& name : events_.names_where(is_only_asked)) {
        const std::string_view base = base_of(name);
        const auto meant = closest_name(base, bases);
        if (meant && *meant != base && base.size() >= kShortest) {
            throw InputError(*events_.find(name)->state.asked,
                             fmt::format("the event `{}` is never recorded", quoted(name)),
                             fmt::format("did you mean `{}`?", quoted(*meant)));
        }
    }
}

void ProgramBuilder::wait_event(StreamId stream,
                                const std::string& event,
                                const SourcePlace& place) {
    add(op::WaitEvent{stream, asked_event(event, place)}, place);
}

void ProgramBuilder::synchronize_event(const std::string& event, const SourcePlace& place) {
    add(op::SynchronizeEvent{asked_event(event, place)}, place);
}

void ProgramBuilder::query_event(const std::string& event, const SourcePlace& place) {
    add(op::QueryEvent{asked_event(event, place)}, place);
}

// One event for each stream waited for is enough: it is recorded anew each time. A dot keeps its
// name apart from those in the file.
void ProgramBuilder::wait_stream(StreamId stream, StreamId other, const SourcePlace& place) {
    const std::string& name = program_.streams[static_cast<std::size_t>(other)].name;
    const auto& entry = events_.get(name + ".wait_stream", program_.events);
    add(op::RecordEvent{entry.id, other}, place);
    add(op::WaitEvent{stream, entry.id}, place);
}

}  // namespace highwater
