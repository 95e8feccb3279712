#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "sim/allocator/settings_keys.hpp"

namespace highwater::settings_text {
namespace {

constexpr std::string_view kBackendKey = "backend";
constexpr std::uint64_t kMostRegisterThreads = 128;

std::optional<AllocatorBackend> backend_named(std::string_view name) {
    if (name == "native") {
        return AllocatorBackend::kNative;
    }
    if (name == "cudaMallocAsync") {
        return AllocatorBackend::kCudaMallocAsync;
    }
    return std::nullopt;
}

void check_backend(const AllocatorSettings& settings, const Value& value) {
    const std::optional<AllocatorBackend> backend = backend_named(value.token.text);
    if (!backend) {
        value.refuse("is neither native nor cudaMallocAsync");
    }
    if (*backend != settings.backend) {
        throw SettingsError(
            SettingsError::Kind::kInternalAssert,
            value.token.offset,
            fmt::format("backend: '{}' is not the one PyTorch was loaded with", value.token.text));
    }
}

double fraction(const Value& value) {
    const double fraction = value.to_number();
    // As two positive tests, so that nan is refused.
    if (!(fraction >= 0 && fraction <= 1)) {
        value.refuse("is not between 0 and 1");
    }
    return fraction;
}

std::uint64_t register_threads(const Value& value) {
    const std::uint64_t threads = value.to_integer();
    if (!std::has_single_bit(threads)) {
        value.refuse("threads are not a power of two");
    }
    if (threads > kMostRegisterThreads) {
        value.refuse("threads are more than 128");
    }
    return threads;
}

Bytes reserve_segment_size(const Value& value) {
    const std::uint64_t mib = value.to_integer();
    if (mib == 0) {
        value.refuse("MiB is not above 0");
    }
    return bytes_of_mib(mib);
}

void apply_release_lock(AllocatorSettings& settings, const Value& value, TokenReader&) {
    settings.release_lock_on_cudamalloc = value.to_bool();
}

void apply_host_register(AllocatorSettings& settings, const Value& value, TokenReader&) {
    settings.pinned_use_cuda_host_register = value.to_bool();
}

constexpr std::array kCudaKeys{
    Key{kBackendKey,
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            check_backend(settings, value);
        }},
    Key{"release_lock_on_cudamalloc", apply_release_lock},
    Key{"release_lock_on_hipmalloc", apply_release_lock},
    Key{"graph_capture_record_stream_reuse",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.graph_capture_record_stream_reuse = value.to_bool();
        }},
    Key{"per_process_memory_fraction",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.per_process_memory_fraction = fraction(value);
        }},
    Key{"pinned_use_cuda_host_register", apply_host_register},
    Key{"pinned_use_hip_host_register", apply_host_register},
    Key{"pinned_num_register_threads",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.pinned_num_register_threads = register_threads(value);
        }},
    Key{"pinned_reserve_segment_size_mb",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.pinned_reserve_segment_size = reserve_segment_size(value);
        }},
};

}  // namespace

bool is_cuda_key(std::string_view key) {
    return find_key(kCudaKeys, key) != nullptr;
}

void apply_cuda_keys(AllocatorSettings& settings, const Tokens& tokens) {
    for_each_key(tokens, [&settings](const Token& key, TokenReader& reader) {
        if (const Key* known = find_key(kCudaKeys, key.text)) {
            known->apply(settings, reader.take_value(known->name), reader);
        } else if (is_generic_key(key.text)) {
            reader.skip_value(key.text);
        } else {
            // Also what is left where the list of a generic key has a stray `]`: skipping stops at
            // the first one, reading the list may go further.
            refuse_unknown_key(key);
        }
    });
}

AllocatorBackend backend_at_load(const Tokens& tokens) {
    TokenReader reader(tokens);
    while (!reader.at_end()) {
        const Token& key = reader.take();
        if (key.text != kBackendKey) {
            reader.skip_value(key.text);
        } else if (const auto named = backend_named(reader.take_value(kBackendKey).token.text)) {
            return *named;
        }
        reader.skip_separator();
    }
    return AllocatorBackend::kNative;
}

}  // namespace highwater::settings_text
