#include "sim/report/operation_text.hpp"

#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/engine/op_grammar.hpp"
#include "sim/engine/text_words.hpp"
#include "sim/report/size_text.hpp"

namespace highwater {
namespace {

/// The `Form` for people: says what a stream is, and puts the size last.
class Words {
  public:
    Words(const Program& program, std::string_view verb) : program_(program), text_(verb) {}

    std::string take() { return std::move(text_) + size_; }

    void name(StreamId id) { append(program_.streams.at(static_cast<std::size_t>(id)).name); }
    void name(TensorId id) { append(program_.tensors.at(static_cast<std::size_t>(id))); }
    void name(EventName id) { append(program_.events.at(static_cast<std::size_t>(id))); }
    void name(GraphId id) { append(program_.graphs.at(static_cast<std::size_t>(id))); }
    void name(PoolName id) { append(program_.pools.at(static_cast<std::size_t>(id))); }
    void name(ThreadId id) { append(program_.threads.at(static_cast<std::size_t>(id))); }
    void size(Bytes bytes) { size_ = fmt::format(" ({})", size_text(bytes)); }
    void optional_size(std::string_view /*keyword*/, Bytes /*size*/) {}
    void text(const std::string& text) { append(text); }
    // For whoever reads the program.
    void remark(const std::string& /*remark*/) {}

    void word(std::string_view keyword, auto id) {
        text_ += fmt::format(" {}", keyword);
        text_ += std::is_same_v<decltype(id), StreamId> ? " stream" : "";
        name(id);
    }
    void optional_word(std::string_view keyword, const auto& id) {
        if (id) {
            word(keyword, *id);
        }
    }
    void list(std::string_view keyword, const auto& ids) {
        text_ += ids.empty() ? "" : fmt::format(" {}", keyword);
        for (const auto id : ids) {
            name(id);
        }
    }
    void flag(std::string_view keyword, bool is_set) {
        text_ += is_set ? fmt::format(" {}", keyword) : "";
    }
    // How long and how wide does not help to find it.
    void time(Duration /*time*/) {}
    void optional_time(std::string_view /*keyword*/, Duration /*time*/) {}
    void share(std::string_view /*keyword*/, float /*share*/) {}
    void choice(const auto& names, auto chosen) {
        text_ += fmt::format(" {}", names.at(static_cast<std::size_t>(chosen)));
    }
    void optional_choice(std::string_view /*keyword*/, const auto& /*names*/, auto /*chosen*/) {}

  private:
    // Quoted where it would not stay on the line.
    void append(const std::string& name) { text_ += ' ' + word_of(name); }

    const Program& program_;
    std::string text_;
    std::string size_;
};

}  // namespace

namespace {

// The event of a `wait_stream` is nobody's business: the stream whose event it is, if it is one.
std::string awaited_stream(const Program& program, const Op& operation) {
    constexpr std::string_view kSuffix = ".wait_stream";
    const auto* wait = std::get_if<op::WaitEvent>(&operation);
    const std::string name = wait == nullptr ? "" : program.events.at(index_of(wait->event));
    return name.ends_with(kSuffix) ? name.substr(0, name.size() - kSuffix.size()) : "";
}

}  // namespace

std::string operation_text(const Program& program, const Op& operation) {
    if (const std::string awaited = awaited_stream(program, operation); !awaited.empty()) {
        const StreamId on = std::get<op::WaitEvent>(operation).stream;
        return fmt::format("wait for stream {} on stream {}",
                           awaited,
                           word_of(program.streams.at(index_of(on)).name));
    }
    return std::visit(
        [&program](const auto& op) {
            using Rules = Grammar<std::decay_t<decltype(op)>>;
            Words words(program, Rules::kVerb);
            Rules::fields(words, op);
            return words.take();
        },
        operation);
}

}  // namespace highwater
