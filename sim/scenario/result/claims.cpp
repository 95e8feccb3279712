#include "sim/scenario/result/claims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/check.hpp"
#include "sim/engine/run.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/result/measures.hpp"

namespace highwater {
namespace {

Outcome outcome_of(const Ledger& ledger) {
    if (!ledger.failure) {
        return Outcome::kFinished;
    }
    return ledger.failure->kind == Failure::Kind::kOutOfMemory ? Outcome::kOutOfMemory
                                                               : Outcome::kPyTorchError;
}

std::string outcome_text(Outcome outcome) {
    switch (outcome) {
        case Outcome::kFinished:
            return "done";
        case Outcome::kOutOfMemory:
            return "out of memory";
        case Outcome::kPyTorchError:
            return "error";
    }
    return "";
}

double tolerance(const Expectation& expectation, const Scope& scope) {
    if (!expectation.within) {
        return 0;
    }
    const Value value = evaluate(*expectation.within, scope);
    if (!is_number(value) || as_real(value) < 0) {
        throw InputError(expectation.within->source.place,
                         fmt::format("`within` is `{}`", to_text(value)),
                         "give it a relative error, such as 0.05");
    }
    return as_real(value);
}

bool agree(const Value& expected, const Value& got, double within) {
    if (!is_number(expected) || !is_number(got)) {
        return expected == got;
    }
    if (within == 0) {
        return std::get<bool>(binary_operation("==", expected, got, 0));
    }
    return std::abs(as_real(got) - as_real(expected)) <= within * std::abs(as_real(expected));
}

const Measure& find_measure(const std::vector<Measure>& measures, const std::string& name) {
    const auto found = std::find_if(measures.begin(), measures.end(), [&](const Measure& measure) {
        return measure.name == name;
    });
    check(found != measures.end(), "`check_expectations` has seen every measure");
    return *found;
}

// What all claims of an expectation have in common.
Claim blank_claim(const Expectation& expectation) {
    Claim claim;
    claim.place = expectation.place;
    claim.with = expectation.with;
    claim.note = expectation.note;
    return claim;
}

Claim outcome_claim(const Expectation& expectation, Outcome got) {
    Claim claim = blank_claim(expectation);
    claim.measure = "outcome";
    claim.expected = outcome_text(expectation.outcome);
    claim.got = outcome_text(got);
    claim.holds = got == expectation.outcome;
    return claim;
}

Claim cuda_error_claim(const Expectation& expectation, const Ledger& ledger) {
    Claim claim = blank_claim(expectation);
    claim.measure = "cuda_error";
    claim.expected = *expectation.cuda_error;
    if (ledger.failure && ledger.failure->cuda_error) {
        claim.got = static_cast<std::int64_t>(*ledger.failure->cuda_error);
    }
    claim.holds = claim.got == claim.expected;
    return claim;
}

Claim hazards_claim(const Expectation& expectation, std::size_t found) {
    Claim claim = blank_claim(expectation);
    claim.measure = "hazards";
    claim.expected = std::int64_t{0};
    claim.got = static_cast<std::int64_t>(found);
    return claim;
}

Claim measure_claim(const Expectation& expectation,
                    const ExpectedMeasure& expected,
                    const std::vector<Measure>& measures,
                    const Scope& scope) {
    Claim claim = blank_claim(expectation);
    claim.place = expected.measure.place;
    claim.measure = expected.measure.text;
    claim.expected = evaluate(expected.value, scope);
    claim.within = tolerance(expectation, scope);
    claim.got = find_measure(measures, claim.measure).value;
    claim.holds = claim.got && agree(claim.expected, *claim.got, claim.within);
    return claim;
}

}  // namespace

std::vector<Claim> claims_of(const Scenario& scenario,
                             const Expectation& expectation,
                             bool strict) {
    const ParameterValues values = resolve_parameters(scenario, expectation.with);
    const Lowered lowered = lower(scenario, values);
    const Program& program = lowered.program;
    const std::optional<CostProfile>& costs = scenario.machine.costs;
    RunOptions options;
    options.costs = costs ? &*costs : nullptr;
    HazardDetector detector(program);
    options.observer = strict ? &detector : nullptr;
    const Ledger ledger = run(program, options);
    const std::vector<Measure> measures =
        evaluate_measures(scenario, values, program, ledger, lowered.served);
    std::vector<Claim> claims;
    const Outcome outcome = outcome_of(ledger);
    if (outcome != Outcome::kFinished || expectation.outcome != Outcome::kFinished) {
        claims.push_back(outcome_claim(expectation, outcome));
    }
    if (expectation.cuda_error) {
        claims.push_back(cuda_error_claim(expectation, ledger));
    }
    const std::size_t hazards = detector.hazards().size() + detector.unlisted();
    if (hazards > 0) {
        claims.push_back(hazards_claim(expectation, hazards));
    }
    for (const ExpectedMeasure& expected : expectation.measures) {
        claims.push_back(measure_claim(expectation, expected, measures, values));
    }
    return claims;
}

std::vector<Claim> claims_of(const Scenario& scenario, bool strict) {
    std::vector<Claim> all;
    for (const Expectation& expectation : scenario.expectations) {
        for (Claim& claim : claims_of(scenario, expectation, strict)) {
            all.push_back(std::move(claim));
        }
    }
    return all;
}

std::string with_text(const Claim& claim) {
    std::string text;
    for (const Override& each : claim.with) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", each.name, each.value);
    }
    return text;
}

std::string to_text(const Claim& claim) {
    return fmt::format("{}:{}: {}{}{}: expected {}{}, got {}",
                       claim.place.file,
                       claim.place.line,
                       claim.measure,
                       claim.with.empty() ? "" : " with ",
                       with_text(claim),
                       to_text(claim.expected),
                       claim.within > 0 ? fmt::format(" within {}", claim.within) : "",
                       claim.got ? to_text(*claim.got) : "none");
}

}  // namespace highwater
