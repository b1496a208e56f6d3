// LPDDR3-800: the part of lpddr3_1600.h at 400 MHz, as paper 004 clocks it. What its data sheet gives in nanoseconds
// (least cycles beside it) is rounded up to this clock; latencies are those of the speed bin.
//
// Sources: [J] JESD209-3; the others as there.
#pragma once

#include "models/memory/dram/devices/lpddr3_1600.h"

namespace models {

constexpr DramDevice make_lpddr3_800() {
    constexpr std::int64_t clock = 400'000'000;
    DramDevice device = lpddr3_1600;
    device.name = "lpddr3-800";
    device.clock = clock;
    DramTiming& t = device.timing;
    t.rl = 6;  // [J] at 800 Mb/s
    t.wl = 3;
    t.rcd = cycles_for(18, clock, 3);               // 8
    t.rp = cycles_for(18, clock, 3);                // 8
    t.rp_ab = cycles_for(21, clock, 3);             // 9
    t.ras = cycles_for(42, clock, 3);               // 17
    t.rc = t.ras + t.rp;                            // 25
    t.rrd_s = t.rrd_l = cycles_for(10, clock, 2);   // 4
    t.faw = cycles_for(50, clock, 8);               // 20
    t.rtp = cycles_for(7.5, clock, 4);              // 4: never less
    t.wr = cycles_for(15, clock, 4);                // 6
    t.wtr_s = t.wtr_l = cycles_for(7.5, clock, 4);  // 4: never less
    t.rtw = t.rl + cycles_for(5.5, clock) + t.burst + 1 - t.wl;
    t.refi = cycles_within(3900, clock);      // 1560
    t.refi_pb = cycles_within(487.5, clock);  // 195
    t.rfc = cycles_for(210, clock);           // 84
    t.rfc_pb = cycles_for(90, clock);         // 36
    t.pb_act = t.rrd_s;
    t.pb_pb = t.rfc_pb;
    // A burst costs what it does at twice the rate: what reading and writing add to standby halves.
    DramCurrents& i = device.currents;
    i.idd4r = i.idd3n + (i.idd4r - i.idd3n) / 2;
    i.idd4w = i.idd3n + (i.idd4w - i.idd3n) / 2;
    return device;
}
inline constexpr DramDevice lpddr3_800 = make_lpddr3_800();

}  // namespace models
