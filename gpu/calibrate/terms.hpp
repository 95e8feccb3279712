#pragma once

#include <string>
#include <vector>

#include "gpu/calibrate/samples.hpp"

namespace highwater::gpu {

/// One line of a cost profile.
struct Term {
    /// `times.host.launch`, of `cost_profile_terms`.
    std::string path;
    /// As the file has it: `3.1 us`.
    std::string value;
    /// How it was measured, and how far the measurements lie apart. Empty where another line says
    /// so.
    std::string source;
};

struct Findings {
    std::vector<Term> terms;
    /// What was measured and is no term of a profile: a sentence each.
    std::vector<std::string> asides;
};

/// What the samples say of the terms of a profile. What there are no samples for is left out.
Findings findings_of(const Samples& samples);

}  // namespace highwater::gpu
