#!/usr/bin/env bash
# report_test.sh HIGHWATER: the recorded measurements are within tolerance, and validate/REPORT.md
# says what they and HIGHWATER's predictions say now.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$root/validate/report.sh" "$1" "$report"
if ! diff -u "$root/validate/REPORT.md" "$report" | head -n 60; then
    echo "If this is as it should be: make report" >&2
    exit 1
fi
