#include "sim/report/plan/inverse_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/report/csv.hpp"
#include "sim/report/size_text.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

std::string sequences_text(const plan::SequencesFit& fit) {
    const std::string tokens = fmt::format("{} tokens", grouped(fit.length));
    if (fit.sequences == 0) {
        return fmt::format("sequences of {}: not even one fits ({} runs)\n", tokens, fit.runs);
    }
    return fmt::format("sequences of {}: at most {} ({}); one more does not fit ({} runs)\n",
                       tokens,
                       grouped(fit.sequences),
                       size_text(fit.bytes),
                       fit.runs);
}

std::string with_tokens(const std::optional<std::int64_t>& tokens) {
    return tokens ? fmt::format(", with a KV cache of {} tokens", grouped(*tokens)) : "";
}

std::string card_text(const plan::SmallestCard& card) {
    std::string text = card.capacity
                           ? fmt::format(
                                 "smallest card: {} MiB{}; with one MiB less it does not fit "
                                 "({} runs)\n",
                                 grouped(card.capacity->count >> 20U),
                                 with_tokens(card.kv_tokens),
                                 card.runs)
                           : "smallest card: none is large enough\n";
    for (const plan::KnownCard& each : card.known) {
        text += fmt::format("  {} ({}): {}{}\n",
                            each.name,
                            size_text(each.capacity),
                            each.fits ? "fits" : "does not fit",
                            each.fits ? with_tokens(each.kv_tokens) : "");
    }
    return text;
}

std::string number_text(const std::optional<double>& value, const plan::Target& target) {
    if (!value) {
        return "no end of the run";
    }
    const auto whole = static_cast<std::int64_t>(*value);
    const std::string number =
        static_cast<double>(whole) == *value ? grouped(whole) : fmt::format("{}", *value);
    return target.measure.ends_with("_bytes") && whole >= 0
               ? fmt::format("{} ({})", number, size_text(Bytes{static_cast<std::uint64_t>(whole)}))
               : number;
}

std::string settings_text(const std::vector<plan::Setting>& settings) {
    std::vector<std::string> words;
    for (const plan::Setting& each : settings) {
        words.push_back(fmt::format("{}={}", each.name, each.value));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::string wanted_text(const plan::Target& target) {
    return fmt::format("{} {} {}",
                       target.measure,
                       target.at_most ? "<=" : ">=",
                       number_text(target.value, target));
}

// Who has most of the card, most first.
std::string in_the_way_text(const plan::TargetAnswer& answer, const std::string& capacity_from) {
    const plan::Budget& budget = *answer.in_the_way;
    std::string text =
        fmt::format("  these conflict: --target wants {} for the KV cache ({}:{}); {} has {}",
                    size_text(*answer.wanted),
                    answer.cache.file,
                    answer.cache.line,
                    capacity_from,
                    size_text(budget.capacity));
    std::vector<plan::BudgetLine> lines = budget.lines;
    std::erase_if(lines, [](const auto& each) { return each.item == plan::BudgetItem::kKvCache; });
    std::ranges::stable_sort(lines, std::greater<>(), &plan::BudgetLine::bytes);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, lines.size()); ++i) {
        text += fmt::format("; {}{} takes {} ({})",
                            name_of(lines[i].item),
                            lines[i].name.empty() ? "" : " " + lines[i].name,
                            size_text(lines[i].bytes),
                            lines[i].source);
    }
    return text + '\n';
}

std::string target_text(const plan::TargetAnswer& answer, const std::string& capacity_from) {
    const std::string what = wanted_text(answer.target);
    const std::string runs = fmt::format(" ({} runs)\n", answer.runs);
    if (answer.is_reached_already) {
        return fmt::format("{}: as it stands, with {}",
                           what,
                           number_text(answer.own.value, answer.target)) +
               runs;
    }
    std::string text = fmt::format(
        "{}: it has {} as it stands", what, number_text(answer.own.value, answer.target));
    if (answer.found.empty()) {
        text += fmt::format("; no setting of the ranges reaches it{}", runs);
        text += fmt::format("  nearest: {}, with {}\n",
                            settings_text(answer.nearest->settings),
                            number_text(answer.nearest->value, answer.target));
        return text + (answer.in_the_way ? in_the_way_text(answer, capacity_from) : "");
    }
    text += runs;
    for (const plan::TargetPoint& each : answer.found) {
        text += fmt::format(
            "  {}: {}\n", settings_text(each.settings), number_text(each.value, answer.target));
    }
    return text;
}

