#include <fmt/format.h>

#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

constexpr std::string_view kOutOfMemory = "out_of_memory";
constexpr std::string_view kPyTorchError = "pytorch_error";
constexpr std::string_view kCudaError = "cuda_error";

std::vector<Override> overrides(const YamlReader& map) {
    std::vector<Override> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of parameters")) {
        all.push_back(
            {entry.key.text, entry.value.scalar("a parameter's value").text, entry.key.place});
    }
    return all;
}

Outcome outcome(const YamlReader& map) {
    const bool is_out_of_memory = map.flag(kOutOfMemory, false);
    const bool is_error = map.flag(kPyTorchError, false) || map.find(kCudaError);
    if (is_out_of_memory && is_error) {
        throw InputError(map.place(),
                         fmt::format("both `{}` and `{}`",
                                     kOutOfMemory,
                                     map.find(kCudaError) ? kCudaError : kPyTorchError),
                         "keep one of them: the run ends at the first");
    }
    return is_out_of_memory ? Outcome::kOutOfMemory
           : is_error       ? Outcome::kPyTorchError
                            : Outcome::kFinished;
}

std::int64_t error_number(const YamlReader& value) {
    const PlacedText& text = value.scalar("an error's number");
    const Value number = literal(text);
    if (const auto* whole = std::get_if<std::int64_t>(&number); whole != nullptr && *whole > 0) {
        return *whole;
    }
    throw InputError(text.place,
                     fmt::format("`{}` where a number of cudaError_t should be", quoted(text.text)),
                     "write `cuda_error: 904`");
}

// Every key that is no word of the language is a measure.
void read_entry(const YamlReader::Entry& entry, Expectation& made) {
    const std::string& key = entry.key.text;
    if (key == "with") {
        made.with = overrides(entry.value);
    } else if (key == "within") {
        made.within = formula(entry.value, "a relative error");
    } else if (key == "note") {
        made.note = entry.value.scalar("a text").text;
    } else if (key == kCudaError) {
        made.cuda_error = error_number(entry.value);
    } else if (key != kOutOfMemory && key != kPyTorchError) {
        made.measures.push_back({entry.key, formula(entry.value, "an expression")});
    }
}

Expectation expectation(const YamlReader& map) {
    Expectation made;
    made.place = map.place();
    for (const YamlReader::Entry& entry : map.few_entries("an expectation")) {
        read_entry(entry, made);
    }
    made.outcome = outcome(map);
    if (made.measures.empty() && made.outcome == Outcome::kFinished) {
        throw InputError(made.place,
                         "an expectation of nothing",
                         fmt::format("name a measure, or write `{}: true`", kOutOfMemory));
    }
    return made;
}

}  // namespace

std::vector<Expectation> expectations(const YamlReader& list) {
    std::vector<Expectation> all;
    for (const YamlReader& each : list.items("a list of expectations")) {
        each.attempt([&] { all.push_back(expectation(each)); });
    }
    return all;
}

}  // namespace highwater::parse
