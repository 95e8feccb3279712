#!/usr/bin/env bash
# gpu/run_on_card.sh FOLDER [SECONDS]: builds the harness for this machine's GPU, runs the checks of
# gpu/checks and the points of gpu/points.txt on it with every backend that could be built, and
# leaves in FOLDER the card's cost profile (h200.yaml), a JSON a run, packed into measured.tar.gz, and
# log.txt. No run begins after SECONDS (420). What build/prefix has is used if it is there
# (gpu/gather_prefix.sh).
#
# BUILD names another build folder than build/card, BACKENDS fewer backends (" ": only calibrate),
# POINTS another file of points, REPEAT how often each is run: times are medians then. With RANKS=2 it
# runs in their place what needs that many GPUs, the points of gpu/points_ranks.txt, with a SECONDS
# of 130.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
ranks=${RANKS:-1}
if ((ranks > 1)); then limit=45 seconds=130; else limit=60 seconds=420; fi
deadline=$((SECONDS + ${2:-$seconds}))
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
    "$build/highwater-gpu" run "$@" --backend "$backend" --repeat "${REPEAT:-1}" --time-limit "$limit" --json "$json" \
        >"$results/output" 2>&1
    status=$?
    corrupt=$(sed -nE 's/^corruption: ([0-9]+) words.*/\1/p' "$results/output" |
        awk '{ sum += $1 } END { if (NR) print sum }')
    ((status == 0)) || cp "$results/output" "${json%.json}.txt"
    printf '%-7s %-44s exit %d, %d s, corrupt words: %s\n' \
        "$backend" "$name" "$status" $((SECONDS - begin)) "${corrupt:--}"
    if ((status > 1)); then
        grep -v '^$' "$results/output" | tail -2 | cut -c1-300
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

# point BACKEND LINE: a line of the lists of points.
point() {
    local backend=$1 words name
    [[ -n $2 && $2 != \#* ]] || return 0
    ((SECONDS < deadline)) || { echo "no time left for $backend $2"; return 0; }
    read -ra words <<<"$2"
    name=$(basename "${words[0]}" .yaml)$(printf '%s' "${words[@]:1}" | sed 's/--set/-/g; s/[^A-Za-z0-9=._-]/_/g')
    run "${prefix:-}$name" "$backend" "${words[@]}"
}

points() {
    local line
    while read -r line; do
        point "$1" "$line"
    done <"${POINTS:-gpu/points.txt}"
}

# NCCL as PyTorch has it, unless HIGHWATER_NCCL names another. Multicast over NVLink stays off: it is
# a state of switches that other users of the host share.
use_nccl() {
    local folder
    folder=$(python3 -c 'import nvidia.nccl as n; print(list(n.__path__)[0])' 2>/dev/null)
    if [[ -z ${HIGHWATER_NCCL:-} && -e $folder/lib/libnccl.so.2 ]]; then
        export HIGHWATER_NCCL=$folder/lib/libnccl.so.2
    fi
    export NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1
    export NCCL_DEBUG=${NCCL_DEBUG:-WARN}
    echo "NCCL: ${HIGHWATER_NCCL:-as the loader finds it}"
    nvidia-smi topo -m
}

# What matters most first: a point with every backend, then the next one.
points_of_ranks() {
    local line backend
    use_nccl
    while read -r line <&3; do
        for backend in "${backends[@]}"; do
            point "$backend" "$line"
        done
    done 3<gpu/points_ranks.txt
    # NCCL's memory by cudaMalloc in place of the driver's virtual memory.
    NCCL_CUMEM_ENABLE=0 prefix=no_cumem- point native scenarios/nccl_all_reduce.yaml
    point native "scenarios/aux_streams.yaml --device $((ranks - 1))"
    point torch "scenarios/aux_streams.yaml --device $((ranks - 1))"
    # One GPU too few: exit 3, and why.
    point native "scenarios/nccl_all_reduce.yaml --device 1"
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
if ((ranks > 1)); then
    points_of_ranks
    exit 0
fi
calibrate
for backend in "${backends[@]}"; do
    checks "$backend"
done
for backend in "${backends[@]}"; do
    points "$backend"
done
