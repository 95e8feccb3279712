#include "sim/snapshot/frame_filter.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

FrameFilter::FrameFilter(const Snapshot& snapshot, std::optional<std::string_view> text)
    : all_(!text) {
    if (all_) {
        return;
    }
    const StackTable& stacks = snapshot.stacks;
    std::vector<bool> frames(stacks.frame_count());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const StackFrame& frame = stacks.frame(FrameId{static_cast<std::uint32_t>(i)});
        frames[i] = frame.function.find(*text) != std::string::npos ||
                    fmt::format("{}:{}", frame.file, frame.line).find(*text) != std::string::npos;
    }
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        found_.push_back(
            std::ranges::any_of(stacks.frames(StackId{static_cast<std::uint32_t>(i)}),
                                [&](FrameId frame) { return frames[index_of(frame)]; }));
    }
}

}  // namespace highwater
