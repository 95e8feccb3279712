#!/usr/bin/env bash
# report.sh HIGHWATER FILE: writes into FILE what validate/REPORT.md says: all recorded measurements
# beside what HIGHWATER predicts. Fails if a figure is out of tolerance, or if a known difference is
# in no run any more.
set -euo pipefail
export LC_ALL=C # the order of the runs

highwater=$(realpath "$1")
report=$(realpath -m "$2")
cd "$(dirname "$0")/.."
measurements=validate/measurements
said=$("$highwater" validate scenarios \
    --measured "$measurements"/H200-torch-2.11/{torch,native,cuda}/*.json* \
    --known "$measurements/known_differences.json" --markdown "$report") || {
    grep -v ' 0 out of tolerance$' <<<"$said" >&2
    exit 1
}
if grep 'is in none of them$' <<<"$said" >&2; then
    exit 1
fi
