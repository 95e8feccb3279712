#!/bin/sh
# What a free+malloc pair costs, counted by callgrind: instructions, branches its simple predictor
# gets wrong, and misses of a 32 KiB and a 1 MiB cache. The same each time for the same binary,
# whatever else the machine does. The difference of two runs leaves the start out.
set -eu
program=${1:-$(dirname "$0")/../build/release/bench/count_pairs}
command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 1; }
[ -x "$program" ] || { echo "instructions.sh: $program is not built (make release)" >&2; exit 1; }

# Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
events() {
    valgrind --tool=callgrind --branch-sim=yes --cache-sim=yes --D1=32768,8,64 --LL=1048576,8,64 \
        --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'
}

echo "live blocks  instructions  mispredicted  past 32 KiB  past 1 MiB"
for live in 1 64 1024 16384; do
    { events "$live" 1000; events "$live" 31000; } | awk -v live="$live" '
        NR == 1 { split($0, start) }
        NR == 2 { for (i = 1; i <= NF; ++i) a[i] = ($i - start[i]) / 30000
                  printf "%11d %13.0f %13.2f %12.2f %11.2f\n",
                         live, a[1], a[11] + a[13], a[5] + a[6], a[8] + a[9] }'
done
