#include <CLI/CLI.hpp>

#include "sim/report/tables.hpp"
#include "validate/conform.hpp"
