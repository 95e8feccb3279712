#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// Text from a file or a command line as a terminal may have it, on one line: control characters,
/// and bytes that are no UTF-8, as \xNN; line ends and tabs as \n and \t.
std::string printable(std::string_view text);

}  // namespace highwater
