#include "gpu/calibrate/fit.hpp"

#include "gpu/calibrate/figures.hpp"
#include "gpu/calibrate/fit_memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

using namespace highwater;
using namespace highwater::gpu;
using namespace highwater::literals;

namespace {

StreamMemory streams_of(Bytes each, Bytes in_context) {
    StreamMemory costs;
    costs.each = each;
    costs.in_context = in_context;
    return costs;
}

std::vector<Bytes> stairs(const StreamMemory& costs, Bytes step, std::size_t count) {
    std::vector<Bytes> grown;
    for (std::size_t i = 1; i <= count; ++i) {
        grown.push_back(in_steps(beyond(costs.each * i, costs.in_context), step));
    }
    return grown;
}

GraphExecCosts graph_costs() {
    GraphExecCosts costs;
    costs.kernel_node = 1500_B;
    costs.kernel_launch = 600_B;
    costs.graph = 90_KiB;
    costs.join = 140_KiB;
    costs.in_context = 3_MiB;
    return costs;
}

std::vector<GraphSequence> sequences(const GraphExecCosts& costs, Bytes step) {
    std::vector<GraphSequence> all;
    for (const std::vector<GraphForm>& forms : graph_sequences()) {
        all.push_back({forms, predicted(costs, step, forms)});
    }
    return all;
}

}  // namespace

TEST_CASE("a spread has the middle value and both ends", "[fit]") {
    CHECK(spread_of(std::vector<double>{3, 1, 2}) == Spread{2, 1, 3});
    CHECK(spread_of(std::vector<double>{4, 1, 2, 9}) == Spread{3, 1, 9});
    CHECK(spread_of(std::vector<double>{5}) == Spread{5, 5, 5});
    CHECK_FALSE(spread_of(Series{std::nullopt, std::nullopt}));
    CHECK(spread_of(Series{std::nullopt, 5.0}) == Spread{5, 5, 5});
}

TEST_CASE("a line goes through its points, and between them where they scatter", "[fit]") {
    const Line exact = line_through({{1, 5}, {2, 7}, {4, 11}});
    CHECK(exact.slope == Approx(2));
    CHECK(exact.at_zero == Approx(3));
    const Line level = line_through({{0, 1}, {1, -1}, {2, -1}, {3, 1}});
    CHECK(level.slope == Approx(0).margin(1e-12));
    CHECK(level.at_zero == Approx(0).margin(1e-12));
}

TEST_CASE("memory grows in the largest step that all readings are multiples of", "[fit]") {
    CHECK(step_of({0_B, 4_MiB, 4_MiB, 6_MiB}) == 2_MiB);
    CHECK(step_of({4_MiB, 8_MiB}) == 4_MiB);
    CHECK(step_of({0_B, 0_B}) == 0_B);
    CHECK(step_of({}) == 0_B);
}

TEST_CASE("figures are written in three digits, sizes to the last byte", "[fit]") {
    CHECK(microseconds(3'141.6) == "3.14 us");
    CHECK(microseconds(418'613'000) == "419000 us");
    CHECK(microseconds(71.4) == "0.071 us");
    CHECK(microseconds(0) == "0 us");
    CHECK(rate(53'249'000'000.0) == "53.2e9");
    CHECK(rate(1.9864e12) == "1.99e12");
    CHECK(rate(999.6e9) == "1e12");
    CHECK(rate(0) == "0");
    CHECK(exact_size(552'402'944_B) == "539456 KiB");
    CHECK(exact_size(2_MiB) == "2 MiB");
    CHECK(exact_size(1792_B) == "1792 B");
    CHECK(exact_size(0_B) == "0 B");
}

TEST_CASE("the memory of streams is found from its steps", "[fit]") {
    const auto [each, in_context] = GENERATE(
        table<Bytes, Bytes>({{556_KiB, 1152_KiB}, {2_MiB, 0_B}, {300_KiB, 4_MiB}, {3_MiB, 1_MiB}}));
    const StreamMemory truth = streams_of(each, in_context);
    const std::vector<Bytes> grown = stairs(truth, 2_MiB, kStreamsTried);
    const StreamMemory found = fit_streams(grown, 2_MiB).value();
    CHECK(stairs(found, 2_MiB, kStreamsTried) == grown);
    CHECK(static_cast<double>(found.each.count) ==
          Approx(static_cast<double>(each.count)).epsilon(0.02));
    CHECK(found.error == ErrorBar{2_MiB, 0});
}

TEST_CASE("streams that show nothing have no figures", "[fit]") {
    CHECK_FALSE(fit_streams({}, 2_MiB));
    CHECK_FALSE(fit_streams({0_B, 0_B}, 2_MiB));
    CHECK_FALSE(fit_streams({2_MiB}, 0_B));
}

TEST_CASE("the memory of graphs is found as far as it can be told", "[fit]") {
    constexpr Bytes kStep = 2_MiB;
    const std::vector<GraphSequence> measured = sequences(graph_costs(), kStep);
    const GraphExecCosts found = fit_graphs(measured, kStep).value();
    for (const GraphSequence& sequence : measured) {
        const std::vector<Bytes> said = predicted(found, kStep, sequence.forms);
        for (std::size_t i = 0; i < said.size(); ++i) {
            CHECK(std::max(said[i], sequence.grown[i]) - std::min(said[i], sequence.grown[i]) <=
                  kStep);
        }
    }
    // Of graphs that were not looked at, too.
    const std::vector<GraphForm> others{{700, 2, 1}, {1, 1, 12345}, {30, 4, 7}, {5, 2, 300}};
    const std::vector<Bytes> said = predicted(found, kStep, others);
    const std::vector<Bytes> truth = predicted(graph_costs(), kStep, others);
    for (std::size_t i = 0; i < said.size(); ++i) {
        CHECK(static_cast<double>(said[i].count) ==
              Approx(static_cast<double>(truth[i].count)).epsilon(0.05).margin(2 * 0x1p21));
    }
    CHECK_FALSE(fit_graphs({{{{1, 1, 10}}, {0_B}}}, kStep));
    CHECK_FALSE(fit_graphs({}, kStep));
}

TEST_CASE("what the formula does not meet is in its error", "[fit]") {
    constexpr Bytes kStep = 2_MiB;
    std::vector<GraphSequence> measured = sequences(graph_costs(), kStep);
    const ErrorBar exact = fit_graphs(measured, kStep).value().error;
    bool up = true;
    for (GraphSequence& sequence : measured) {
        for (Bytes& grown : sequence.grown) {
            grown = up ? grown + kStep * 4 : beyond(grown, kStep * 4);
            up = !up;
        }
    }
    const ErrorBar wide = fit_graphs(measured, kStep).value().error;
    CHECK(wide.absolute > exact.absolute);
    CHECK(wide.relative > exact.relative);
}
