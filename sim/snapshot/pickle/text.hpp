#pragma once

#include <string>
#include <string_view>

#include "sim/snapshot/pickle/origin.hpp"
#include "sim/snapshot/pickle/value.hpp"

namespace highwater::pickle {

/// Of protocol 0's UNICODE: Latin-1 in which \uXXXX and \UXXXXXXXX are characters. UTF-8. Throws
/// `InputError`.
std::string from_raw_unicode(std::string_view line, const Origin& origin);

/// Of protocol 0's STRING: in quotes, with escapes. Throws `InputError`.
std::string from_quoted(std::string_view line, const Origin& origin);

/// Of protocol 0's INT: decimal, or 00 and 01 for the truth values. Throws `InputError`.
Value int_from(std::string_view line, const Origin& origin);

/// Of protocol 0's LONG: decimal, with an L or without. Throws `InputError`.
Value long_from(std::string_view line, const Origin& origin);

/// Of protocol 0's FLOAT. Throws `InputError`.
Value real_from(std::string_view line, const Origin& origin);

/// Of protocol 0's GET and PUT. Throws `InputError`.
std::uint64_t key_from(std::string_view line, const Origin& origin);

}  // namespace highwater::pickle
