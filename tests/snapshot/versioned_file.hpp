#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// Snapshot files with the keys that each release of PyTorch from 2.1 to 2.15 gives them
/// (around-allocator specification 7), written by none of the code under test.
struct VersionedFile {
    unsigned minor = 11;
    /// Each device's memory; more than one only where the test asks for them.
    std::vector<const Snapshot*> devices;
    /// Frames kept of each call stack; 0 leaves `frames` out, as files without stacks do.
    std::size_t frames = 3;

    bool has_times() const { return minor >= 2; }
    bool has_settings() const { return minor >= 3; }
    /// Marks of the user's among the events: `user_defined` of 2.4, `annotate` since 2.14.
    bool has_marks() const { return minor == 4 || minor >= 14; }
    bool has_annotations() const { return minor >= 5; }
    bool has_contexts() const { return minor >= 8; }
    bool has_metadata() const { return minor >= 10; }
    bool has_event_pools() const { return minor >= 12; }

    std::string bytes() const;
};

}  // namespace highwater
