#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/plan/fit/card_fit.hpp"
#include "sim/plan/fit/sequences_fit.hpp"
#include "sim/plan/fit/target.hpp"

namespace highwater {

/// Answers to what was asked the other way round: not what comes of numbers, but which numbers.
struct InverseAnswers {
    std::optional<plan::SequencesFit> sequences;
    std::optional<plan::SmallestCard> card;
    std::optional<plan::TargetAnswer> target;
    /// Where the card's memory is given, for people: "--capacity", or the scenario's line.
    std::string capacity_from;
};

/// For people; empty if nothing was asked.
std::string inverse_text(const InverseAnswers& answers);

/// A key for each question that was asked.
nlohmann::ordered_json inverse_json(const InverseAnswers& answers);

/// `question,setting,value,fits`: a line for each answer.
std::string inverse_csv(const InverseAnswers& answers);

}  // namespace highwater
