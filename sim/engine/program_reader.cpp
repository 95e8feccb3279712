#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"
#include "sim/engine/modelled_settings.hpp"
#include "sim/engine/name_table.hpp"
#include "sim/engine/op_grammar.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/engine/text_cursor.hpp"

namespace highwater {
namespace {

constexpr std::string_view kFormat = "highwater-program";
constexpr std::string_view kVersion = "1";

struct Names {
    TextNameTable streams{"stream"};
    TextNameTable tensors{"tensor"};
    TextNameTable events{"event"};
    TextNameTable graphs{"graph"};
    TextNameTable pools{"pool"};
    TextNameTable threads{"thread"};
};

/// The `Form` that reads: fills each field from the line.
class LineForm {
  public:
    LineForm(const Names& names, TextCursor& line) : names_(names), line_(line) {}

    void name(StreamId& id) { look_up(names_.streams, id); }
    void name(TensorId& id) { look_up(names_.tensors, id); }
    void name(EventName& id) { look_up(names_.events, id); }
    void name(GraphId& id) { look_up(names_.graphs, id); }
    void name(PoolName& id) { look_up(names_.pools, id); }
    void name(ThreadId& id) { look_up(names_.threads, id); }
    void size(Bytes& bytes) { bytes.count = line_.take_number("the size in bytes"); }
    void optional_size(std::string_view keyword, Bytes& size_or_none) {
        if (line_.take_keyword(keyword)) {
            size(size_or_none);
        }
    }
    void text(std::string& text) { text = line_.take("its text").text; }
    void remark(std::string& remark) { text(remark); }

    void word(std::string_view keyword, auto& id) {
        line_.expect_keyword(keyword);
        name(id);
    }
    void optional_word(std::string_view keyword, auto& id) {
        if (line_.take_keyword(keyword)) {
            name(id.emplace());
        }
    }
    void list(std::string_view keyword, auto& ids) {
        if (!line_.take_keyword(keyword)) {
            return;
        }
        // The only list that can follow another.
        while (!line_.at_end() && !line_.is_keyword("writes")) {
            name(ids.emplace_back());
        }
    }
    void flag(std::string_view keyword, bool& is_set) { is_set = line_.take_keyword(keyword); }
    void time(Duration& time) {
        time = Duration{line_.take_nanoseconds("the time in nanoseconds")};
    }
    void optional_time(std::string_view keyword, Duration& time_or_none) {
        if (line_.take_keyword(keyword)) {
            time(time_or_none);
        }
    }
    void share(std::string_view keyword, float& share) {
        if (line_.take_keyword(keyword)) {
            share = line_.take_share("the share");
        }
    }
    template <class Enum>
    void choice(const auto& names, Enum& chosen) {
        chosen = static_cast<Enum>(line_.take_one_of(names));
    }
    void optional_choice(std::string_view keyword, const auto& names, auto& chosen) {
        if (line_.take_keyword(keyword)) {
            choice(names, chosen);
        }
    }

  private:
    template <class Id>
    void look_up(const TextNameTable& table, Id& id) {
        id = Id{static_cast<std::underlying_type_t<Id>>(table.find(line_))};
    }

    const Names& names_;
    TextCursor& line_;
};

struct Rule {
    std::string_view verb;
    Op (*read)(LineForm& form);
};

template <class Operation>
Op read(LineForm& form) {
    Operation operation;
    Grammar<Operation>::fields(form, operation);
    return operation;
}

template <class... Operations>
constexpr auto rules_for(const std::variant<Operations...>* /*names the types*/) {
    return std::array{Rule{Grammar<Operations>::kVerb, &read<Operations>}...};
}

constexpr auto kRules = rules_for(static_cast<const Op*>(nullptr));

[[noreturn]] void fail_unknown(const TextCursor& line, const Word& verb) {
    std::vector<std::string_view> verbs(kRules.size());
    std::transform(
        kRules.begin(), kRules.end(), verbs.begin(), [](const Rule& rule) { return rule.verb; });
    const std::string all = fmt::format("there are {}", fmt::join(verbs, ", "));
    verbs.insert(verbs.end(), {"machine", "stream", "tensor", "event", "graph", "pool", "thread"});
    throw InputError(line.place(verb),
                     fmt::format("unknown operation {}", shown(verb.text)),
                     did_you_mean(verb.text, verbs, all));
}

/// Reads line after line into a Program.
class Reader {
  public:
    explicit Reader(const std::string& file) : file_(file) {}

    void line(std::string_view text) {
        TextCursor line(text, {file_, ++line_number_, 0});
        if (line.at_end()) {
            return;
        }
        if (!has_header_) {
            header(line);
        } else if (!declaration(line)) {
            operation(line);
        }
        line.expect_end();
    }

