# Compiles through ccache where there is one, unless the user chose a launcher.
find_program(HIGHWATER_CCACHE ccache DOC "The compiler cache")
mark_as_advanced(HIGHWATER_CCACHE)
if(HIGHWATER_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HIGHWATER_CCACHE})
endif()
