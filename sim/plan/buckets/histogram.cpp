#include "sim/plan/buckets/histogram.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

class CsvReader {
  public:
    CsvReader(const std::string& file, std::int64_t largest) : file_(file), largest_(largest) {}

    void read(std::string_view line) {
        ++line_;
        line = trimmed(line);
        if (line.empty() || line.starts_with('#') || is_title(line)) {
            return;
        }
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos) {
            throw problem(fmt::format("`{}` is no pair of numbers", quoted(line)),
                          "write `batch,count`, as in `8,120`");
        }
        const std::int64_t batch = batch_of(trimmed(line.substr(0, comma)));
        add(batch, number(trimmed(line.substr(comma + 1)), "count", 0, kMaxBatches));
    }

    BatchHistogram histogram() const {
        BatchHistogram made;
        for (const auto& [batch, seen] : seen_) {
            if (seen.count > 0) {
                made.push_back({batch, seen.count});
            }
        }
        if (made.empty()) {
            throw InputError({file_},
                             "a histogram of no batches",
                             "write a line `batch,count` for each batch size, as in `8,120`");
        }
        return made;
    }

  private:
    struct Seen {
        std::int64_t count;
        std::size_t line;
    };

    bool is_title(std::string_view line) {
        const bool is_first = !std::exchange(had_line_, true);
        const std::string_view word = trimmed(line.substr(0, line.find(',')));
        return is_first && word == "batch" && line.ends_with("count");
    }

    std::int64_t batch_of(std::string_view text) const {
        const std::int64_t batch = number(text, "batch size", 1, INT64_MAX);
        if (batch > largest_) {
            throw problem(
                fmt::format(
                    "a batch of {} is larger than the largest candidate, {}", batch, largest_),
                "leave it out, for it runs without a graph, or name larger candidates: "
                "`--bucket-candidates`");
        }
        return batch;
    }

    void add(std::int64_t batch, std::int64_t count) {
        const auto [at, is_new] = seen_.try_emplace(batch, Seen{count, line_});
        if (!is_new) {
            throw problem(
                fmt::format("batch {} comes twice, first in line {}", batch, at->second.line),
                "write one line for each batch size, with the sum of both");
        }
        total_ += count;
        if (total_ > kMaxBatches) {
            throw problem(fmt::format("more than {} batches in all", kMaxBatches),
                          "divide all counts by the same number");
        }
    }

    std::int64_t number(std::string_view text,
                        std::string_view what,
                        std::int64_t least,
                        std::int64_t most) const {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool is_whole = error == std::errc{} && end == text.data() + text.size();
        if (!is_whole || value < least || value > most) {
            throw problem(fmt::format("the {} is `{}`", what, quoted(text)),
                          fmt::format("write a whole number from {}{}",
                                      least,
                                      most == INT64_MAX ? "" : fmt::format(" to {}", most)));
        }
        return value;
    }

    InputError problem(const std::string& what, const std::string& remedy) const {
        return InputError({file_, line_}, what, remedy);
    }

    const std::string& file_;
    std::int64_t largest_;
    std::size_t line_ = 0;
    bool had_line_ = false;
    std::int64_t total_ = 0;
    std::map<std::int64_t, Seen> seen_;
};

}  // namespace

std::int64_t batches_in(const BatchHistogram& histogram) {
    std::int64_t sum = 0;
    for (const BatchCount& each : histogram) {
        sum += each.count;
    }
    return sum;
}

std::int64_t rows_in(const BatchHistogram& histogram) {
    std::int64_t sum = 0;
    for (const BatchCount& each : histogram) {
        sum += each.count * each.batch;
    }
    return sum;
}

BatchHistogram histogram_from_csv(std::string_view text,
                                  const std::string& file,
                                  std::int64_t largest) {
    text = without_byte_order_mark(text);
    CsvReader reader(file, largest);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.histogram();
}

}  // namespace highwater::plan
