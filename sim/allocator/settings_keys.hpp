#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sim/allocator/settings.hpp"
#include "sim/allocator/settings_tokens.hpp"

/// The two parsers that go over a settings text one after the other. Each skips the keys of the
/// other without a look at their values, and refuses keys that neither has.
namespace highwater::settings_text {

/// Around-allocator specification 1.3: resets, then every device-independent key.
void apply_generic_keys(AllocatorSettings& settings, const Tokens& tokens);
bool is_generic_key(std::string_view key);

/// Around-allocator specification 1.4: every CUDA key.
void apply_cuda_keys(AllocatorSettings& settings, const Tokens& tokens);
bool is_cuda_key(std::string_view key);
/// The backend that loading PyTorch chooses: the first that is named, or native.
AllocatorBackend backend_at_load(const Tokens& tokens);

/// Around-allocator specification 1.5: one number for all sizes, or a list, which `value` opens
/// and `rest` goes on with.
void apply_roundup_divisions(RoundupDivisions& divisions, const Value& value, TokenReader& rest);

[[noreturn]] void refuse_unknown_key(const Token& key);

/// The most whole MiB that 64 bits hold in bytes; PyTorch cuts larger numbers to this.
inline constexpr std::uint64_t kMostMib = UINT64_MAX / (1_MiB).count;

constexpr Bytes bytes_of_mib(std::uint64_t mib) {
    return 1_MiB * std::min(mib, kMostMib);
}

/// What a key does with its value; `rest` is what follows the value.
struct Key {
    std::string_view name;
    void (*apply)(AllocatorSettings& settings, const Value& value, TokenReader& rest);
};

/// The key of that name in a table of keys, or null.
template <typename Keys>
constexpr const Key* find_key(const Keys& keys, std::string_view name) {
    for (const Key& key : keys) {
        if (key.name == name) {
            return &key;
        }
    }
    return nullptr;
}

}  // namespace highwater::settings_text
