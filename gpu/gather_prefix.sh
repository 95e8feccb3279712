#!/usr/bin/env bash
# gpu/gather_prefix.sh [FOLDER]: collects what packages.txt asks for and a machine without packages
# lacks, for a build of the GPU harness there: headers, shared libraries, and configurations for
# CMake's find_package. FOLDER is build/prefix unless it is named. A few MB; x86-64, and a C library
# no older than this machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:-build/prefix}
libraries=/usr/lib/x86_64-linux-gnu

rm -rf "$prefix"
mkdir -p "$prefix/include" "$prefix/lib/cmake"
prefix=$(cd "$prefix" && pwd)

copy_headers() {
    local name
    for name in "$@"; do
        cp -rL "/usr/include/$name" "$prefix/include/"
    done
}

# A library under its own name and the one that programs load it by.
copy_library() {
    local name=$1 loaded
    loaded=$(objdump -p "$libraries/$name.so" | awk '$1 == "SONAME" { print $2 }')
    cp -L "$libraries/$name.so" "$prefix/lib/$loaded"
    ln -sf "$loaded" "$prefix/lib/$name.so"
}

# configuration PACKAGE VERSION TARGET [PROPERTY VALUE]...: an interface target.
configuration() {
    local package=$1 version=$2 target=$3
    local folder=$prefix/lib/cmake/$package
    shift 3
    mkdir -p "$folder"
    {
        echo "get_filename_component(_prefix \"\${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)"
        echo "if(NOT TARGET $target)"
        echo "    add_library($target INTERFACE IMPORTED)"
        echo "    set_target_properties($target PROPERTIES"
        echo "        INTERFACE_INCLUDE_DIRECTORIES \"\${_prefix}/include\"$(printf ' %s' "$@"))"
        echo "endif()"
    } >"$folder/${package}Config.cmake"
    echo "set(PACKAGE_VERSION $version)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()" >"$folder/${package}ConfigVersion.cmake"
}

version_of() {
    dpkg-query --show --showformat='${Version}' "$1" | sed -E 's/^([0-9]+:)?([0-9.]*[0-9]).*/\2/'
}

# Of Boost only what is included, also by its own headers.
copy_boost() {
    grep -rlE '#include <boost/' sim validate gpu | grep -E '\.(cpp|hpp)$' |
        sed 's/.*/#include "&"/' |
        g++ -std=c++20 -I. -M -x c++ - | tr ' \\' '\n\n' | grep '^/usr/include/boost/' | sort -u |
        while read -r header; do
            install -D -m 644 "$header" "$prefix/include/${header#/usr/include/}"
        done
}

copy_headers fmt nlohmann yaml-cpp CLI zlib.h zconf.h
copy_library libyaml-cpp
copy_library libz
copy_boost
configuration fmt "$(version_of libfmt-dev)" fmt::fmt \
    INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1
configuration nlohmann_json "$(version_of nlohmann-json3-dev)" nlohmann_json::nlohmann_json
configuration CLI11 "$(version_of libcli11-dev)" CLI11::CLI11
configuration Boost 1.74.0 Boost::headers
configuration yaml-cpp "$(version_of libyaml-cpp-dev)" yaml-cpp \
    INTERFACE_LINK_LIBRARIES "\"\${_prefix}/lib/libyaml-cpp.so\""
du -sh "$prefix"
