#pragma once

#include <fstream>

#include "sim/core/bytes.hpp"
#include "sim/engine/run.hpp"
