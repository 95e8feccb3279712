# highwater_library(NAME HEADERS ... SOURCES ... USES ...): a static library of ours. Its headers
# form a file set, so that each is also compiled alone (target all_verify_interface_header_sets).
function(highwater_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;USES")
    add_library(${name} STATIC ${arg_SOURCES})
    target_sources(
        ${name}
        PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
    target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE highwater_warnings)
endfunction()
