#include "sim/snapshot/stream_map.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

StreamId id_of(std::size_t number) {
    return StreamId{static_cast<std::uint32_t>(number)};
}

// The stream with the most allocations, the first of equals.
StreamId busiest(const RecordedHistory& recorded) {
    std::vector<std::size_t> counts(recorded.streams.size());
    for (const Request& request : recorded.requests) {
        if (request.kind == Request::Kind::kAlloc) {
            ++counts[index_of(recorded.streams.id_of(request.stream))];
        }
    }
    return id_of(static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin()));
}

class Rules {
  public:
    Rules(const RecordedHistory& recorded, const std::string& option)
        : recorded_(recorded), option_(option) {
        for (std::size_t i = 0; i < recorded.streams.size(); ++i) {
            map_.push_back(id_of(i));
        }
    }

    void apply(std::string_view rule) {
        const std::size_t equals = rule.find('=');
        if (equals == std::string_view::npos) {
            throw InputError({option_},
                             fmt::format("`{}` is no rule", rule),
                             "write WHICH=TARGET, as side=one or s3-s8=s2");
        }
        const std::vector<StreamId> which = streams_in(rule.substr(0, equals));
        const std::string_view target = rule.substr(equals + 1);
        for (const StreamId stream : which) {
            map_[index_of(stream)] = target == "own"   ? stream
                                     : target == "one" ? which.front()
                                                       : stream_named(target);
        }
    }

    std::vector<StreamId> map() const { return map_; }

  private:
    StreamId stream_named(std::string_view text) const {
        const auto found = recorded_.streams.find(text);
        if (!found) {
            const std::size_t last = recorded_.streams.size() - 1;
            throw InputError({option_},
                             fmt::format("there is no stream `{}`", text),
                             last == 0 ? std::string("there is only default")
                                       : fmt::format("there are default and s1 to s{}, or their "
                                                     "handles",
                                                     last));
        }
        return *found;
    }

    std::vector<StreamId> streams_in(std::string_view text) const {
        const std::size_t dash = text.find('-');
        if (text == "side" || text == "all") {
            return all_but_main(text == "all");
        }
        if (dash == std::string_view::npos) {
            return {stream_named(text)};
        }
        std::vector<StreamId> range;
        const std::size_t last = index_of(stream_named(text.substr(dash + 1)));
        for (std::size_t i = index_of(stream_named(text.substr(0, dash))); i <= last; ++i) {
            range.push_back(id_of(i));
        }
        if (range.empty()) {
            throw InputError({option_},
                             fmt::format("`{}` ends before it begins", text),
                             "write the lower stream first");
        }
        return range;
    }

    std::vector<StreamId> all_but_main(bool main_too) const {
        const StreamId main = busiest(recorded_);
        std::vector<StreamId> streams;
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (main_too || (id_of(i) != kDefaultStream && id_of(i) != main)) {
                streams.push_back(id_of(i));
            }
        }
        if (streams.empty()) {
            throw InputError({option_}, "there are no side streams", "leave it out");
        }
        return streams;
    }

    const RecordedHistory& recorded_;
    const std::string& option_;
    std::vector<StreamId> map_;
};

}  // namespace

std::vector<StreamId> stream_map(const std::string& text,
                                 const RecordedHistory& recorded,
                                 const std::string& option) {
    Rules rules(recorded, option);
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        rules.apply(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return rules.map();
}

}  // namespace highwater
