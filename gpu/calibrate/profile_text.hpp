#pragma once

#include <string>
#include <vector>

#include "gpu/calibrate/terms.hpp"

namespace highwater::gpu {

/// What is said of a profile beside what was measured.
struct ProfileFacts {
    /// The profile that the file extends; empty for none.
    std::string extends;
    /// As it was given; empty if it was not.
    std::string date;
};

/// The terms of a profile that were not measured, as paths.
std::vector<std::string> unmeasured(const Findings& findings);

/// A cost profile's file: the terms with their sources, and in comments what else was measured and
/// what was not. Without a profile that it extends it is complete only if nothing is unmeasured.
std::string profile_text(const Samples& samples,
                         const Findings& findings,
                         const ProfileFacts& facts);

}  // namespace highwater::gpu
