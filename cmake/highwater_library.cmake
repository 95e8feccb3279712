# highwater_library(NAME HEADERS ... SOURCES ... USES ...): a static library of ours. Its headers
# form a file set, so that each is also compiled alone (target all_verify_interface_header_sets).
# Where CMAKE_UNITY_BUILD is on, the sources of a folder are compiled as one: most of the time goes
# into headers. So names are unique in a folder, those of anonymous namespaces as well.
function(highwater_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;USES")
    add_library(${name} STATIC ${arg_SOURCES})
    target_sources(
        ${name}
        PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
    target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE highwater_warnings)
    set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
    foreach(source IN LISTS arg_SOURCES)
        if(NOT IS_ABSOLUTE ${source}) # what is made in the build tree
            cmake_path(GET source PARENT_PATH folder)
            string(MAKE_C_IDENTIFIER "${name}_${folder}" group)
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
        endif()
    endforeach()
endfunction()
