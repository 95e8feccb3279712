#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/snapshot/pickle/byte_source.hpp"
#include "sim/snapshot/pickle/memo.hpp"
#include "sim/snapshot/pickle/opcodes.hpp"
#include "sim/snapshot/pickle/open_containers.hpp"
#include "sim/snapshot/pickle/origin.hpp"
#include "sim/snapshot/pickle/records.hpp"
#include "sim/snapshot/pickle/value.hpp"

namespace highwater::pickle {

/// Reads one pickle of plain data (protocols 0 to 5) in one pass. Nothing in it is ever run. A list
/// or dict becomes what `Records` keep of it when it is used: put into another one, or named again.
/// From then on it cannot change, so that none can contain itself.
class Machine {
  public:
    Machine(ByteSource& source, Records& records)
        : source_(source), records_(records), origin_{source.name(), 0} {}

    /// What the pickle is. Throws `InputError`.
    Value run();

  private:
    // machine_stack.cpp
    void push(Value value);
    Value pop();
    // How many values are above the last mark.
    std::size_t above_mark() const;
    void need(std::size_t count) const;
    std::size_t pop_mark();
    void drop(std::size_t new_size);
    Value settled(const Value& value);
    Value used(const Value& value);
    void push_open(bool is_dict);
    void settle_top();
    void get(std::uint64_t key);
    void put(std::uint64_t key);

    // machine_containers.cpp
    OpenContainer& container_below(std::size_t first, bool is_dict);
    void append_from(std::size_t first);
    void set_items_from(std::size_t first);
    void push_tuple(std::size_t first);
    void push_filled(bool is_dict);

    // machine_values.cpp
    using Step = void (Machine::*)();
    static constexpr std::size_t kOpcodes = 256;
    /// What each opcode does; null for those that are refused.
    using Steps = std::array<Step, kOpcodes>;
    static void add_numbers(Steps& steps);
    static void add_strings(Steps& steps);
    void push_nothing() { push({}); }
    template <bool Is>
    void push_bool();
    template <std::unsigned_integral Number>
    void push_int();
    void push_signed_int();
    template <std::unsigned_integral Size>
    void push_long();
    void push_float();
    template <std::unsigned_integral Size>
    void push_string();
    template <std::unsigned_integral Size>
    void push_bytes();
    void push_int_line();
    void push_long_line();
    void push_float_line();
    void push_string_line();
    void push_unicode_line();
    void push_text(std::string_view text);

    // machine_steps.cpp
    static Steps all_steps();
    static void add_containers(Steps& steps);
    static void add_stack_and_memo(Steps& steps);
    template <std::unsigned_integral Key>
    void get_numbered();
    template <std::unsigned_integral Key>
    void put_numbered();
    void get_line();
    void put_line();
    void memoize();
    template <bool IsDict>
    void push_empty();
    template <bool IsDict>
    void push_filled_from_mark();
    void append();
    void append_all();
    void set_item();
    void set_items();
    template <std::size_t Size>
    void push_tuple_of();
    void push_tuple_from_mark();
    void set_mark() { marks_.push_back(stack_.size()); }
    void drop_top();
    void drop_to_mark();
    void duplicate();
    void check_protocol();
    void pass_frame();
    [[noreturn]] void refuse_op(Op op);

    ByteSource& source_;
    Records& records_;
    // The step under way.
    Origin origin_;
    Memo memo_;
    OpenContainers open_;
    std::vector<Value> stack_;
    // How many values were below each.
    std::vector<std::size_t> marks_;
};

}  // namespace highwater::pickle
