// The list of DRAM devices. To add one, write its file like devices/lpddr3_1600.h and name it here.
#pragma once

#include <array>

#include "models/memory/dram/devices/lpddr3_1600.h"
#include "models/memory/dram/devices/lpddr3_800.h"
#include "models/memory/dram/devices/lpddr4_3200.h"
#include "models/memory/dram/devices/lpddr4x_4266.h"
#include "models/memory/dram/devices/lpddr5_6400.h"
#include "models/memory/dram/devices/lpddr5_6400_8b.h"

namespace models {

inline constexpr std::array dram_devices{&lpddr3_800,   &lpddr3_1600, &lpddr4_3200,
                                         &lpddr4x_4266, &lpddr5_6400, &lpddr5_6400_8b};

}  // namespace models
