#!/bin/sh
# The checker itself: it names every violation in bad/, and only those.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
status=0
found=$("$here/check_layers.sh" "$here/bad") || status=$?
if [ "$status" -eq 0 ]; then
    echo "check_layers.sh passes a tree with violations" >&2
    exit 1
fi
printf '%s\n' "$found" | diff "$here/bad/expected.txt" -
