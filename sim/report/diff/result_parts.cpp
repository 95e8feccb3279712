// The JSON of a run, read back.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/report/diff/memory_parts.hpp"

namespace highwater {
namespace {

using Json = nlohmann::json;

/// Reads what it needs of a result, and says what is not there.
class Result {
  public:
    Result(std::string_view text, const std::string& name) : name_(name) {
        try {
            json_ = Json::parse(text);
        } catch (const Json::parse_error& error) {
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
        const Json& result = member(json_, "result");
        parts.total = {bytes(result, "allocated_bytes"),
                       bytes(result, "reserved_bytes"),
                       number(result, "segment")};
        const Json& pools = member(json_, "pools");
        if (!pools.is_array()) {
            refuse("`pools` is no list");
        }
        for (const Json& pool : pools) {
            add_pool(parts, pool);
        }
        return parts;
    }

  private:
    [[noreturn]] void refuse(const std::string& problem) const {
        throw InputError({name_}, problem, "give what `--json` of one run wrote");
    }

    const Json& member(const Json& of, const char* key) const {
        if (!of.is_object() || !of.contains(key)) {
            refuse(fmt::format("it has no `{}` where one should be", key));
        }
        return of.at(key);
    }
    std::uint64_t number(const Json& of, const char* key) const {
        const Json& value = member(of, key);
        if (!value.is_number_unsigned()) {
            refuse(fmt::format("`{}` is no number of 0 or more", key));
        }
        return value.get<std::uint64_t>();
    }
    Bytes bytes(const Json& of, const char* key) const { return Bytes{number(of, key)}; }
    std::string text(const Json& of, const char* key) const {
        const Json& value = member(of, key);
        if (!value.is_string()) {
            refuse(fmt::format("`{}` is no text", key));
        }
        return value.get<std::string>();
    }

    void add_pool(MemoryParts& parts, const Json& pool) const {
        // One name may be that of several pools.
        const Json& id = member(pool, "id");
        const bool is_default = id == Json::array({0, 0});
        const std::string name = text(pool, "name");
        parts.pools[is_default ? name : fmt::format("{} {}", name, id.dump())] = {
            bytes(pool, "allocated_bytes"), bytes(pool, "reserved_bytes"), {}};
        const Json& streams = member(pool, "streams");
        if (!streams.is_array()) {
            refuse("`streams` of a pool is no list");
        }
        for (const Json& stream : streams) {
            PartSizes& part = parts.streams[text(stream, "stream")];
            part.reserved = part.reserved.value_or(Bytes{}) + bytes(stream, "reserved_bytes");
        }
    }

    const std::string& name_;
    Json json_;
};

}  // namespace

MemoryParts parts_of_result(std::string_view json, const std::string& name) {
    return Result(json, name).parts();
}

}  // namespace highwater
