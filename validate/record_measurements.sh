#!/usr/bin/env bash
# record_measurements.sh RESULTS FOLDER: keeps of what gpu/run_on_card.sh wrote into RESULTS what
# `highwater validate` compares, a file a run under FOLDER/BACKEND. Needs jq.
set -euo pipefail

readonly keep='{highwater, scenario, parameters, checkpoints, result, measures,
  pools: [.pools[] | del(.stranded_bytes, .last_growth)],
  graphs: [.graphs[] | del(.is_width_exact, .critical_path_ns)],
  notices, failure,
  measured: (.measured | {backend, framework, card, ballast_bytes, repeats, times,
    corruption: (.corruption | .operations |= map(del(.text)))})}
  | if .failure == null then del(.failure) else . end'
readonly most_plain_bytes=16384

for backend in torch native cuda; do
    [[ -d $1/$backend ]] || continue
    mkdir -p "$2/$backend"
    for file in "$1/$backend"/*.json; do
        kept=$2/$backend/$(basename "$file")
        rm -f "$kept" "$kept.gz"
        jq -c "$keep" "$file" >"$kept"
        if [ "$(stat -c %s "$kept")" -gt "$most_plain_bytes" ]; then
            gzip -9n "$kept"
        fi
    done
done
