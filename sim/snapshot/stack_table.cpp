#include "sim/snapshot/stack_table.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/ids.hpp"

namespace highwater {
namespace {

std::uint64_t hash_of_frame(const StackFrame& frame) {
    const std::uint64_t names = mixed(hash_of(frame.function), hash_of(frame.file));
    return mixed(names, static_cast<std::uint64_t>(frame.line));
}

std::uint64_t hash_of_stack(std::span<const FrameId> frames) {
    std::uint64_t hash = frames.size();
    for (const FrameId frame : frames) {
        hash = mixed(hash, index_of(frame));
    }
    return hash;
}

}  // namespace

FrameId StackTable::add_frame(StackFrame frame) {
    const std::uint64_t hash = hash_of_frame(frame);
    std::uint32_t number =
        frame_index_.find(hash, [&](std::uint32_t known) { return frames_[known] == frame; });
    if (number == HashIndex::kNone) {
        number = static_cast<std::uint32_t>(frames_.size());
        frames_.push_back(std::move(frame));
        frame_index_.add(hash, number);
    }
    return FrameId{number};
}

StackId StackTable::add_stack(const std::vector<FrameId>& frames) {
    if (frames.empty()) {
        return kNoStack;
    }
    const std::uint64_t hash = hash_of_stack(frames);
    std::uint32_t number = stack_index_.find(hash, [&](std::uint32_t known) {
        return std::ranges::equal(this->frames(StackId{known}), frames);
    });
    if (number == HashIndex::kNone) {
        number = static_cast<std::uint32_t>(ends_.size());
        stacked_.insert(stacked_.end(), frames.begin(), frames.end());
        ends_.push_back(stacked_.size());
        stack_index_.add(hash, number);
    }
    return StackId{number};
}

std::span<const FrameId> StackTable::frames(StackId stack) const {
    if (stack == kNoStack) {
        return {};
    }
    const std::size_t at = index_of(stack);
    const std::size_t begin = at == 0 ? 0 : ends_.at(at - 1);
    return std::span(stacked_).subspan(begin, ends_.at(at) - begin);
}

const StackFrame& StackTable::frame(FrameId id) const {
    return frames_.at(index_of(id));
}

}  // namespace highwater
