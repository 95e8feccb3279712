#include "tests/plan/plan_support.hpp"

#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::test {

Scenario small_decoder(const std::string& phases) {
    return load_scenario(R"(
scenario: small
device: {total_memory: 1 GiB}
cost_profile: none
parameters: {layers: 4}
streams: {capture: {}}
workspaces: {blas: 32 MiB}
buckets: {decode: [4, 2]}
templates:
  block:
    in: x
    out: y
    weights: {w: 10 MiB}
    do:
      - matmul: {in: [x, w], out: {y: bucket * 4 MiB}, uses: blas}
model:
  out: y
  do:
    - embed: {out: {x: bucket * 4 MiB}}
    - layers: layers
      do: [{block: {in: x, out: x}}]
    - head: {in: x, out: {y: 1 KiB}}
phases:
)" + phases,
                         "small.yaml");
}

Lowered lowered_of(const Scenario& scenario) {
    return lower(scenario, resolve_parameters(scenario));
}

}  // namespace highwater::test
