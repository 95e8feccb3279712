#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/settings_error.hpp"

/// Around-allocator specification 1.2: reading a settings text, as leniently as PyTorch does.
namespace highwater::settings_text {

struct Token {
    std::string text;
    /// In bytes from the start of the settings text.
    std::size_t offset = 0;
    friend bool operator==(const Token&, const Token&) = default;
};

/// A settings text in pieces: each of `,` `:` `[` `]`, and each run of other characters. White
/// space is dropped, inside words too.
class Tokens {
  public:
    explicit Tokens(std::string_view text);

    std::size_t size() const { return tokens_.size(); }
    /// Refuses a place past the end, as running off the end.
    const Token& at(std::size_t place) const;
    /// The end of the text, for complaints about what is missing there.
    Token end() const { return {"", end_offset_}; }

  private:
    std::vector<Token> tokens_;
    std::size_t end_offset_;
};

/// A value, with the key it is for.
struct Value {
    std::string_view key;
    Token token;

    /// By the rules of `std::stoull`: leading digits count, junk after them does not, and a minus
    /// wraps around modulo 2^64.
    std::uint64_t to_integer() const;
    /// By the rules of `std::stod`: "inf", "nan" and hexadecimal are numbers too.
    double to_number() const;
    /// `True` or `False`, nothing else.
    bool to_bool() const;
    [[noreturn]] void refuse(std::string_view why) const;
};

/// Goes through tokens from the front. What stands where a separator should be is not looked at:
/// PyTorch does not either.
class TokenReader {
  public:
    explicit TokenReader(const Tokens& tokens, std::size_t place = 0)
        : tokens_(tokens), place_(place) {}

    bool at_end() const { return place_ >= tokens_.size(); }
    const Token& peek() const { return tokens_.at(place_); }
    const Token& take() { return tokens_.at(place_++); }
    /// Skips one token, if there is one.
    void skip_separator();
    /// Skips what should be a colon; then the value, which is `[` for a list.
    Value take_value(std::string_view key);
    /// Skips to the end of a list that `[` opened.
    void skip_list();
    /// Skips what should be a colon and a value, up to the first `]` if it is a list.
    void skip_value(std::string_view key);
    [[noreturn]] void refuse_open_list() const;

  private:
    const Tokens& tokens_;
    std::size_t place_;
};

/// Calls `visit(key, reader)` for each key; `visit` takes the key's value from the reader.
template <typename Visit>
void for_each_key(const Tokens& tokens, Visit visit) {
    TokenReader reader(tokens);
    while (!reader.at_end()) {
        const Token& key = reader.take();
        visit(key, reader);
        reader.skip_separator();
    }
}

}  // namespace highwater::settings_text
