// Which frame of a stack is told: the innermost that is the user's.
#include "sim/snapshot/why/owner.hpp"

#include <array>

#include "tests/support/catch.hpp"

namespace highwater {

namespace {

StackId stack_of(StackTable& stacks, const std::vector<StackFrame>& frames) {
    std::vector<FrameId> ids;
    for (const StackFrame& frame : frames) {
        ids.push_back(stacks.add_frame(frame));
    }
    return stacks.add_stack(ids);
}

}  // namespace

TEST_CASE("frames of torch, of the interpreter and without names are a library's", "[owner]") {
    const auto [frame, is_library] = GENERATE(table<StackFrame, bool>({
        {{"forward", "/home/me/model.py", 12}, false},
        {{"forward", "/usr/lib/python3/dist-packages/vllm/model.py", 12}, false},
        {{"forward", "/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py", 1}, true},
        {{"forward", "torch/nn/functional.py", 1}, true},
        {{"forward", "/home/me/torchmodel/model.py", 1}, false},
        {{"??", "", 0}, true},
        {{"", "model.py", 3}, true},
        {{"torch::unwind::unwind()", "??", 0}, true},
        {{"c10::cuda::CUDACachingAllocator::raw_alloc(unsigned long)", "??", 0}, true},
        {{"at::native::empty_cuda(c10::ArrayRef<long>)", "??", 0}, true},
        {{"my_extension::run(at::Tensor)", "??", 0}, false},
        {{"void at::cuda::blas::gemm<c10::BFloat16>(char, c10::BFloat16 const*)", "??", 0}, true},
        {{"_object* torch::autograd::wrap<&torch::f(int)>(_object*)", "x.cpp", 0}, true},
        {{"pybind11::cpp_function::initialize<f()>(f()&&)::{lambda()#1}::_FUN()", "", 0}, true},
        {{"_PyEval_EvalFrameDefault", "??", 0}, true},
        {{"PyObject_Call", "/usr/src/python/Objects/call.c", 0}, true},
        {{"PyTorchModel", "/home/me/model.py", 5}, false},
        {{"_call_with_frames_removed", "<frozen importlib._bootstrap>", 241}, true},
        {{"<module>", "<stdin>", 1}, false},
    }));
    INFO(frame.function << " in " << frame.file);
    CHECK(is_library_frame(frame) == is_library);
}

TEST_CASE("a block's owner is the innermost frame that is the user's", "[owner]") {
    StackTable stacks;
    const StackId mine = stack_of(stacks,
                                  {{"torch::unwind::unwind()", "??", 0},
                                   {"linear", "/x/torch/nn/functional.py", 3},
                                   {"forward", "model.py", 12},
                                   {"main", "run.py", 7}});
    const StackId mixed = stack_of(stacks,
                                   {{"at::native::mul(at::Tensor)", "??", 0},
                                    {"cfunction_call", "Objects/methodobject.c", 0},
                                    {"step", "train.py", 4}});
    const StackId extension =
        stack_of(stacks, {{"c10::f()", "??", 0}, {"mine::run()", "??", 0}, {"main", "??", 0}});
    const StackId theirs = stack_of(stacks, {{"??", "", 0}, {"c10::f()", "??", 0}});
    const OwnerOf owner = owner_by_stack(stacks, [&](Address address) {
        constexpr std::size_t kStacks = 4;
        const std::array<StackId, kStacks> by_address{mine, theirs, mixed, extension};
        return address.value <= kStacks ? by_address.at(address.value - 1) : kNoStack;
    });
    CHECK(owner(Address{1}) == "forward (model.py:12)");
    CHECK(owner(Address{2}) == "c10::f()");
    CHECK(owner(Address{3}) == "step (train.py:4)");
    CHECK(owner(Address{4}) == "mine::run()");
    CHECK(owner(Address{5}) == kUnknownOwner);
}

}  // namespace highwater
