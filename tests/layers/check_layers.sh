#!/bin/sh
# check_layers.sh ROOT: each layer includes only itself and the layers above it in the design, and
# keeps out of its files what belongs to others. Prints one line a violation; exits 1 if there is any.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
find sim validate gpu -type f \( -name '*.hpp' -o -name '*.cpp' \) 2>/dev/null | LC_ALL=C sort |
    xargs awk -f "$here/layers.awk" /dev/null
