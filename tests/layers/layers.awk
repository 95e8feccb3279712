# Reads sources of ours and reports the includes and words that their layer may not have.

BEGIN {
    count = split("core allocator capture driver timeline engine hazards scenario snapshot plan report validate cli", order)
    for (i = 1; i <= count; ++i) rank[order[i]] = i
    # What only some layers may have: a pattern, the layers, and what to say.
    limit("#include <yaml-cpp/", "scenario", "YAML stays in sim/scenario")
    limit("#include <CLI/", "cli", "the command line stays in sim/cli")
    limit("#include <(iostream|fstream|filesystem)>", "scenario snapshot validate cli",
          "files stay out of the simulator")
    limit("#include <random>", "", "its distributions differ from library to library")
    limit("(system|steady|high_resolution)_clock", "cli", "no wall clock decides anything")
}

function limit(pattern, layers, reason) {
    patterns[++limits] = pattern
    allowed[limits] = " " layers " "
    reasons[limits] = reason
}

# The layer of "sim/core/bytes.hpp" is "core"; of "validate/compare.hpp", "validate".
function layer_of(path, parts) {
    split(path, parts, "/")
    return parts[1] == "sim" ? parts[2] : parts[1]
}

function report(problem) {
    printf "%s:%d: error: %s\n", FILENAME, FNR, problem
    violations = 1
}

FNR == 1 {
    layer = layer_of(FILENAME)
    if (layer != "gpu" && !(layer in rank)) report(layer " is not a layer; name it in layers.awk")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    used = layer_of(quoted[2])
    if (used == "gpu" && layer != "gpu") report(layer " may not include gpu")
    else if (used == "cli" && layer == "gpu") report("gpu may not include cli")
    else if (used != "gpu" && !(used in rank)) report("\"" quoted[2] "\" names no layer")
    else if (layer in rank && rank[used] > rank[layer]) report(layer " may not include " used)
}

layer != "gpu" {
    for (i = 1; i <= limits; ++i)
        if ($0 ~ patterns[i] && index(allowed[i], " " layer " ") == 0)
            report(layer ": " reasons[i])
}

END { exit violations }
