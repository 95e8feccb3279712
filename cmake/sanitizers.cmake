# AddressSanitizer and UndefinedBehaviorSanitizer, and the standard library's own assertions. Any
# finding ends the program, so that a test cannot pass over one.
add_library(highwater_sanitizers INTERFACE)
if(HIGHWATER_SANITIZE)
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_compile_options(highwater_sanitizers INTERFACE ${flags} -fno-omit-frame-pointer)
    target_compile_definitions(highwater_sanitizers INTERFACE _GLIBCXX_ASSERTIONS)
    target_link_options(highwater_sanitizers INTERFACE ${flags})
endif()
if(HIGHWATER_FUZZ)
    target_compile_options(
        highwater_sanitizers
        INTERFACE -fsanitize=fuzzer-no-link
                  $<$<VERSION_LESS:$<CXX_COMPILER_VERSION>,16>:-include
                  ${PROJECT_SOURCE_DIR}/.ci/clang14.hpp>)
    target_link_options(highwater_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()
