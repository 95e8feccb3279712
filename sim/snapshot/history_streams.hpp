#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// The streams of a history, numbered: the default stream is 0, the others follow as they appear in
/// its events, then in its segments. Handles are pointers, different in every run; people call the
/// streams `default`, `s1`, `s2`, ...
class HistoryStreams {
  public:
    explicit HistoryStreams(const Snapshot& snapshot);

    std::size_t size() const { return handles_.size(); }
    /// The handle is one of the history's.
    StreamId id_of(StreamHandle handle) const { return ids_.at(handle); }
    StreamHandle handle_of(StreamId id) const { return handles_.at(index_of(id)); }
    /// By number.
    const std::vector<StreamHandle>& handles() const { return handles_; }
    std::string name_of(StreamId id) const;
    /// By name, or by handle in decimal or 0x-hexadecimal; none if there is no such stream.
    std::optional<StreamId> find(std::string_view text) const;

  private:
    void add(StreamHandle handle);

    std::vector<StreamHandle> handles_;
    std::map<StreamHandle, StreamId> ids_;
};

}  // namespace highwater
