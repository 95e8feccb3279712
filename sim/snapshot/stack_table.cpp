#include "sim/snapshot/stack_table.hpp"

#include "sim/core/ids.hpp"

namespace highwater {

FrameId StackTable::add_frame(StackFrame frame) {
    const FrameId next{static_cast<std::uint32_t>(frames_.size())};
    const auto [place, is_new] = frame_ids_.try_emplace(std::move(frame), next);
    if (is_new) {
        frames_.push_back(&place->first);
    }
    return place->second;
}

StackId StackTable::add_stack(std::vector<FrameId> frames) {
    if (frames.empty()) {
        return kNoStack;
    }
    const StackId next{static_cast<std::uint32_t>(stacks_.size())};
    const auto [place, is_new] = stack_ids_.try_emplace(std::move(frames), next);
    if (is_new) {
        stacks_.push_back(&place->first);
    }
    return place->second;
}

const std::vector<FrameId>& StackTable::frames(StackId stack) const {
    return *stacks_.at(index_of(stack));
}

const StackFrame& StackTable::frame(FrameId id) const {
    return *frames_.at(index_of(id));
}

}  // namespace highwater
