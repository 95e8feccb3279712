#include "sim/report/csv.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a value is quoted only where it must be", "[csv]") {
    REQUIRE(csv_line({"a", "1 2", ""}) == "a,1 2,\n");
    REQUIRE(csv_line({"a,b", "say \"it\"", "two\nlines"}) ==
            "\"a,b\",\"say \"\"it\"\"\",\"two\nlines\"\n");
}
