#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/lower/frame.hpp"
#include "sim/scenario/lower/position.hpp"

namespace highwater {

/// What the tensor names of steps stand for: a tensor of the template under way, or one of the
/// scenario's.
class TensorNames {
  public:
    TensorNames(Position& position, ProgramBuilder& builder)
        : position_(position), builder_(builder) {}

    /// Of the template under way, if any.
    Frame* frame = nullptr;

    /// What is not allocated is left out, as when a graph that is replayed would have made it.
    bool leaves_out_missing = false;

    /// Throws `InputError` if it is not allocated.
    TensorId tensor(const TensorName& name);
    std::vector<TensorId> tensors(const std::vector<TensorName>& names);
    /// Empty if it is left out.
    std::optional<TensorId> optional_tensor(const TensorName& name);
    /// One for each name.
    std::vector<std::optional<TensorId>> optional_tensors(const std::vector<TensorName>& names);

    /// A tensor that the name may hold next, not allocated.
    TensorId free_variable(const TensorName& name);
    /// Allocates it on the stream, as a tensor that no name holds yet.
    TensorId allocate(const TensorName& name, Bytes size, StreamId on);
    /// Allocates it, and the name holds it: in a template in place of what it held before.
    void allocate_held(const TensorName& name, Bytes size, StreamId on);
    /// The name takes over a reference; what it held before loses one.
    void hold(const TensorName& name, TensorId tensor);
    void free(const TensorName& name);
    void end(const std::vector<Slot>& last_uses);
    /// Ends those that `is_made` does not hold for: what a call was the last to use goes before
    /// what its results replace, as in Python.
    template <typename IsMade>
    void end_used(const std::vector<Slot>& last_uses, IsMade is_made) {
        for (const Slot slot : last_uses) {
            if (!is_made(slot)) {
                frame->drop(slot, position_.place);
            }
        }
    }

  private:
    std::optional<TensorId> find(const TensorName& name);
    [[noreturn]] void refuse_own(const TensorName& name) const;
    [[noreturn]] void refuse_unknown(const TensorName& name) const;
    std::string member_of(const TensorName& name);

    Position& position_;
    ProgramBuilder& builder_;
};

}  // namespace highwater
