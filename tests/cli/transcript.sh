#!/usr/bin/env bash
# transcript.sh FOLDER FILE: runs each command of a transcript with the highwater in FOLDER and
# compares what it said with what the transcript says. With UPDATE=1 the transcript is rewritten.
#
#   $ highwater check files/two_streams.yaml     a command, run by bash in a folder of its own
#   files/two_streams.yaml: fine; ...            its standard output
#   2> error                                     its standard error
#   exit 0                                       its exit status
#
# What stands between an exit line and the next command is a comment.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
transcript=$(realpath "$2")
PATH=$(cd "$1" && pwd):$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/in"
cp -r "$here/files" "$scratch/in/"

say() {
    local status=0
    echo "\$ $1"
    (cd "$scratch/in" && bash -c "$1" >"$scratch/out" 2>"$scratch/err" </dev/null) || status=$?
    cat "$scratch/out"
    sed 's/^/2> /' "$scratch/err"
    echo "exit $status"
}

in_output=false
while IFS= read -r line; do
    if $in_output; then
        [[ $line =~ ^exit\ [0-9]+$ ]] && in_output=false
    elif [[ $line == '$ '* ]]; then
        say "${line#$ }"
        in_output=true
    else
        echo "$line"
    fi
done <"$transcript" >"$scratch/said"

if [[ ${UPDATE:-0} == 1 ]]; then
    cp "$scratch/said" "$transcript"
elif ! diff -u "$transcript" "$scratch/said"; then
    echo "If this is as it should be: UPDATE=1 $0 $1 $2" >&2
    exit 1
fi
