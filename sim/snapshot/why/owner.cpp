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

// Of a demangled C++ function, without what it returns and takes: `at::f` of `int at::f<int>(int)`.
std::string_view qualified_name(std::string_view function) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const char c = function[i];
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        if (depth == 0 && c == '(') {
            return function.substr(begin, i - begin);
        }
        begin = depth == 0 && c == ' ' ? i + 1 : begin;
    }
    return function.substr(begin);
}

bool is_python(const StackFrame& frame) {
    return frame.file.ends_with(".py") || frame.file.starts_with("<");
}

bool is_of_interpreter(const StackFrame& frame) {
    constexpr std::array<std::string_view, 2> kPrefixes{"Py", "_Py"};
    return frame.file.starts_with("<frozen") ||
           (!is_python(frame) && begins_with_any(frame.function, kPrefixes));
}

bool is_of_torch(const StackFrame& frame) {
    constexpr std::array<std::string_view, 5> kPrefixes{
        "torch::", "c10::", "at::", "caffe2::", "pybind11::"};
    return frame.file.find("/torch/") != std::string::npos || frame.file.starts_with("torch/") ||
           begins_with_any(qualified_name(frame.function), kPrefixes);
}

}  // namespace

bool is_library_frame(const StackFrame& frame) {
    return !has_function(frame) || is_of_interpreter(frame) || is_of_torch(frame);
}

const StackFrame* owner_frame(const StackTable& stacks, StackId stack) {
    if (stack == kNoStack) {
        return nullptr;
    }
    const StackFrame* named = nullptr;
    const StackFrame* not_of_library = nullptr;
    for (const FrameId id : stacks.frames(stack)) {
        const StackFrame& frame = stacks.frame(id);
        if (named == nullptr && has_function(frame)) {
            named = &frame;
        }
        if (is_library_frame(frame)) {
            continue;
        }
        if (is_python(frame)) {
            return &frame;
        }
        if (not_of_library == nullptr) {
            not_of_library = &frame;
        }
    }
    return not_of_library == nullptr ? named : not_of_library;
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
