#include "sim/report/why_tables.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/stranded_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

// More owners than this are not shown.
constexpr std::size_t kMostOwners = 10;

// Names of templates have no end: a table has.
std::string shortened(const std::string& owner) {
    constexpr std::size_t kMost = 70;
    constexpr std::size_t kTail = 25;
    return owner.size() <= kMost
               ? owner
               : owner.substr(0, kMost - kTail - 3) + "..." + owner.substr(owner.size() - kTail);
}

std::string size_or_nothing(Bytes size) {
    return size == Bytes{} ? "" : size_text(size);
}

std::string pool_table(const Why& why, const WhyNames& names) {
    TextTable table({{"pool and its largest owners", kLeft},
                     {"reserved"},
                     {"allocated"},
                     {"free"},
                     {"waiting"},
                     {"parked"},
                     {"free, held by blocks"}});
    for (const PoolWhy& pool : why.pools) {
        table.add_row({names.pool(pool.pool),
                       size_text(pool.reserved),
                       size_text(pool.allocated),
                       size_text(pool.free),
                       size_or_nothing(pool.waiting),
                       size_or_nothing(pool.parked),
                       size_or_nothing(pool.held)});
        for (const auto& [owner, bytes] : pool.owners) {
            table.add_row({"  " + shortened(owner), "", size_text(bytes), "", "", "", ""});
        }
    }
    return table.text();
}

std::string request_table(const Growth& request, const WhyNames& names) {
    std::string text = fmt::format("a request of {} on stream {} found nothing; what was free:\n",
                                   size_text(request.requested),
                                   names.stream(request.stream));
    TextTable table({{"why it did not serve", kLeft}, {"bytes"}});
    for (const StrandedRow& row : stranded_rows(request.stranded)) {
        table.add_row({std::string(row.says), size_text(row.bytes)});
    }
    return text + table.text();
}

std::string segments_text(Bytes held, std::size_t segments) {
    return segments == 0 ? "" : fmt::format("{} in {}", size_text(held), segments);
}

std::string owner_table(const Why& why) {
    TextTable table({{"whose blocks hold free memory", kLeft},
                     {"blocks"},
                     {"allocated"},
                     {"held alone, in segments"},
                     {"held with others"}});
    std::size_t shown = 0;
    for (const OwnerRow& row : why.owners) {
        if (row.segments_alone + row.segments_with_others == 0 || shown == kMostOwners) {
            break;
        }
        ++shown;
        table.add_row({shortened(row.owner),
                       grouped(std::uint64_t{row.blocks}),
                       size_text(row.allocated),
                       segments_text(row.holds_alone, row.segments_alone),
                       segments_text(row.holds_with_others, row.segments_with_others)});
    }
    return shown == 0 ? "" : table.text();
}

}  // namespace

std::string why_tables(const Why& why, const WhyNames& names) {
    std::string text = pool_table(why, names);
    if (why.request) {
        text += '\n' + request_table(*why.request, names);
    }
    const std::string owners = owner_table(why);
    return owners.empty() ? text : text + '\n' + owners;
}

std::string replay_options(const Remedy& remedy) {
    std::string options;
    if (remedy.conf) {
        options += fmt::format(" --conf '{}'", *remedy.conf);
    }
    options += remedy.shares_side_stream ? " --map-streams side=one" : "";
    options += remedy.shares_pool ? " --pools shared" : "";
    options += remedy.drops_record_stream ? " --drop-record-stream" : "";
    return options.empty() ? options : options.substr(1);
}

std::string advice_tables(const HistoryAdvice& advice) {
    const std::string runs = fmt::format("{} what-ifs were run; ", advice.runs);
    if (advice.each.empty()) {
        return runs + (advice.fits ? "none saves memory\n" : "none fits\n");
    }
    TextTable table({{advice.fits ? "what would have saved memory" : "what would fit", kLeft},
                     {"peak reserved"},
                     {"saved"},
                     {"reserved at the end"},
                     {"saved"}});
    const auto add = [&table](const Advice& each, const std::string& text) {
        table.add_row({text,
                       size_text(each.outcome.peak),
                       size_text(each.saved_at_peak),
                       size_text(each.outcome.end),
                       size_text(each.saved_at_end)});
    };
    if (advice.together) {
        add(*advice.together, advice.together->remedy.text);
    }
    for (const Advice& each : advice.each) {
        add(each, each.remedy.text);
    }
    const Advice& best = advice.together ? *advice.together : advice.each.front();
    return table.text() + fmt::format("{}the best again, beside the options given: {}\n",
                                      runs,
                                      replay_options(best.remedy));
}

}  // namespace highwater
