#include "sim/core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace highwater {

void invariant_broken(std::string_view what, const std::source_location& where) {
    fmt::print(stderr,
               "highwater: broken invariant: {}\n  at {}:{} in {}\n"
               "  This is a defect in highwater; please report it with the input that showed it.\n",
               what,
               where.file_name(),
               where.line(),
               where.function_name());
    std::abort();
}

}  // namespace highwater
