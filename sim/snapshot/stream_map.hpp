#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/captures_found.hpp"
#include "sim/snapshot/replay.hpp"

namespace highwater {

/// A stream that is none of the recorded ones.
struct AddedStream {
    std::string name;
    /// The recorded stream that it is split off.
    StreamId from{};
    /// The capture that it is for, by number from 0; none if it is there from the start.
    std::optional<std::size_t> capture;
    /// It does the same work as `from`, at other times, so it needs the same workspaces. Not known
    /// of a stream for certain frames: theirs moves with them.
    bool works_alike = false;
};

/// A workspace of cuBLAS that the program would have made for a stream split off.
struct AddedWorkspace {
    AllocationId allocation{};
    StreamId stream{};
    Bytes size;
    /// The request before which it is made; none: it is there from the start.
    std::optional<std::size_t> before;
    /// At the start: where the recorded one is. Else the request whose pool it goes to.
    RegionId start_region = kNoRegion;
    std::size_t pool_of = 0;
};

/// Where everything goes when streams are merged or split.
struct StreamMap {
    /// By recorded stream: where what lived on it at the start is.
    std::vector<StreamId> at_start;
    /// By request: where an allocation goes. What is freed, or waits, does so wherever it is.
    std::vector<StreamId> of_request;
    /// Numbered from the number of recorded streams on.
    std::vector<AddedStream> added;
    std::vector<AddedWorkspace> workspaces;
};

/// What `text` says: rules with commas between them, later ones over earlier ones. A rule is
/// WHICH=TARGET. WHICH is `side` (every stream but the default one and the busiest), `all`, a name
/// (`default`, `s1`, ...), a range (`s3-s8`) or a handle; with `@TEXT` behind it only what was
/// allocated under a frame with that text in its function, or in its file:line. TARGET is
/// - `one` (the first of them), a name or a handle, or `own` (as recorded);
/// - `new`: one stream for all of them that is none of the recorded ones;
/// - `turns:N`: N streams for each, that take turns: each time the program comes back to the stream
///   from another one, the next of them serves it, as with a side stream for each of N layers;
/// - `per-capture`: a stream for each in every capture; outside of captures as recorded.
/// Throws `InputError` with `option` as its place.
StreamMap stream_map(const std::string& text,
                     const Snapshot& snapshot,
                     const RecordedHistory& recorded,
                     const std::vector<FoundCapture>& captures,
                     const std::string& option);

/// What is not known of streams that are split, a sentence each.
std::vector<std::string> split_notices(const StreamMap& streams);

}  // namespace highwater
