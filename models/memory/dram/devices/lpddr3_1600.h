// LPDDR3-1600, 32 bits, 8 Gb.
//
// Sources: [J] JESD209-3, [G] gem5's LPDDR3_1600_1x32 after Micron's data sheet (../shared/reference/gpu.md, 3.10),
// [D] ../shared/data/dram/config_facts.csv, whose measured rows are those of this part. All agree but where it is said.
#pragma once

#include "models/memory/dram/device.h"

namespace models {

constexpr DramDevice make_lpddr3_1600() {
    constexpr std::int64_t clock = 800'000'000;
    DramDevice device;
    device.name = "lpddr3-1600";
    device.clock = clock;
    device.width = 32;
    device.burst_length = 8;
    device.banks = 8;
    device.row_bytes = 4096;  // [D] 1024 columns of 4 bytes
    device.rows = 32768;      // [D]
    DramTiming& t = device.timing;
    t.rl = 12;  // [J] at 1600 Mb/s
    t.wl = 6;   // [J] set A, [G]; [D] has set B: 9, which no measured row depends on
    t.burst = 4;
    t.ccd_s = t.ccd_l = 4;
    t.rcd = cycles_for(18, clock, 3);                            // 15
    t.rp = cycles_for(18, clock, 3);                             // 15
    t.rp_ab = cycles_for(21, clock, 3);                          // 17 [G]
    t.ras = cycles_for(42, clock, 3);                            // 34
    t.rc = t.ras + t.rp;                                         // 49 [J]
    t.rrd_s = t.rrd_l = cycles_for(10, clock, 2);                // 8
    t.faw = cycles_for(50, clock, 8);                            // 40
    t.rtp = cycles_for(7.5, clock, 4);                           // 6
    t.wr = cycles_for(15, clock, 4);                             // 12
    t.wtr_s = t.wtr_l = cycles_for(7.5, clock, 4);               // 6
    t.dqss = 1;                                                  // [J] tDQSS is up to 1.25 cycles
    t.rtw = t.rl + cycles_for(5.5, clock) + t.burst + 1 - t.wl;  // [J] 5.5 ns: tDQSCK at most
    t.ppd = 1;
    t.refi = cycles_within(3900, clock);      // 3120; DRAMsim3's file misspells the key, so that it refreshes at 7800
    t.refi_pb = cycles_within(487.5, clock);  // 390
    t.rfc = cycles_for(210, clock);           // 168 [J] of 8 Gb, [D]; [G] has 130 ns, a part of 4 Gb
    t.rfc_pb = cycles_for(90, clock);         // 72 [J] of 8 Gb, [D]
    t.pb_act = t.rrd_s;                       // [J]
    t.pb_pb = t.rfc_pb;                       // [J]
    device.currents = {1.2, 40, 20.5, 21, 250, 245, 150};  // [D]
    return device;
}
inline constexpr DramDevice lpddr3_1600 = make_lpddr3_1600();

}  // namespace models
