#include "sim/report/text_table.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("a table sets words to the left, numbers to the right and nothing behind",
          "[text_table]") {
    TextTable table(
        {{"name", TextTable::Align::kLeft}, {"size"}, {"why", TextTable::Align::kLeft}});
    table.add_row({"default", "8 B", "small"});
    table.add_row({"g", "1024 B", ""});
    REQUIRE(table.text() ==
            "name       size  why\n"
            "default     8 B  small\n"
            "g        1024 B\n");
}

TEST_CASE("a column is as wide as its characters, not their bytes", "[text_table]") {
    TextTable table({{"n", TextTable::Align::kLeft}, {"x"}});
    table.add_row(
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         "1"});
    table.add_row({"small", "2"});
    REQUIRE(table.text() ==
            "n      x\n"
            "gr\xc3\xb6\xc3\x9f"
            "e  1\n"
            "small  2\n");
}

TEST_CASE("a table without rows is its titles", "[text_table]") {
    REQUIRE(TextTable({{"a"}, {"b"}}).text() == "a  b\n");
}

TEST_CASE("a cell that a terminal would obey is escaped, and as wide as it is then",
          "[text_table]") {
    TextTable table({{"owner", TextTable::Align::kLeft}, {"bytes"}});
    table.add_row({"f\x1b[2J (a\n.py:1)", "1"});
    table.add_row({"g", "2"});
    REQUIRE(table.text() ==
            "owner                bytes\n"
            "f\\x1b[2J (a\\n.py:1)      1\n"
            "g                        2\n");
}
