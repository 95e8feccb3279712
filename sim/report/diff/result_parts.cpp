// The JSON of a run, read back.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/report/diff/memory_parts.hpp"

namespace highwater {
namespace {

using ParsedJson = nlohmann::json;

/// Reads what it needs of a result, and says what is not there.
class Result {
  public:
    Result(std::string_view text, const std::string& name) : name_(name) {
        try {
            json_ = ParsedJson::parse(text);
        } catch (const ParsedJson::parse_error& error) {
            refuse(fmt::format("it is no JSON: byte {} is not as it should be", error.byte));
        }
        if (!json_.is_object() || !json_.contains("highwater")) {
            refuse("it is no result of highwater");
        }
        if (json_.contains("points")) {
            refuse("it has the points of a sweep");
        }
    }

    MemoryParts parts() const {
        MemoryParts parts;
        const ParsedJson& result = member(json_, "result");
        parts.total = {bytes(result, "allocated_bytes"),
                       bytes(result, "reserved_bytes"),
                       number(result, "segment")};
        const ParsedJson& pools = member(json_, "pools");
        if (!pools.is_array()) {
            refuse("`pools` is no list");
        }
        for (const ParsedJson& pool : pools) {
            add_pool(parts, pool);
        }
        return parts;
    }

  private:
    [[noreturn]] void refuse(const std::string& problem) const {
        throw InputError({name_}, problem, "give what `--json` of one run wrote");
    }

    const ParsedJson& member(const ParsedJson& of, const char* key) const {
        if (!of.is_object() || !of.contains(key)) {
            refuse(fmt::format("it has no `{}` where one should be", key));
        }
        return of.at(key);
    }
    std::uint64_t number(const ParsedJson& of, const char* key) const {
        const ParsedJson& value = member(of, key);
        if (!value.is_number_unsigned()) {
            refuse(fmt::format("`{}` is no number of 0 or more", key));
        }
        return value.get<std::uint64_t>();
    }
    Bytes bytes(const ParsedJson& of, const char* key) const { return Bytes{number(of, key)}; }
    std::string text(const ParsedJson& of, const char* key) const {
        const ParsedJson& value = member(of, key);
        if (!value.is_string()) {
            refuse(fmt::format("`{}` is no text", key));
        }
        return value.get<std::string>();
    }

    void add_pool(MemoryParts& parts, const ParsedJson& pool) const {
        // One name may be that of several pools.
        const ParsedJson& id = member(pool, "id");
        const bool is_default = id == ParsedJson::array({0, 0});
        const std::string name = text(pool, "name");
        parts.pools[is_default ? name : fmt::format("{} {}", name, id.dump())] = {
            bytes(pool, "allocated_bytes"), bytes(pool, "reserved_bytes"), {}};
        const ParsedJson& streams = member(pool, "streams");
        if (!streams.is_array()) {
            refuse("`streams` of a pool is no list");
        }
        for (const ParsedJson& stream : streams) {
            PartSizes& part = parts.streams[text(stream, "stream")];
            part.reserved = part.reserved.value_or(Bytes{}) + bytes(stream, "reserved_bytes");
        }
    }

    const std::string& name_;
    ParsedJson json_;
};

}  // namespace

MemoryParts parts_of_result(std::string_view json, const std::string& name) {
    return Result(json, name).parts();
}

}  // namespace highwater
