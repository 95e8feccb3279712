#include "sim/scenario/lower/program_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/description/conf.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

ProgramBuilder::ProgramBuilder(Machine machine, std::size_t max_operations)
    : max_operations_(max_operations), settings_(parse_settings(machine.conf)) {
    program_.machine = std::move(machine);
    program_.streams.push_back({"default", StreamHandle{0}});
    streams_.emplace("default", kDefaultStream);
}

Program ProgramBuilder::finish() && {
    require_no_misspelt_event();
    return std::move(program_);
}

void ProgramBuilder::add(Op op,
                         const SourcePlace& place,
                         std::size_t weight,
                         const std::string& label) {
    weight_ += weight;
    if (weight_ > max_operations_) {
        throw InputError(place,
                         fmt::format("the program has more than {} operations", max_operations_),
                         "make its loops shorter, or allow more (`--max-operations`)");
    }
    program_.ops.push_back(std::move(op));
    program_.places.push_back(place, label);
}

void ProgramBuilder::allocate(const std::string& tensor,
                              Bytes size,
                              StreamId stream,
                              const SourcePlace& place) {
    if (find_live_tensor(tensor)) {
        throw InputError(place,
                         fmt::format("`{}` is allocated already", quoted(tensor)),
                         "free it first, or use another name");
    }
    const TensorId free = free_variable(tensor);
    auto& entry = *tensors_.find(tensor);
    entry.state.live = true;
    entry.id = free;
    allocate(free, size, stream, place);
}

// What the variable held may live on under other names, and what it holds may be another's.
TensorId ProgramBuilder::free_variable(const std::string& variable) {
    const bool is_known = tensors_.find(variable) != nullptr;
    auto& entry = tensors_.get(variable, program_.tensors);
    references_.resize(program_.tensors.size());
    if (!is_known) {
        entry.state.own = entry.id;
    }
    if (!entry.state.own || is_live(*entry.state.own)) {
        entry.state.own = new_tensor(variable);
    }
    return *entry.state.own;
}

void ProgramBuilder::allocate(TensorId tensor,
                              Bytes size,
                              StreamId stream,
                              const SourcePlace& place) {
    references_[index_of(tensor)] = 1;
    sizes_.resize(references_.size());
    sizes_[index_of(tensor)] = size;
    add(op::Alloc{tensor, size, stream}, place);
}

TensorId ProgramBuilder::new_tensor(const std::string& name) {
    const std::size_t namesakes = ++new_tensors_[name] + (tensors_.find(name) != nullptr ? 1 : 0);
    program_.tensors.push_back(namesakes > 1 ? fmt::format("{}.{}", name, namesakes) : name);
    references_.push_back(0);
    return static_cast<TensorId>(program_.tensors.size() - 1);
}

std::vector<std::pair<TensorId, Bytes>> ProgramBuilder::live_since(std::size_t first) const {
    std::vector<std::pair<TensorId, Bytes>> live;
    std::set<TensorId> seen;
    // A variable may have been allocated more than once: the last time counts.
    for (std::size_t i = program_.ops.size(); i-- > first;) {
        const auto* alloc = std::get_if<op::Alloc>(&program_.ops[i]);
        if (alloc != nullptr && is_live(alloc->tensor) && seen.insert(alloc->tensor).second) {
            live.emplace_back(alloc->tensor, alloc->size);
        }
    }
    std::reverse(live.begin(), live.end());
    return live;
}

void ProgramBuilder::release(TensorId tensor, const SourcePlace& place) {
    check(is_live(tensor), "a reference goes after it has come");
    if (--references_[index_of(tensor)] == 0) {
        add(op::Free{tensor}, place);
    }
}

std::optional<TensorId> ProgramBuilder::find_live_tensor(const std::string& tensor) const {
    const auto* entry = tensors_.find(tensor);
    return entry != nullptr && entry->state.live ? std::optional(entry->id) : std::nullopt;
}

void ProgramBuilder::assign(const std::string& variable,
                            TensorId tensor,
                            const SourcePlace& place) {
    const std::optional<TensorId> before = find_live_tensor(variable);
    auto& entry = tensors_.put(variable, tensor);
    entry.state.live = true;
    entry.state.freed_in_line = 0;
    if (before) {
        release(*before, place);
    }
}

TensorId ProgramBuilder::live_tensor(const std::string& tensor, const SourcePlace& place) {
    return live_tensor(tensor, place, "move the `free` after this use");
}

TensorId ProgramBuilder::live_tensor(const std::string& tensor,
                                     const SourcePlace& place,
                                     std::string_view remedy_if_freed) {
    const auto* entry = tensors_.find(tensor);
    if (entry != nullptr && entry->state.live) {
        return entry->id;
    }
    if (entry != nullptr) {
        const std::size_t line = entry->state.freed_in_line;
        throw InputError(place,
                         fmt::format("`{}` has been freed{}",
                                     quoted(tensor),
                                     line == 0 ? "" : fmt::format(" in line {}", line)),
                         std::string(remedy_if_freed));
    }
    const auto live = tensors_.names_where([](const TensorState& state) { return state.live; });
    throw InputError(place,
                     fmt::format("`{}` is not allocated", quoted(tensor)),
                     suggestion(tensor, live, "allocate it first"));
}

void ProgramBuilder::free(const std::string& tensor, const SourcePlace& place) {
    const TensorId id = live_tensor(tensor, place, "free it once, after its last use");
    auto& state = tensors_.find(tensor)->state;
    state.live = false;
    state.freed_in_line = place.line;
    release(id, place);
}

void ProgramBuilder::allocate_rest(op::AllocRest rest, const SourcePlace& place) {
    references_[index_of(rest.tensor)] = 1;
    sizes_.resize(references_.size());
    sizes_[index_of(rest.tensor)] = std::nullopt;
    add(rest, place);
}

void ProgramBuilder::add_weak_view(TensorId view, TensorId of, const SourcePlace& place) {
    references_[index_of(view)] = 1;
    sizes_.resize(references_.size());
    sizes_[index_of(view)] = size_of(of);
    add(op::WeakView{view, of}, place);
}

void ProgramBuilder::record_stream(TensorId tensor, StreamId stream, const SourcePlace& place) {
    add(op::RecordStream{tensor, stream}, place);
}

std::optional<Bytes> ProgramBuilder::size_of(TensorId tensor) const {
    const std::size_t index = index_of(tensor);
    return index < sizes_.size() ? sizes_[index] : std::nullopt;
}

void ProgramBuilder::launch(op::Kernel kernel, const SourcePlace& place, const std::string& label) {
    const std::size_t weight = 1 + kernel.reads.size() + kernel.writes.size();
    add(std::move(kernel), place, weight, label);
}

void ProgramBuilder::set_allocator_settings(const PlacedText& conf, const SourcePlace& place) {
    apply_conf(settings_, conf);
    add(op::SetAllocatorSettings{conf.text}, place);
}

}  // namespace highwater
