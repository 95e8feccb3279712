#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/core/check.hpp"
#include "sim/engine/op_grammar.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/engine/text_words.hpp"

namespace highwater {
namespace {

std::vector<std::string> words_of(const std::vector<std::string>& names) {
    std::vector<std::string> words;
    std::set<std::string_view> seen;
    for (const std::string& name : names) {
        check(!name.empty(), "every name of a Program has letters");
        check(seen.insert(name).second, "a name of a Program names one thing");
        words.push_back(word_of(name));
    }
    return words;
}

std::vector<std::string> words_of(const std::vector<StreamEntry>& streams) {
    std::vector<std::string> names;
    names.reserve(streams.size());
    for (const StreamEntry& stream : streams) {
        names.push_back(stream.name);
    }
    return words_of(names);
}

/// The `Form` that writes: appends each field to the text, after a space.
class Writer {
  public:
    explicit Writer(const Program& program)
        : streams_(words_of(program.streams)),
          tensors_(words_of(program.tensors)),
          events_(words_of(program.events)),
          graphs_(words_of(program.graphs)),
          pools_(words_of(program.pools)),
          threads_(words_of(program.threads)) {}

    void header() { text_ += "highwater-program 1  # what a host does, in order\n"; }

    void machine(const Machine& machine) {
        fmt::format_to(std::back_inserter(text_),
                       "machine total_memory {} memory_fraction {} conf {}",
                       machine.total_memory.count,
                       machine.memory_fraction,
                       word_of(machine.conf));
        flag("no_caching", !machine.caching);
        flag("blocking_launches", machine.blocking_launches);
        if (!machine.cost_profile.empty()) {
            append("cost_profile");
            append(word_of(machine.cost_profile));
        }
        if (machine.ranks > 1) {
            fmt::format_to(std::back_inserter(text_), " ranks {}", machine.ranks);
        }
        text_ += '\n';
    }

    void names(const Program& program) {
        for (std::size_t i = 0; i < streams_.size(); ++i) {
            fmt::format_to(std::back_inserter(text_),
                           "stream {} handle {:#x}",
                           streams_[i],
                           static_cast<std::uint64_t>(program.streams[i].handle));
            flag("blocking", program.streams[i].blocking);
            text_ += '\n';
        }
        declare("tensor", tensors_);
        declare("event", events_);
        declare("graph", graphs_);
        declare("pool", pools_);
        declare("thread", threads_);
    }

    void operation(const Op& op) {
        std::visit(
            [this](const auto& operation) {
                using Rules = Grammar<std::decay_t<decltype(operation)>>;
                text_ += Rules::kVerb;
                Rules::fields(*this, operation);
                text_ += '\n';
            },
            op);
    }

    std::string take() { return std::move(text_); }

    void name(StreamId id) { append(streams_, id); }
    void name(TensorId id) { append(tensors_, id); }
    void name(EventName id) { append(events_, id); }
    void name(GraphId id) { append(graphs_, id); }
    void name(PoolName id) { append(pools_, id); }
    void name(ThreadId id) { append(threads_, id); }
    void size(Bytes bytes) { fmt::format_to(std::back_inserter(text_), " {}", bytes.count); }
    void optional_size(std::string_view keyword, Bytes size_or_none) {
        if (size_or_none > Bytes{}) {
            append(keyword);
            size(size_or_none);
        }
    }
    void text(const std::string& text) { append(word_of(text)); }
    void remark(const std::string& remark) { text(remark); }

    void word(std::string_view keyword, auto id) {
        append(keyword);
        name(id);
    }
    void optional_word(std::string_view keyword, const auto& id) {
        if (id) {
            word(keyword, *id);
        }
    }
    void list(std::string_view keyword, const auto& ids) {
        if (ids.empty()) {
            return;
        }
        append(keyword);
        for (const auto id : ids) {
            name(id);
        }
    }
    void flag(std::string_view keyword, bool is_set) {
        if (is_set) {
            append(keyword);
        }
    }
    void time(Duration time) { append(std::to_string(time.count())); }
    void optional_time(std::string_view keyword, Duration time_or_none) {
        if (time_or_none != Duration{}) {
            append(keyword);
            time(time_or_none);
        }
    }
    void share(std::string_view keyword, float share) {
        if (share != 1) {
            append(keyword);
            append(fmt::format("{}", share));
        }
    }
    void choice(const auto& names, auto chosen) {
        append(names.at(static_cast<std::size_t>(chosen)));
    }
    void optional_choice(std::string_view keyword, const auto& names, auto chosen) {
        if (static_cast<std::size_t>(chosen) != 0) {
            append(keyword);
            choice(names, chosen);
        }
    }

  private:
    void declare(std::string_view kind, const std::vector<std::string>& words) {
        for (const std::string& word : words) {
            fmt::format_to(std::back_inserter(text_), "{} {}\n", kind, word);
        }
    }
    void append(std::string_view word) {
        text_ += ' ';
        text_ += word;
    }
    void append(const std::vector<std::string>& words, auto id) {
        const auto index = static_cast<std::size_t>(id);
        check(index < words.size(), "an id of a Program is an index into its table");
        append(words[index]);
    }

    std::vector<std::string> streams_;
    std::vector<std::string> tensors_;
    std::vector<std::string> events_;
    std::vector<std::string> graphs_;
    std::vector<std::string> pools_;
    std::vector<std::string> threads_;
    std::string text_;
};

}  // namespace

std::string to_text(const Program& program) {
    Writer writer(program);
    writer.header();
    writer.machine(program.machine);
    writer.names(program);
    for (const Op& op : program.ops) {
        writer.operation(op);
    }
    return writer.take();
}

}  // namespace highwater
