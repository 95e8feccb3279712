// Runs free+malloc pairs and nothing else, for tools that count instructions (instructions.sh).
#include <cstdlib>

#include <fmt/format.h>

#include "bench/free_malloc_pairs.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: count_pairs LIVE_BLOCKS PAIRS\n");
        return EXIT_FAILURE;
    }
    highwater::Process process(std::strtoull(argv[1], nullptr, 10));
    for (std::uint64_t pairs = std::strtoull(argv[2], nullptr, 10); pairs > 0; --pairs) {
        process.pair();
    }
    return EXIT_SUCCESS;
}
