#include <fmt/format.h>

#include "sim/snapshot/pickle/machine.hpp"
#include "sim/snapshot/pickle/text.hpp"

namespace highwater::pickle {
namespace {

constexpr std::uint8_t kNewestProtocol = 5;

}  // namespace

template <std::unsigned_integral Key>
void Machine::get_numbered() {
    get(source_.number<Key>());
}

template <std::unsigned_integral Key>
void Machine::put_numbered() {
    put(source_.number<Key>());
}

void Machine::get_line() {
    get(key_from(source_.line(), origin_));
}

void Machine::put_line() {
    put(key_from(source_.line(), origin_));
}

void Machine::memoize() {
    put(memo_.next());
}

template <bool IsDict>
void Machine::push_empty() {
    push_open(IsDict);
}

template <bool IsDict>
void Machine::push_filled_from_mark() {
    push_filled(IsDict);
}

void Machine::append() {
    need(2);
    append_from(stack_.size() - 1);
}

void Machine::append_all() {
    append_from(pop_mark());
}

void Machine::set_item() {
    need(3);
    set_items_from(stack_.size() - 2);
}

void Machine::set_items() {
    set_items_from(pop_mark());
}

template <std::size_t Size>
void Machine::push_tuple_of() {
    need(Size);
    push_tuple(stack_.size() - Size);
}

void Machine::push_tuple_from_mark() {
    push_tuple(pop_mark());
}

void Machine::drop_top() {
    if (above_mark() == 0 && !marks_.empty()) {
        marks_.pop_back();
        return;
    }
    need(1);
    drop(stack_.size() - 1);
}

void Machine::drop_to_mark() {
    drop(pop_mark());
}

void Machine::duplicate() {
    need(1);
    push(settled(stack_.back()));
}

void Machine::check_protocol() {
    const auto protocol = source_.number<std::uint8_t>();
    if (protocol > kNewestProtocol) {
        refuse(origin_,
               fmt::format(
                   "pickle protocol {}, and those up to {} are known", protocol, kNewestProtocol));
    }
}

// Frames tell how much to read at once; that is decided by the buffer here.
void Machine::pass_frame() {
    source_.number<std::uint64_t>();
}

void Machine::refuse_op(Op op) {
    constexpr const char* kRemedy =
        "take the file from torch.cuda.memory._dump_snapshot, which writes plain data only";
    const std::string_view name = name_of_refused(op);
    if (name.empty()) {
        refuse(origin_,
               fmt::format("0x{:02x} is no opcode of a pickle", static_cast<unsigned>(op)),
               "give a snapshot file of PyTorch, unpacked");
    }
    if (op == Op::kGlobal || op == Op::kInst) {
        constexpr std::size_t kLongest = 60;
        const std::string module(source_.line().substr(0, kLongest));
        const std::string what(source_.line().substr(0, kLongest));
        refuse(origin_,
               fmt::format("{} asks for Python's `{}.{}`: only plain data is read, and nothing is "
                           "run",
                           name,
                           module,
                           what),
               kRemedy);
    }
    refuse(origin_, fmt::format("{} asks for more than plain data: nothing is run", name), kRemedy);
}

Value Machine::run() {
    static const Steps kSteps = all_steps();
    for (;;) {
        origin_.byte = source_.offset();
        const auto op = source_.number<std::uint8_t>();
        if (static_cast<Op>(op) == Op::kStop) {
            return used(pop());
        }
        const Step step = kSteps[op];
        if (step == nullptr) {
            refuse_op(static_cast<Op>(op));
        }
        (this->*step)();
    }
}

void Machine::add_containers(Steps& steps) {
    steps.at(place(Op::kEmptyList)) = &Machine::push_empty<false>;
    steps.at(place(Op::kEmptyDict)) = &Machine::push_empty<true>;
    steps.at(place(Op::kList)) = &Machine::push_filled_from_mark<false>;
    steps.at(place(Op::kDict)) = &Machine::push_filled_from_mark<true>;
    steps.at(place(Op::kAppend)) = &Machine::append;
    steps.at(place(Op::kAppends)) = &Machine::append_all;
    steps.at(place(Op::kSetItem)) = &Machine::set_item;
    steps.at(place(Op::kSetItems)) = &Machine::set_items;
    steps.at(place(Op::kEmptyTuple)) = &Machine::push_tuple_of<0>;
    steps.at(place(Op::kTuple1)) = &Machine::push_tuple_of<1>;
    steps.at(place(Op::kTuple2)) = &Machine::push_tuple_of<2>;
    steps.at(place(Op::kTuple3)) = &Machine::push_tuple_of<3>;
    steps.at(place(Op::kTuple)) = &Machine::push_tuple_from_mark;
}

void Machine::add_stack_and_memo(Steps& steps) {
    using Byte = std::uint8_t;
    using Four = std::uint32_t;
    steps.at(place(Op::kProto)) = &Machine::check_protocol;
    steps.at(place(Op::kFrame)) = &Machine::pass_frame;
    steps.at(place(Op::kMark)) = &Machine::set_mark;
    steps.at(place(Op::kPop)) = &Machine::drop_top;
    steps.at(place(Op::kPopMark)) = &Machine::drop_to_mark;
    steps.at(place(Op::kDup)) = &Machine::duplicate;
    steps.at(place(Op::kGet)) = &Machine::get_line;
    steps.at(place(Op::kBinGet)) = &Machine::get_numbered<Byte>;
    steps.at(place(Op::kLongBinGet)) = &Machine::get_numbered<Four>;
    steps.at(place(Op::kPut)) = &Machine::put_line;
    steps.at(place(Op::kBinPut)) = &Machine::put_numbered<Byte>;
    steps.at(place(Op::kLongBinPut)) = &Machine::put_numbered<Four>;
    steps.at(place(Op::kMemoize)) = &Machine::memoize;
}

// Python's own names and meanings: its module pickletools describes each.
Machine::Steps Machine::all_steps() {
    Steps steps{};
    add_numbers(steps);
    add_strings(steps);
    add_containers(steps);
    add_stack_and_memo(steps);
    return steps;
}

}  // namespace highwater::pickle
