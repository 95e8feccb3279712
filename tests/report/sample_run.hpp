#pragma once

#include "sim/report/run_report.hpp"

namespace highwater {

/// A run with each kind of thing a report shows. Its figures are made up, and all different.
RunReport sample_run();

/// `sample_run` cut short by a request that did not fit.
RunReport sample_failure();

}  // namespace highwater