Json value_json(const std::optional<double>& value) {
    if (!value) {
        return {};
    }
    const auto whole = static_cast<std::int64_t>(*value);
    return static_cast<double>(whole) == *value ? Json(whole) : Json(*value);
}

Json point_json(const plan::TargetPoint& point) {
    Json settings = Json::object();
    for (const plan::Setting& each : point.settings) {
        settings[each.name] = each.value;
    }
    return {{"settings", settings}, {"value", value_json(point.value)}};
}

Json target_json(const plan::TargetAnswer& answer) {
    Json json{{"measure", answer.target.measure},
              {answer.target.at_most ? "at_most" : "at_least", value_json(answer.target.value)},
              {"as_it_stands", value_json(answer.own.value)},
              {"reached_already", answer.is_reached_already},
              {"runs", answer.runs}};
    json["found"] = Json::array();
    for (const plan::TargetPoint& each : answer.found) {
        json["found"].push_back(point_json(each));
    }
    json["nearest"] = answer.nearest ? point_json(*answer.nearest) : Json();
    json["wanted_bytes"] = answer.wanted ? Json(answer.wanted->count) : Json();
    return json;
}

Json card_json(const plan::SmallestCard& card) {
    const auto tokens_json = [](const auto& tokens) { return tokens ? Json(*tokens) : Json(); };
    Json json{{"capacity_bytes", card.capacity ? Json(card.capacity->count) : Json()},
              {"kv_tokens", tokens_json(card.kv_tokens)}};
    json["known"] = Json::array();
    for (const plan::KnownCard& each : card.known) {
        json["known"].push_back({{"device", each.name},
                                 {"capacity_bytes", each.capacity.count},
                                 {"fits", each.fits},
                                 {"kv_tokens", tokens_json(each.kv_tokens)}});
    }
    return json;
}

}  // namespace

std::string inverse_text(const InverseAnswers& answers) {
    return (answers.sequences ? sequences_text(*answers.sequences) : "") +
           (answers.card ? card_text(*answers.card) : "") +
           (answers.target ? target_text(*answers.target, answers.capacity_from) : "");
}

Json inverse_json(const InverseAnswers& answers) {
    Json json = Json::object();
    if (answers.sequences) {
        json["sequences"] = {{"length", answers.sequences->length},
                             {"tokens_each", answers.sequences->tokens_each},
                             {"sequences", answers.sequences->sequences},
                             {"bytes", answers.sequences->bytes.count}};
    }
    if (answers.card) {
        json["smallest_card"] = card_json(*answers.card);
    }
    if (answers.target) {
        json["target"] = target_json(*answers.target);
    }
    return json;
}

std::string inverse_csv(const InverseAnswers& answers) {
    std::string text = "question,setting,value,reached\n";
    if (answers.sequences) {
        text += csv_line({"sequences",
                          std::to_string(answers.sequences->length),
                          std::to_string(answers.sequences->sequences),
                          answers.sequences->sequences > 0 ? "true" : "false"});
    }
    if (answers.card) {
        const auto& capacity = answers.card->capacity;
        text += csv_line({"smallest_card",
                          "capacity_bytes",
                          capacity ? std::to_string(capacity->count) : "",
                          capacity ? "true" : "false"});
        for (const plan::KnownCard& each : answers.card->known) {
            text += csv_line({"known_card",
                              each.name,
                              std::to_string(each.capacity.count),
                              each.fits ? "true" : "false"});
        }
    }
    const auto add_point = [&](const plan::TargetPoint& point, bool reached) {
        text += csv_line({"target",
                          settings_text(point.settings),
                          point.value ? fmt::format("{}", *point.value) : "",
                          reached ? "true" : "false"});
    };
    if (answers.target) {
        add_point(answers.target->own, answers.target->is_reached_already);
        std::ranges::for_each(answers.target->found,
                              [&](const auto& each) { add_point(each, true); });
        if (answers.target->nearest) {
            add_point(*answers.target->nearest, false);
        }
    }
    return text;
}

}  // namespace highwater
