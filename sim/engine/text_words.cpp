#include "sim/engine/text_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace highwater {
namespace {

constexpr int kHexBase = 16;
constexpr std::size_t kHexDigits = 2;

/// The words that the form itself puts between names: a name like one of them is quoted.
constexpr std::array<std::string_view, 12> kKeywords{"on",
                                                     "into",
                                                     "for",
                                                     "width",
                                                     "reads",
                                                     "writes",
                                                     "from",
                                                     "to",
                                                     "blocking",
                                                     "mode",
                                                     "use_on_oom",
                                                     "no_split"};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool is_plain(char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '#' && c != '\\';
}

/// Takes the words off the front of one line.
class Splitter {
  public:
    Splitter(std::string_view text, const SourcePlace& line) : text_(text), line_(line) {}

    std::vector<Word> words() {
        std::vector<Word> found;
        while (skip_spaces()) {
            found.push_back(text_[at_] == '"' ? quoted() : plain());
            expect_gap();
        }
        return found;
    }

  private:
    void expect_gap() {
        if (at_ < text_.size() && (is_plain(text_[at_]) || text_[at_] == '"')) {
            fail(at_, "a word begins right after another", "put a space between them");
        }
    }

    /// False at the end of the line or at a comment.
    bool skip_spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
        return at_ < text_.size() && text_[at_] != '#';
    }

    Word plain() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_plain(text_[at_])) {
            ++at_;
        }
        if (at_ == begin) {
            fail(at_, "this character cannot stand outside quotes", "write the word in \"quotes\"");
        }
        return {std::string(text_.substr(begin, at_ - begin)), begin + 1, false};
    }

    Word quoted() {
        const std::size_t begin = at_++;
        Word word{"", begin + 1, true};
        while (at_ < text_.size() && text_[at_] != '"') {
            word.text += text_[at_] == '\\' ? escaped() : text_[at_++];
        }
        if (at_ == text_.size()) {
            fail(begin, "the quotes that open here do not end", "close them on the same line");
        }
        ++at_;
        return word;
    }

    char escaped() {
        const std::size_t begin = at_++;
        const char kind = at_ < text_.size() ? text_[at_++] : '\0';
        switch (kind) {
            case '"':
            case '\\':
                return kind;
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'x':
                return hex_byte(begin);
            default:
                fail(begin, "unknown escape", R"(there are \", \\, \n, \t and \xHH)");
        }
    }

    char hex_byte(std::size_t begin) {
        const std::string_view digits = text_.substr(at_, kHexDigits);
        unsigned char byte = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, kHexBase);
        if (error != std::errc{} || end != digits.data() + kHexDigits) {
            fail(begin, R"(\x stands before two hexadecimal digits)", R"(write \x0a, for example)");
        }
        at_ += kHexDigits;
        return static_cast<char>(byte);
    }

    [[noreturn]] void fail(std::size_t at, const std::string& problem, const std::string& remedy) {
        throw InputError({line_.file, line_.line, at + 1}, problem, remedy);
    }

    std::string_view text_;
    const SourcePlace& line_;
    std::size_t at_ = 0;
};

std::string escaped(char c) {
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '\t':
            return "\\t";
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char kDelete = 0x7f;
    // Bytes above ASCII stay: they are letters of other languages.
    return byte < ' ' || byte == kDelete ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
}

std::string escaped(std::string_view text) {
    std::string all;
    for (const char c : text) {
        all += escaped(c);
    }
    return all;
}

}  // namespace

std::vector<Word> split_words(std::string_view text, const SourcePlace& line) {
    return Splitter(text, line).words();
}

std::string word_of(std::string_view name) {
    const bool is_keyword = std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
    if (!name.empty() && !is_keyword && std::all_of(name.begin(), name.end(), is_plain)) {
        return std::string(name);
    }
    return fmt::format("\"{}\"", escaped(name));
}

std::string shown(std::string_view text) {
    constexpr std::size_t kLongest = 64;
    return text.size() > kLongest ? fmt::format("`{}...`", escaped(text.substr(0, kLongest)))
                                  : fmt::format("`{}`", escaped(text));
}

}  // namespace highwater
