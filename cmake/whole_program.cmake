# Link-time optimisation of the targets made after this, which are all ours, if the compiler has it.
if(HIGHWATER_IPO)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT has_ipo OUTPUT reason LANGUAGES CXX)
    if(has_ipo)
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
        # So that the tests can link what is compiled already.
        add_compile_options($<$<CXX_COMPILER_ID:GNU>:-ffat-lto-objects>)
        # Two types of one name crash or not as the linker likes.
        add_link_options($<$<CXX_COMPILER_ID:GNU>:-Werror=odr>)
    else()
        message(STATUS "No link-time optimisation: ${reason}")
    endif()
endif()
