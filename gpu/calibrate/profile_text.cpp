#include "gpu/calibrate/profile_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/size_text.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"

namespace highwater::gpu {
namespace {

using Paths = std::vector<std::string>;

constexpr std::uint64_t kMebibyte = 1ULL << 20U;
constexpr std::size_t kIndent = 2;

Paths split(const std::string& text, char at) {
    Paths words(1);
    for (const char letter : text) {
        if (letter == at) {
            words.emplace_back();
        } else {
            words.back() += letter;
        }
    }
    return words;
}

std::string quoted_text(const std::string& text) {
    return nlohmann::json(text).dump();
}

// Paths of a comment, on lines that are not too long.
std::string comment(const std::string& text) {
    constexpr std::size_t kWidth = 98;
    std::string made;
    std::string line;
    std::string spaced = text;
    std::ranges::replace(spaced, '\n', ' ');
    for (const std::string& word : split(spaced, ' ')) {
        if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
            made += fmt::format("# {}\n", line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return made + fmt::format("# {}\n", line);
}

std::string version_of(int cuda) {
    constexpr int kMajor = 1000;
    constexpr int kMinor = 10;
    return fmt::format("{}.{}", cuda / kMajor, cuda % kMajor / kMinor);
}

std::string card_of(const CardFacts& facts) {
    return fmt::format("{}, {} MiB, {} multiprocessors",
                       facts.name,
                       grouped(facts.total_memory.count / kMebibyte),
                       facts.multiprocessors);
}

// That of the profile it extends if it is the same card: its name alone tells.
bool is_card_of(const std::string& profile, const CardFacts& facts) {
    const std::optional<CostProfile> base = find_cost_profile(profile);
    return base && base->card.substr(0, base->card.find(',')) == facts.name;
}

std::string head(const Samples& samples, const ProfileFacts& facts) {
    const CardFacts& card = samples.facts;
    std::string text =
        comment(fmt::format("Measured by `highwater-gpu calibrate`{}: each time in {} processes.",
                            facts.date.empty() ? "" : ", " + facts.date,
                            samples.repeats));
    if (!facts.extends.empty()) {
        text += fmt::format("extends: {}\n", facts.extends);
    }
    if (!is_card_of(facts.extends, card)) {
        text += fmt::format("card: {}\n", quoted_text(card_of(card)));
    }
    if (!card.driver.empty()) {
        text += fmt::format("driver: {}\n", quoted_text(card.driver));
    }
    return text + fmt::format("cuda: {}\n", quoted_text(version_of(card.runtime_cuda)));
}

const Term* find(const Findings& findings, const std::string& path) {
    const auto found = std::ranges::find(findings.terms, path, &Term::path);
    return found == findings.terms.end() ? nullptr : &*found;
}

// Sources are texts in a profile, the other values say what they are themselves.
std::string line_of(const Term& term) {
    if (term.path.ends_with(".source")) {
        return quoted_text(term.source.empty() ? term.value : term.source);
    }
    return term.value + (term.source.empty() ? "" : "  # " + term.source);
}

std::string body(const Findings& findings) {
    std::string text;
    Paths open;
    for (const std::string& path : cost_profile_terms()) {
        const Term* const term = find(findings, path);
        if (term == nullptr) {
            continue;
        }
        Paths keys = split(path, '.');
        const std::string key = keys.back();
        keys.pop_back();
        const std::size_t same =
            static_cast<std::size_t>(std::ranges::mismatch(open, keys).in1 - open.begin());
        for (std::size_t i = same; i < keys.size(); ++i) {
            text += fmt::format("{:{}}{}:\n", "", i * kIndent, keys[i]);
        }
        text += fmt::format("{:{}}{}: {}\n", "", keys.size() * kIndent, key, line_of(*term));
        open = keys;
    }
    return text;
}

// Those that the file itself says, or of which it can do without.
bool is_told(const std::string& path) {
    return path == "card" || path == "driver" || path == "cuda";
}

}  // namespace

std::vector<std::string> unmeasured(const Findings& findings) {
    std::vector<std::string> paths;
    for (const std::string& path : cost_profile_terms()) {
        if (!is_told(path) && find(findings, path) == nullptr) {
            paths.push_back(path);
        }
    }
    return paths;
}

std::string profile_text(const Samples& samples,
                         const Findings& findings,
                         const ProfileFacts& facts) {
    std::string text = head(samples, facts);
    if (const Paths missing = unmeasured(findings); !missing.empty()) {
        text += comment(fmt::format("{}: {}.",
                                    facts.extends.empty() ? "Not measured, and yet to be added"
                                                          : "Not measured, so as extended",
                                    fmt::join(missing, ", ")));
    }
    text += body(findings);
    if (!findings.asides.empty()) {
        text += "\n# Measured as well:\n";
    }
    for (const std::string& aside : findings.asides) {
        text += comment(aside);
    }
    return text;
}

}  // namespace highwater::gpu
