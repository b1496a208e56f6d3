// LPDDR4-3200, one channel of 16 bits and 4 Gb.
//
// Sources: [J] JESD209-4, [N] NXP's DDR tool, rules of JEDEC (../shared/reference/gpu.md, 3.10), [M] Micron's part of
// 6 Gb a channel as DRAMPower states it (memspecs/MICRON_6Gb_LPDDR4-3200_32bit_A.json). Not DRAMsim3's file, whose
// bank groups, tRCD and currents are those of a DDR4 part.
#pragma once

#include "models/memory/dram/device.h"

namespace models {

constexpr DramDevice make_lpddr4_3200() {
    constexpr std::int64_t clock = 1'600'000'000;
    DramDevice device;
    device.name = "lpddr4-3200";
    device.clock = clock;
    device.width = 16;
    device.burst_length = 16;
    device.banks = 8;
    device.row_bytes = 2048;
    device.rows = 32768;  // [J] of 4 Gb a channel
    DramTiming& t = device.timing;
    t.rl = 28;  // [N] set A
    t.wl = 14;  // [N] set A
    t.burst = 8;
    t.ccd_s = t.ccd_l = 8;
    t.rcd = cycles_for(18, clock, 4);                            // 29 [N]
    t.rp = cycles_for(18, clock, 4);                             // 29 [N]
    t.rp_ab = cycles_for(21, clock, 4);                          // 34 [N]
    t.ras = cycles_for(42, clock, 3);                            // 68 [N]
    t.rc = t.ras + t.rp;                                         // 97 [J], [M]
    t.rrd_s = t.rrd_l = cycles_for(10, clock, 4);                // 16 [N]
    t.faw = cycles_for(40, clock);                               // 64 [N]
    t.rtp = 12;                                                  // [N] nRTP
    t.wr = 30;                                                   // [N] nWR; 18 ns
    t.wtr_s = t.wtr_l = cycles_for(10, clock, 8);                // 16 [N]
    t.dqss = 1;                                                  // [J]
    t.rtw = t.rl + cycles_for(3.5, clock) + t.burst - t.wl + 2;  // [J] 3.5 ns: tDQSCK at most; 2: preamble of a write
    t.ppd = 4;                                                   // [J]
    t.refi = cycles_within(3904, clock);                         // 6246 [N]
    t.refi_pb = cycles_within(488, clock);                       // 780 [N]
    t.rfc = cycles_for(180, clock);                              // 288 [N] of 4 Gb a channel
    t.rfc_pb = cycles_for(90, clock);                            // 144 [N]
    t.pb_act = t.rrd_s;                                          // [J]
    t.pb_pb = t.rfc_pb;                                          // [J]
    device.command_cycles = {4, 4, 2, 2};  // [J] two edges a half; activates, reads and writes are two commands
    device.currents = {1.1, 45, 27, 30, 275, 210, 90};  // [M] VDD2
    return device;
}
inline constexpr DramDevice lpddr4_3200 = make_lpddr4_3200();

}  // namespace models
