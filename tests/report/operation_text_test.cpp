#include "sim/report/operation_text.hpp"

#include <string>

#include "sim/engine/program_text.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("an operation is told in words, with a size people can read", "[operation_text]") {
    const auto [line, text] = GENERATE(table<std::string, std::string>({
        {"alloc x 10485760 on side", "alloc x on stream side (10.0 MiB)"},
        {"free x", "free x"},
        {"hold_stream side", "hold_stream side"},
        {"synchronize", "synchronize"},
        {"synchronize on side", "synchronize on stream side"},
        {"begin_capture g on side into p", "begin_capture g on stream side into p"},
        {"kernel on side writes x y", "kernel on stream side writes x y"},
        {"create_pool p no_split", "create_pool p no_split"},
        {"checkpoint \"a b\"", "checkpoint \"a b\""},
    }));
    const Program program = parse_program(
        "highwater-program 1\nmachine total_memory 1024\nstream default handle 0\n"
        "stream side handle 0x1\ntensor x\ntensor y\ngraph g\npool p\n" +
            line + "\n",
        "p.txt");
    REQUIRE(operation_text(program, program.ops.at(0)) == text);
}
