#include "sim/report/plan/advice_text.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/report/csv.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;
using plan::PlanAdvice;
using plan::Tried;

std::string signed_tokens(const std::optional<std::int64_t>& tokens) {
    if (!tokens) {
        return "-";
    }
    return (*tokens > 0 ? "+" : "") + grouped(*tokens);
}

std::string signed_time(const std::optional<Duration>& time) {
    if (!time) {
        return "-";
    }
    return *time == Duration{} ? "0" : (*time > Duration{} ? "+" : "") + time_text(*time);
}

std::vector<std::string> hazard_words(const Tried& tried) {
    std::vector<std::string> words;
    for (std::size_t kind = 0; kind < tried.hazards.size(); ++kind) {
        if (tried.hazards.at(kind) > 0) {
            words.push_back(
                fmt::format("{} {}", tried.hazards.at(kind), kHazardKindNames.at(kind)));
        }
    }
    return words;
}

std::string hazards_text(const Tried& tried) {
    return tried.is_hazardous() ? fmt::format("{}", fmt::join(hazard_words(tried), ", ")) : "none";
}

std::string saved_text(std::int64_t saved) {
    return (saved < 0 ? "-" : "") + size_text(Bytes{static_cast<std::uint64_t>(std::abs(saved))});
}

std::string name_of_row(std::size_t row) {
    return fmt::format("{}", row + 1);
}

void add_tried(TextTable& table,
               const std::string& name,
               const Tried& tried,
               const std::string& text) {
    table.add_row({name,
                   text,
                   saved_text(tried.saved),
                   signed_tokens(tried.kv_tokens),
                   signed_time(tried.time),
                   signed_time(tried.capturing),
                   hazards_text(tried),
                   tried.fits ? "yes" : "no"});
}

std::string advice_table(const PlanAdvice& advice) {
    TextTable table({{"", kLeft},
                     {"what would save memory", kLeft},
                     {"saves"},
                     {"KV tokens"},
                     {"time"},
                     {"capturing"},
                     {"new hazards", kLeft},
                     {"fits", kLeft}});
    if (advice.together) {
        std::vector<std::string> parts;
        for (const std::size_t part : advice.parts) {
            parts.push_back(name_of_row(part));
        }
        add_tried(
            table, "*", *advice.together, fmt::format("best together: {}", fmt::join(parts, ", ")));
    }
    for (std::size_t row = 0; row < advice.each.size(); ++row) {
        add_tried(table, name_of_row(row), advice.each[row], advice.each[row].text);
    }
    for (const Tried& each : advice.hazardous) {
        add_tried(table, "not", each, each.text);
    }
    return table.text();
}

std::string how_table(const PlanAdvice& advice) {
    TextTable table({{"", kLeft}, {"what to write", kLeft}});
    for (std::size_t row = 0; row < advice.each.size(); ++row) {
        table.add_row({name_of_row(row), advice.each[row].change});
    }
    return advice.each.empty() ? "" : '\n' + table.text();
}

std::string compared_text(const PlanAdvice& advice) {
    std::string text = fmt::format("advice: {} in use at the worst moment", size_text(advice.peak));
    if (advice.compared_tokens) {
        text += fmt::format(", with a KV cache of {} tokens in every run",
                            grouped(*advice.compared_tokens));
    }
    return text + (advice.fits ? "" : ", on a larger card, because it does not fit on this") + '\n';
}

std::string rest_text(const PlanAdvice& advice) {
    return fmt::format(
        "{}{} runs; {} others do nothing here or were not confirmed: --json says why\n",
        advice.hazardous.empty()
            ? ""
            : "`not`: it saves memory, and has hazards that the scenario has not\n",
        advice.runs,
        advice.left_out.size());
}

Json duration_json(const std::optional<Duration>& time) {
    return time ? Json(time->count()) : Json();
}

Json tried_json(const Tried& tried) {
    Json json{{"remedy", tried.text},
              {"change", tried.change},
              {"peak_bytes", tried.peak.count},
              {"saved_bytes", tried.saved},
              {"kv_tokens", tried.kv_tokens ? Json(*tried.kv_tokens) : Json()},
              {"time_ns", duration_json(tried.time)},
              {"capturing_ns", duration_json(tried.capturing)},
              {"fits", tried.fits}};
    json["new_hazards"] = Json::object();
    for (std::size_t kind = 0; kind < tried.hazards.size(); ++kind) {
        if (tried.hazards.at(kind) > 0) {
            json["new_hazards"][std::string(kHazardKindNames.at(kind))] = tried.hazards.at(kind);
        }
    }
    return json;
}

Json tried_list_json(const std::vector<Tried>& all) {
    Json list = Json::array();
    for (const Tried& each : all) {
        list.push_back(tried_json(each));
    }
    return list;
}

std::string csv_row(const std::string& kind, const Tried& tried) {
    const auto number = [](const auto& each) { return each ? std::to_string(*each) : ""; };
    const auto time = [](const auto& each) { return each ? std::to_string(each->count()) : ""; };
    return csv_line({kind,
                     tried.text,
                     tried.change,
                     std::to_string(tried.saved),
                     number(tried.kv_tokens),
                     time(tried.time),
                     time(tried.capturing),
                     fmt::format("{}", fmt::join(hazard_words(tried), ", ")),
                     tried.fits ? "true" : "false"});
}

}  // namespace

std::string plan_advice_text(const PlanAdvice& advice) {
    if (advice.each.empty() && advice.hazardous.empty()) {
        return compared_text(advice) + "nothing that was run saves memory\n" + rest_text(advice);
    }
    return compared_text(advice) + advice_table(advice) + how_table(advice) + '\n' +
           rest_text(advice);
}

Json plan_advice_json(const PlanAdvice& advice) {
    Json json{
        {"peak_bytes", advice.peak.count},
        {"fits", advice.fits},
        {"compared_kv_tokens", advice.compared_tokens ? Json(*advice.compared_tokens) : Json()},
        {"kv_tokens", advice.kv_tokens ? Json(*advice.kv_tokens) : Json()},
        {"runs", advice.runs}};
    json["each"] = tried_list_json(advice.each);
    json["together"] = advice.together ? tried_json(*advice.together) : Json();
    if (advice.together) {
        json["together"]["parts"] = advice.parts;
    }
    json["hazardous"] = tried_list_json(advice.hazardous);
    json["left_out"] = Json::array();
    for (const plan::LeftOut& each : advice.left_out) {
        json["left_out"].push_back({{"remedy", each.text}, {"why", each.why}});
    }
    return json;
}

std::string plan_advice_csv(const PlanAdvice& advice) {
    std::string text =
        "kind,remedy,change,saved_bytes,kv_tokens,time_ns,capturing_ns,new_hazards,fits\n";
    text += advice.together ? csv_row("together", *advice.together) : "";
    for (const Tried& each : advice.each) {
        text += csv_row("alone", each);
    }
    for (const Tried& each : advice.hazardous) {
        text += csv_row("hazardous", each);
    }
    return text;
}

}  // namespace highwater
