#include "sim/snapshot/why/owner.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace highwater {
namespace {

bool has_function(const StackFrame& frame) {
    return !frame.function.empty() && frame.function != "??";
}

bool begins_with_any(std::string_view text, const auto& prefixes) {
    return std::ranges::any_of(
        prefixes, [text](std::string_view prefix) { return text.starts_with(prefix); });
}

bool is_of_interpreter(const StackFrame& frame) {
    constexpr std::array<std::string_view, 2> kPrefixes{"Py", "_Py"};
    // Python's own functions may be called so too.
    const bool is_python = frame.file.ends_with(".py");
    return frame.file.starts_with("<frozen") ||
           (!is_python && begins_with_any(frame.function, kPrefixes));
}

bool is_of_torch(const StackFrame& frame) {
    constexpr std::array<std::string_view, 4> kPrefixes{"torch::", "c10::", "at::", "caffe2::"};
    return frame.file.find("/torch/") != std::string::npos || frame.file.starts_with("torch/") ||
           begins_with_any(frame.function, kPrefixes);
}

}  // namespace

bool is_library_frame(const StackFrame& frame) {
    return !has_function(frame) || is_of_interpreter(frame) || is_of_torch(frame);
}

const StackFrame* owner_frame(const StackTable& stacks, StackId stack) {
    if (stack == kNoStack) {
        return nullptr;
    }
    const StackFrame* innermost = nullptr;
    for (const FrameId id : stacks.frames(stack)) {
        const StackFrame& frame = stacks.frame(id);
        if (!is_library_frame(frame)) {
            return &frame;
        }
        if (innermost == nullptr && has_function(frame)) {
            innermost = &frame;
        }
    }
    return innermost;
}

std::string frame_text(const StackFrame& frame) {
    if (frame.file.empty() || frame.file == "??") {
        return frame.function;
    }
    return fmt::format("{} ({}:{})", frame.function, frame.file, frame.line);
}

OwnerOf owner_by_stack(const StackTable& stacks, std::function<StackId(Address)> stack_of) {
    return [&stacks, stack_of = std::move(stack_of)](Address address) {
        const StackFrame* frame = owner_frame(stacks, stack_of(address));
        return frame == nullptr ? std::string(kUnknownOwner) : frame_text(*frame);
    };
}

}  // namespace highwater
