// LPDDR5-6400 in the mode with eight banks, no groups, and bursts of 32: the part of lpddr5_6400.h, two banks as one.
//
// Sources: [G] gem5's LPDDR5_6400_1x16_8B_BL32; the others as there.
#pragma once

#include "models/memory/dram/devices/lpddr5_6400.h"

namespace models {

constexpr DramDevice make_lpddr5_6400_8b() {
    DramDevice device = lpddr5_6400;
    device.name = "lpddr5-6400-8b";
    device.burst_length = 32;
    device.bank_groups = 1;
    device.banks = 8;
    device.banks_per_refresh = 1;
    device.row_bytes = 4096;  // [G]
    DramTiming& t = device.timing;
    t.burst = 4;  // [G]
    t.ccd_s = t.ccd_l = 4;
    t.rrd_s = t.rrd_l = cycles_for(10, device.clock, 2);  // 8 [G]
    t.faw = cycles_for(40, device.clock);                 // 32 [G]
    t.wtr_s = t.wtr_l = cycles_for(12, device.clock, 4);  // 10 [G]
    t.rtw = t.rl + t.burst + 2 - t.wl;
    t.rtp = 10;  // two cycles more of data than a burst of 16
    return device;
}
inline constexpr DramDevice lpddr5_6400_8b = make_lpddr5_6400_8b();

}  // namespace models
