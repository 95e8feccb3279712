#pragma once

#include <functional>
#include <string>

#include "sim/core/address.hpp"
#include "sim/snapshot/stack_table.hpp"

namespace highwater {

/// Who asked for the allocated block at an address, for people: a frame, or a tensor's name.
using OwnerOf = std::function<std::string(Address)>;

/// What stands for a block of which nothing is known.
inline constexpr const char* kUnknownOwner = "(not recorded)";
/// Allocated before the first event, so that the file has no stack of it.
inline constexpr const char* kOwnerBefore = "(before the recording)";
/// The file's event has no call stack.
inline constexpr const char* kOwnerWithoutStack = "(without a call stack)";

/// True for frames that say how PyTorch allocates, and not what for: without a function or with the
/// function `??`; of the interpreter, with a file `<frozen ...>` or a function that begins with
/// `Py` or `_Py`; of PyTorch, with a folder `torch` in the path of the file, or a function of the
/// namespaces torch, c10, at, caffe2 or pybind11.
bool is_library_frame(const StackFrame& frame);

/// The innermost frame of the stack that is no library's: of Python if there is one, because stacks
/// of both languages have the interpreter's own C functions in them. If all are a library's, the
/// innermost that has a function. None if the stack has no such frame.
const StackFrame* owner_frame(const StackTable& stacks, StackId stack);

/// `forward (model.py:12)`, with the file's whole path.
std::string frame_text(const StackFrame& frame);

/// By call stack: `stack_of` has the stack of the block at an address, or `kNoStack`. `stacks`
/// outlives the result.
OwnerOf owner_by_stack(const StackTable& stacks, std::function<StackId(Address)> stack_of);

}  // namespace highwater
