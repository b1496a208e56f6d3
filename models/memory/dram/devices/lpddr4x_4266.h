// LPDDR4X-4266, one channel of 16 bits and 4 Gb. What differs from LPDDR4 is the voltage of the interface, which no
// figure here has, and the speed: times are those of lpddr4_3200.h rounded up to this clock.
//
// Sources: [J] JESD209-4, speed bin 4266; the others as there.
#pragma once

#include "models/memory/dram/devices/lpddr4_3200.h"

namespace models {

constexpr DramDevice make_lpddr4x_4266() {
    constexpr std::int64_t clock = 2'133'000'000;
    DramDevice device = lpddr4_3200;
    device.name = "lpddr4x-4266";
    device.clock = clock;
    DramTiming& t = device.timing;
    t.rl = 36;                                      // [J] set A
    t.wl = 18;                                      // [J] set A
    t.rcd = cycles_for(18, clock, 4);               // 39
    t.rp = cycles_for(18, clock, 4);                // 39
    t.rp_ab = cycles_for(21, clock, 4);             // 45
    t.ras = cycles_for(42, clock, 3);               // 90
    t.rc = t.ras + t.rp;                            // 129
    t.rrd_s = t.rrd_l = cycles_for(7.5, clock, 4);  // 16 [J] of this bin
    t.faw = cycles_for(30, clock);                  // 64 [J] of this bin
    t.rtp = 16;                                     // [J] nRTP
    t.wr = 40;                                      // [J] nWR
    t.wtr_s = t.wtr_l = cycles_for(10, clock, 8);   // 22
    t.rtw = t.rl + cycles_for(3.5, clock) + t.burst - t.wl + 2;
    t.refi = cycles_within(3904, clock);    // 8327
    t.refi_pb = cycles_within(488, clock);  // 1040
    t.rfc = cycles_for(180, clock);         // 384
    t.rfc_pb = cycles_for(90, clock);       // 192
    t.pb_act = t.rrd_s;
    t.pb_pb = t.rfc_pb;
    // An estimate: a burst costs what it does at 3200 Mb/s, so what reading and writing add to standby grows with the
    // rate.
    DramCurrents& i = device.currents;
    i.idd4r = i.idd3n + (i.idd4r - i.idd3n) * 4266 / 3200;
    i.idd4w = i.idd3n + (i.idd4w - i.idd3n) * 4266 / 3200;
    return device;
}
inline constexpr DramDevice lpddr4x_4266 = make_lpddr4x_4266();

}  // namespace models
