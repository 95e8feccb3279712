#include "sim/report/operation_name.hpp"

#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "sim/engine/op_grammar.hpp"

namespace highwater {
namespace {

/// The `Form` that keeps the verb and the first thing it is about.
class TwoWords {
  public:
    TwoWords(const Program& program, std::string_view verb) : program_(program), text_(verb) {}

    std::string take() { return std::move(text_); }

    void name(StreamId id) { append(program_.streams.at(index_of(id)).name); }
    void name(TensorId id) { append(program_.tensors.at(index_of(id))); }
    void name(EventName id) { append(program_.events.at(index_of(id))); }
    void name(GraphId id) { append(program_.graphs.at(index_of(id))); }
    void name(PoolName id) { append(program_.pools.at(index_of(id))); }
    void name(ThreadId id) { append(program_.threads.at(index_of(id))); }
    void text(const std::string& text) { append(text); }
    void choice(const auto& names, auto chosen) { append(names.at(index_of(chosen))); }
    void list(std::string_view keyword, const auto& ids) {
        if (keyword == "writes" && !ids.empty()) {
            name(ids.front());
        }
    }

    void size(Bytes /*bytes*/) {}
    void optional_size(std::string_view /*keyword*/, Bytes /*size*/) {}
    void remark(const std::string& /*remark*/) {}
    void word(std::string_view /*keyword*/, auto /*id*/) {}
    void optional_word(std::string_view /*keyword*/, const auto& /*id*/) {}
    void flag(std::string_view /*keyword*/, bool /*is_set*/) {}
    void time(Duration /*time*/) {}
    void optional_time(std::string_view /*keyword*/, Duration /*time*/) {}
    void share(std::string_view /*keyword*/, float /*share*/) {}
    void optional_choice(std::string_view /*keyword*/, const auto& /*names*/, auto /*chosen*/) {}

  private:
    void append(std::string_view name) {
        if (!std::exchange(has_object_, true)) {
            text_ += ' ';
            text_ += name;
        }
    }

    const Program& program_;
    std::string text_;
    bool has_object_ = false;
};

}  // namespace

std::string operation_name(const Program& program, const Op& operation) {
    return std::visit(
        [&program](const auto& op) {
            using Rules = Grammar<std::decay_t<decltype(op)>>;
            TwoWords words(program, Rules::kVerb);
            Rules::fields(words, op);
            return words.take();
        },
        operation);
}

std::string operation_name(const Program& program, std::size_t op) {
    constexpr std::string_view kVerb = Grammar<op::Kernel>::kVerb;
    std::string name = operation_name(program, program.ops.at(op));
    if (op < program.places.size() && std::holds_alternative<op::Kernel>(program.ops[op]) &&
        !program.places.label(op).empty()) {
        name.replace(0, kVerb.size(), program.places.label(op));
    }
    return name;
}

}  // namespace highwater
