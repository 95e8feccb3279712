# One interface target carries the compiler flags, so that every target of ours has the same ones.
# Warnings are errors in the debug preset; a user's newer compiler must not fail a release build.
add_library(highwater_warnings INTERFACE)
target_compile_options(
    highwater_warnings
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wsign-conversion
              -Wold-style-cast
              -Wnon-virtual-dtor
              -Woverloaded-virtual
              -Wimplicit-fallthrough
              # Tells of a change in g++ 4.6 wherever a cache line is passed by value.
              -Wno-psabi
              # g++ 12 sees std::string's own copies overlap and overflow (GCC bug 105651).
              "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow>"
              # g++ 13 takes any function of two references for one that returns a dangling one.
              $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)
target_link_libraries(highwater_warnings INTERFACE highwater_sanitizers)
