# One interface target carries the warnings, so that every target of ours has the same ones.
add_library(highwater_warnings INTERFACE)
target_compile_options(
    highwater_warnings
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Werror
              -Wshadow
              -Wconversion
              -Wsign-conversion
              -Wold-style-cast
              -Wnon-virtual-dtor
              -Woverloaded-virtual
              -Wimplicit-fallthrough)
