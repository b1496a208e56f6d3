// LPDDR5-6400, one channel of 16 bits and 8 Gb, in the mode with four groups of four banks and bursts of 16. Commands
// run at a quarter of the data clock. The data clock is taken as running: starting it is not modelled.
//
// Sources: [R] JESD209-5B as Ramulator 2.1 states it (../shared/data/dram/lpddr5_facts.csv), [G] gem5's LPDDR5, [J]
// JESD209-5.
#pragma once

#include "models/memory/dram/devices/lpddr4_3200.h"

namespace models {

constexpr DramDevice make_lpddr5_6400() {
    constexpr std::int64_t clock = 800'000'000;  // [R]
    DramDevice device;
    device.name = "lpddr5-6400";
    device.clock = clock;
    device.width = 16;
    device.burst_length = 16;
    device.bank_groups = 4;        // [R]
    device.banks = 16;             // [R]
    device.banks_per_refresh = 2;  // [J] a refresh takes the bank in two groups
    device.row_bytes = 2048;       // [G]
    device.rows = 32768;           // [J] of 8 Gb
    DramTiming& t = device.timing;
    t.rl = 17;                              // [R]
    t.wl = 9;                               // [R]
    t.burst = 2;                            // [R]
    t.ccd_s = 2;                            // [R]
    t.ccd_l = 4;                            // [R]
    t.rcd = 15;                             // [R]
    t.rp = 15;                              // [R]
    t.rp_ab = 17;                           // [R]
    t.ras = 34;                             // [R]
    t.rc = 49;                              // [R]
    t.rrd_s = t.rrd_l = 4;                  // [R]
    t.faw = 16;                             // [R]
    t.rtp = 8;                              // [R]
    t.wr = 28 + 1;                          // [R], from a cycle behind the data [J]
    t.wtr_s = 5;                            // [R]
    t.wtr_l = 10 + t.ccd_l - t.burst;       // [R], from when the group's next write could end [J]
    t.dqss = 0;                             // [J]
    t.rtw = t.rl + t.ccd_l + 2 - t.wl;      // [J] 2: delay of the data clock, rounded up
    t.ppd = 2;                              // [R]
    t.refi = cycles_within(3906, clock);    // 3124: [R] rounds it up to 3125
    t.refi_pb = cycles_within(488, clock);  // 390: [R] rounds it up to 391
    t.rfc = 168;                            // [R] of 8 Gb
    t.rfc_pb = 96;                          // [R]
    t.pb_act = cycles_for(7.5, clock);      // [J]
    t.pb_pb = cycles_for(90, clock);        // [J]
    device.command_cycles = {2, 1, 1, 1};   // [J] an activate is two commands
    // An estimate, for want of a public data sheet: the currents of LPDDR4 at 1.05 V, and what reading and writing add
    // to standby grows with the rate.
    DramCurrents& i = device.currents;
    i = lpddr4_3200.currents;
    i.vdd = 1.05;  // [J] VDD2H
    i.idd4r = i.idd3n + (i.idd4r - i.idd3n) * 2;
    i.idd4w = i.idd3n + (i.idd4w - i.idd3n) * 2;
    return device;
}
inline constexpr DramDevice lpddr5_6400 = make_lpddr5_6400();

}  // namespace models