    Program finish() {
        if (!has_header_) {
            fail_at_end("this is not the text of a Program: it is empty",
                        fmt::format("begin it with `{} {}`", kFormat, kVersion));
        }
        if (!has_machine_) {
            fail_at_end("the Program has no machine", "add a line `machine total_memory BYTES`");
        }
        for (std::size_t i = 0; std::string & name : names_.streams.take()) {
            program_.streams[i++].name = std::move(name);
        }
        program_.tensors = names_.tensors.take();
        program_.events = names_.events.take();
        program_.graphs = names_.graphs.take();
        program_.pools = names_.pools.take();
        program_.threads = names_.threads.take();
        return std::move(program_);
    }

  private:
    void header(TextCursor& line);
    /// Whether the line was one: it declares the machine or a name.
    bool declaration(TextCursor& line);
    void machine(TextCursor& line);
    void operation(TextCursor& line);
    [[noreturn]] void fail_at_end(const std::string& problem, const std::string& remedy) const {
        throw InputError({file_, line_number_ + 1, 1}, problem, remedy);
    }

    const std::string& file_;
    std::size_t line_number_ = 0;
    bool has_header_ = false;
    bool has_machine_ = false;
    Names names_;
    Program program_;
};

void Reader::header(TextCursor& line) {
    const Word& word = line.take("the name of the form");
    if (word.text != kFormat) {
        throw InputError(line.place(word),
                         "this is not the text of a Program",
                         fmt::format("begin it with `{} {}`", kFormat, kVersion));
    }
    const Word& version = line.take("the version");
    if (version.text != kVersion) {
        throw InputError(line.place(version),
                         fmt::format("this text has version {} of the form", shown(version.text)),
                         fmt::format("this highwater reads version {}", kVersion));
    }
    has_header_ = true;
}

bool Reader::declaration(TextCursor& line) {
    for (TextNameTable* table :
         {&names_.tensors, &names_.events, &names_.graphs, &names_.pools, &names_.threads}) {
        if (line.take_keyword(table->kind())) {
            table->declare(line);
            return true;
        }
    }
    if (line.take_keyword(names_.streams.kind())) {
        names_.streams.declare(line);
        line.expect_keyword("handle");
        const StreamHandle handle{line.take_hex("the handle")};
        program_.streams.push_back({"", handle, line.take_keyword("blocking")});
        return true;
    }
    if (line.is_keyword("machine")) {
        machine(line);
        return true;
    }
    return false;
}

std::uint32_t ranks_of(TextCursor& line, const SourcePlace& place) {
    const std::uint64_t count = line.take_number("how many ranks there are");
    if (count < 1 || count > kMaxRanks) {
        throw InputError(
            place, fmt::format("{} ranks", count), fmt::format("give 1 to {} of them", kMaxRanks));
    }
    return static_cast<std::uint32_t>(count);
}

void Reader::machine(TextCursor& line) {
    const Word& word = line.take("`machine`");
    if (has_machine_) {
        throw InputError(line.place(word), "a second machine", "leave one of the two lines");
    }
    has_machine_ = true;
    line.expect_keyword("total_memory");
    program_.machine.total_memory = Bytes{line.take_number("the memory in bytes")};
    if (program_.machine.total_memory > kMaxTotalMemory) {
        throw InputError(line.place(word),
                         "total_memory is more than any card has",
                         fmt::format("give at most {} bytes", kMaxTotalMemory.count));
    }
    if (line.take_keyword("memory_fraction")) {
        program_.machine.memory_fraction = line.take_fraction("the fraction");
    }
    if (line.take_keyword("conf")) {
        const Word& conf = line.take("the settings");
        program_.machine.conf = conf.text;
        modelled_settings(conf.text, line.place(conf));
    }
    program_.machine.caching = !line.take_keyword("no_caching");
    program_.machine.blocking_launches = line.take_keyword("blocking_launches");
    if (line.take_keyword("cost_profile")) {
        program_.machine.cost_profile = line.take("the cost profile").text;
    }
    if (line.take_keyword("ranks")) {
        program_.machine.ranks = ranks_of(line, line.place(word));
    }
}

void Reader::operation(TextCursor& line) {
    const Word& verb = line.take("the operation");
    for (const Rule& rule : kRules) {
        if (!verb.quoted && rule.verb == verb.text) {
            LineForm form(names_, line);
            program_.ops.push_back(rule.read(form));
            program_.places.push_back(line.place(verb));
            return;
        }
    }
    fail_unknown(line, verb);
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    text.remove_prefix(text.starts_with(kMark) ? kMark.size() : 0);
    return text;
}

Program parse_program(std::string_view text, const std::string& file) {
    Reader reader(file);
    text = without_byte_order_mark(text);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        reader.line(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return reader.finish();
}

}  // namespace highwater
