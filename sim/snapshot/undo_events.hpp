#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/snapshot/history.hpp"

namespace highwater {

/// The segments of a file and what lives in them, undone event by event.
class UndoneHistory {
  public:
    explicit UndoneHistory(const std::vector<SnapshotSegment>& segments);

    /// Undoes the event. Gives where it happened, or none if it cannot have led to what follows;
    /// then nothing is changed.
    std::optional<RegionId> undo(const SnapshotEvent& event);

    struct Active {
        Bytes requested;
        bool is_pending = false;
        /// In bytes, of blocks that lived to the end.
        std::optional<Bytes> size;
        /// Where the block behind it began.
        std::optional<Address> revealed_end;
    };
    struct Range {
        Address end;
        RegionId region{};
    };

    const std::map<Address, Active>& active() const { return active_; }
    const std::map<Address, Range>& ranges() const { return ranges_; }
    std::vector<Region>& regions() { return regions_; }
    /// How many of the regions, the first ones, are in the file's segments.
    std::size_t final_regions() const { return final_regions_; }
    /// The most that was ever requested in each region; 0 if nothing was.
    const std::vector<Bytes>& requests() const { return requests_; }

  private:
    using Ranges = std::map<Address, Range>;

    Ranges::iterator range_around(Address address);
    bool is_active_within(Address begin, Address end) const;
    bool overlaps_range(Address begin, Address end) const;
    RegionId add_region(const Region& region);
    void note_request(RegionId region, Bytes requested);
    RegionId expandable_near(const SnapshotEvent& event);
    void add_final(const SnapshotSegment& segment, RegionId region);
    void join(Address begin, Address end, RegionId region);

    std::optional<RegionId> undo_alloc(const SnapshotEvent& event);
    std::optional<RegionId> undo_free_requested(const SnapshotEvent& event);
    std::optional<RegionId> undo_free_completed(const SnapshotEvent& event);
    std::optional<RegionId> undo_segment_alloc(const SnapshotEvent& event);
    std::optional<RegionId> undo_segment_free(const SnapshotEvent& event);
    std::optional<RegionId> undo_map(const SnapshotEvent& event);
    std::optional<RegionId> undo_unmap(const SnapshotEvent& event);

    std::vector<Region> regions_;
    std::size_t final_regions_ = 0;
    std::vector<Bytes> requests_;
    /// Bytes, by region.
    std::vector<Bytes> mapped_;
    Ranges ranges_;
    std::map<Address, Active> active_;
};

}  // namespace highwater
