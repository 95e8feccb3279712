#!/usr/bin/env bash
# gpu/run_on_card.sh FOLDER [SECONDS]: builds the harness for this machine's GPU, runs the checks of
# gpu/checks and the points of gpu/points.txt on it with every backend that could be built, and
# leaves in FOLDER the card's cost profile (h200.yaml), a JSON a run, packed into measured.tar.gz, and
# log.txt. No run begins after SECONDS (420). What build/prefix has is used if it is there
# (gpu/gather_prefix.sh).
#
# BUILD names another build folder than build/card, BACKENDS fewer backends (" ": only calibrate),
# POINTS another file of points.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
deadline=$((SECONDS + ${2:-420}))
build=${BUILD:-build/card}
read -ra backends <<<"${BACKENDS:-torch native cuda}"
mkdir -p "$out"
out=$(cd "$out" && pwd)
results=$(mktemp -d)
exec > >(tee "$out/log.txt") 2>&1

# Symbolic links do not always survive a copy.
restore_links() {
    local library
    for library in build/prefix/lib/*.so.*; do
        [[ -e ${library%.so.*}.so || ! -e $library ]] ||
            ln -sf "$(basename "$library")" "${library%.so.*}.so"
    done
}

build_harness() {
    restore_links
    cmake -G Ninja -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DCMAKE_UNITY_BUILD=ON -DHIGHWATER_GPU=ON -DHIGHWATER_TESTS=OFF -DHIGHWATER_BENCH=OFF \
        -DCMAKE_CUDA_ARCHITECTURES=native -DCMAKE_PREFIX_PATH="$PWD/build/prefix" \
        >"$out/configure.txt" 2>&1 || { tail -20 "$out/configure.txt"; return 1; }
    grep -i "not built" "$out/configure.txt"
    # One backend that does not compile is no reason to have none.
    ninja -C "$build" -k 0 gpu/all highwater-gpu >"$out/build.txt" 2>&1
    grep -E "error|FAILED" "$out/build.txt" | cut -c1-300 | head -40
    [[ -x $build/highwater-gpu ]]
}

# run NAME BACKEND WORDS...: one run, and a line about it. Sets `corrupt`.
run() {
    local name=$1 backend=$2 json status begin=$SECONDS
    shift 2
    json=$results/$backend/$name.json
    mkdir -p "$(dirname "$json")"
    "$build/highwater-gpu" run "$@" --backend "$backend" --time-limit 60 --json "$json" \
        >"$results/output" 2>&1
    status=$?
    corrupt=$(sed -nE 's/^corruption: ([0-9]+) words.*/\1/p' "$results/output")
    printf '%-7s %-44s exit %d, %d s, corrupt words: %s\n' \
        "$backend" "$name" "$status" $((SECONDS - begin)) "${corrupt:--}"
    if ((status > 1)); then
        tail -1 "$results/output" | cut -c1-300
    elif ((status == 1)); then
        grep -iE "failed|memory|error" "$results/output" | head -2 | cut -c1-300
    fi
    return "$status"
}

# The profile is named after the card: "NVIDIA H200" gives h200.yaml.
calibrate() {
    local begin=$SECONDS name
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 |
        sed 's/^NVIDIA //; s/[^A-Za-z0-9]/-/g' | tr '[:upper:]' '[:lower:]')
    "$build/highwater-gpu" calibrate --out "$out/$name.yaml" --date "$(date +%F)"
    echo "calibrate: exit $?, $((SECONDS - begin)) s, $name.yaml"
}

# Programs whose names end in _corrupt are meant to show corruption, the others are not.
checks() {
    local backend=$1 program name
    for program in gpu/checks/*.txt; do
        name=$(basename "$program" .txt)
        run "checks/$name" "$backend" "$program"
        case $?:$name:${corrupt:-0} in
            0:*_corrupt:0) echo "        WRONG: no corruption seen" ;;
            0:*_corrupt:* | 0:*:0 | 3:*) ;;
            *) echo "        WRONG: exit status or corruption" ;;
        esac
    done
}

points() {
    local backend=$1 line words name
    while read -r line; do
        [[ -n $line && $line != \#* ]] || continue
        ((SECONDS < deadline)) || { echo "no time left for $backend $line"; continue; }
        read -ra words <<<"$line"
        name=$(basename "${words[0]}" .yaml)$(printf '%s' "${words[@]:1}" | sed 's/--set/-/g; s/[^A-Za-z0-9=._-]/_/g')
        run "$name" "$backend" "${words[@]}"
    done <"${POINTS:-gpu/points.txt}"
}

finish() {
    rm -f "$results/output"
    tar -C "$results" -czf "$out/measured.tar.gz" .
    echo "all done after $SECONDS s"
}
trap finish EXIT

nvidia-smi --query-gpu=name,driver_version,memory.used --format=csv,noheader
build_harness || { echo "the harness was not built"; exit 1; }
echo "built after $SECONDS s"
calibrate
for backend in "${backends[@]}"; do
    checks "$backend"
done
for backend in "${backends[@]}"; do
    points "$backend"
done
