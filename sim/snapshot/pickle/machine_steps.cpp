#include <bit>

#include <fmt/format.h>

#include "sim/snapshot/pickle/machine.hpp"
#include "sim/snapshot/pickle/text.hpp"
#include "sim/snapshot/pickle/utf8.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

constexpr std::uint8_t kNewestProtocol = 5;

}  // namespace

template <bool kIs>
void Machine::push_bool() {
    push({Kind::kBool, 0, 0, kIs ? 1 : 0});
}

template <std::unsigned_integral Number>
void Machine::push_int() {
    push({Kind::kInt, 0, 0, source_.number<Number>()});
}

void Machine::push_signed_int() {
    push({Kind::kInt, 0, 0, static_cast<std::int32_t>(source_.number<std::uint32_t>())});
}

// Two's complement, least byte first.
template <std::unsigned_integral Size>
void Machine::push_long() {
    const std::uint64_t size = source_.number<Size>();
    if (size > sizeof(std::int64_t)) {
        source_.skip(size);
        push({Kind::kHugeInt});
        return;
    }
    constexpr unsigned kByte = 8;
    const std::string_view bytes = source_.text(size);
    const bool is_negative =
        !bytes.empty() && (static_cast<unsigned char>(bytes.back()) >> 7U) != 0;
    std::uint64_t number = is_negative ? UINT64_MAX : 0;
    for (std::size_t i = bytes.size(); i > 0; --i) {
        number = (number << kByte) | static_cast<unsigned char>(bytes[i - 1]);
    }
    push({Kind::kInt, 0, 0, static_cast<std::int64_t>(number)});
}

// Most significant byte first.
void Machine::push_float() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(bits); ++i) {
        constexpr unsigned kByte = 8;
        bits = (bits << kByte) | source_.number<std::uint8_t>();
    }
    push({Kind::kFloat, 0, 0, static_cast<std::int64_t>(bits)});
}

template <std::unsigned_integral Size>
void Machine::push_string() {
    const std::uint64_t size = source_.number<Size>();
    if (size > ByteSource::kMostAtOnce) {
        refuse(origin_, fmt::format("a string of {} bytes, more than 1 MiB", size));
    }
    push_text(source_.text(size));
}

template <std::unsigned_integral Size>
void Machine::push_bytes() {
    source_.skip(source_.number<Size>());
    push({Kind::kBytes});
}

void Machine::push_int_line() {
    push(int_from(source_.line(), origin_));
}

void Machine::push_long_line() {
    push(long_from(source_.line(), origin_));
}

void Machine::push_float_line() {
    push(real_from(source_.line(), origin_));
}

void Machine::push_string_line() {
    push_text(from_quoted(source_.line(), origin_));
}

void Machine::push_unicode_line() {
    push_text(from_raw_unicode(source_.line(), origin_));
}

void Machine::push_text(std::string_view text) {
    std::string kept;
    push({Kind::kString, 0, 0, records_.strings.add(as_utf8(text, kept))});
}

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

template <bool kIsDict>
void Machine::push_empty() {
    push_open(kIsDict);
}

template <bool kIsDict>
void Machine::push_filled_from_mark() {
    push_filled(kIsDict);
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

template <std::size_t kSize>
void Machine::push_tuple_of() {
    need(kSize);
    push_tuple(stack_.size() - kSize);
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
    const std::array<Step, kOpcodes>& step_of = steps();
    for (;;) {
        origin_.byte = source_.offset();
        const auto op = source_.number<std::uint8_t>();
        if (static_cast<Op>(op) == Op::kStop) {
            return used(pop());
        }
        const Step step = step_of[op];
        if (step == nullptr) {
            refuse_op(static_cast<Op>(op));
        }
        (this->*step)();
    }
}

// Python's own names and meanings: its module pickletools describes each.
const std::array<Machine::Step, Machine::kOpcodes>& Machine::steps() {
    using Byte = std::uint8_t;
    using Two = std::uint16_t;
    using Four = std::uint32_t;
    using Eight = std::uint64_t;
    static constexpr std::array<Step, kOpcodes> kSteps = [] {
        std::array<Step, kOpcodes> steps{};
        const auto set = [&](Op op, Step step) { steps.at(static_cast<std::size_t>(op)) = step; };
        set(Op::kProto, &Machine::check_protocol);
        set(Op::kFrame, &Machine::pass_frame);
        set(Op::kMark, &Machine::set_mark);
        set(Op::kPop, &Machine::drop_top);
        set(Op::kPopMark, &Machine::drop_to_mark);
        set(Op::kDup, &Machine::duplicate);
        set(Op::kNone, &Machine::push_nothing);
        set(Op::kNewTrue, &Machine::push_bool<true>);
        set(Op::kNewFalse, &Machine::push_bool<false>);
        set(Op::kInt, &Machine::push_int_line);
        set(Op::kLong, &Machine::push_long_line);
        set(Op::kFloat, &Machine::push_float_line);
        set(Op::kString, &Machine::push_string_line);
        set(Op::kUnicode, &Machine::push_unicode_line);
        set(Op::kBinInt1, &Machine::push_int<Byte>);
        set(Op::kBinInt2, &Machine::push_int<Two>);
        set(Op::kBinInt, &Machine::push_signed_int);
        set(Op::kLong1, &Machine::push_long<Byte>);
        set(Op::kLong4, &Machine::push_long<Four>);
        set(Op::kBinFloat, &Machine::push_float);
        set(Op::kShortBinString, &Machine::push_string<Byte>);
        set(Op::kShortBinUnicode, &Machine::push_string<Byte>);
        set(Op::kBinString, &Machine::push_string<Four>);
        set(Op::kBinUnicode, &Machine::push_string<Four>);
        set(Op::kBinUnicode8, &Machine::push_string<Eight>);
        set(Op::kShortBinBytes, &Machine::push_bytes<Byte>);
        set(Op::kBinBytes, &Machine::push_bytes<Four>);
        set(Op::kBinBytes8, &Machine::push_bytes<Eight>);
        set(Op::kByteArray8, &Machine::push_bytes<Eight>);
        set(Op::kGet, &Machine::get_line);
        set(Op::kBinGet, &Machine::get_numbered<Byte>);
        set(Op::kLongBinGet, &Machine::get_numbered<Four>);
        set(Op::kPut, &Machine::put_line);
        set(Op::kBinPut, &Machine::put_numbered<Byte>);
        set(Op::kLongBinPut, &Machine::put_numbered<Four>);
        set(Op::kMemoize, &Machine::memoize);
        set(Op::kEmptyList, &Machine::push_empty<false>);
        set(Op::kEmptyDict, &Machine::push_empty<true>);
        set(Op::kList, &Machine::push_filled_from_mark<false>);
        set(Op::kDict, &Machine::push_filled_from_mark<true>);
        set(Op::kAppend, &Machine::append);
        set(Op::kAppends, &Machine::append_all);
        set(Op::kSetItem, &Machine::set_item);
        set(Op::kSetItems, &Machine::set_items);
        set(Op::kEmptyTuple, &Machine::push_tuple_of<0>);
        set(Op::kTuple1, &Machine::push_tuple_of<1>);
        set(Op::kTuple2, &Machine::push_tuple_of<2>);
        set(Op::kTuple3, &Machine::push_tuple_of<3>);
        set(Op::kTuple, &Machine::push_tuple_from_mark);
        return steps;
    }();
    return kSteps;
}

}  // namespace highwater::pickle
