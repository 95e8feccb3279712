#pragma once

#include <string>
#include <string_view>

#include "sim/engine/program.hpp"

namespace highwater {

/// The text form of a Program: a line for the machine, one for each name, one for each operation.
///
///     highwater-program 1  # what a host does, in order
///     machine total_memory 85899345920 memory_fraction 1 conf ""
///     stream default handle 0x0
///     tensor tmp
///     alloc tmp 8388608 on default
///
/// `#` starts a comment. Sizes are bytes. A name is declared before it is used; it is quoted when
/// it holds anything but printable ASCII, or is a word of the form itself. In quotes `\"`, `\\`,
/// `\n`,
/// `\t` and `\xHH` stand for the byte.
///
/// `parse_program(to_text(p))` equals `p`. Names are unique and not empty in their table, and every
/// id is an index into its table: a Program that is not so has no text form (a broken invariant).
std::string to_text(const Program& program);

/// Editors may put a byte order mark before UTF-8: it says nothing.
std::string_view without_byte_order_mark(std::string_view text);

/// A byte order mark may precede the text. Throws `InputError` with the place in `file`.
/// `Program::places` gives each operation's line.
/// What the operations mean is not looked at: `run` refuses a tensor that is freed twice.
Program parse_program(std::string_view text, const std::string& file);

}  // namespace highwater
