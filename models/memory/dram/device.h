// A DRAM device: what its data sheet says. Devices are constants, one file each in devices/, listed in devices.h.
//
// A channel is one device, or several in lockstep that share commands and addresses and put their data side by side
// (Channel in dram_parameters.h). Ranks are not modelled.
#pragma once

#include <cstdint>
#include <string_view>

namespace models {

// In cycles of the command clock. From the edge of one command to that of another, unless it says otherwise.
struct DramTiming {
    int rl = 0;     // read to its first data
    int wl = 0;     // write to its first data
    int burst = 0;  // data of one read or write on the bus
    // Between reads, or between writes: of different bank groups, and of one.
    int ccd_s = 0, ccd_l = 0;
    int rcd = 0;                // activate to read or write
    int rp = 0, rp_ab = 0;      // precharge of a bank to its next activate; of all banks
    int ras = 0;                // activate to precharge
    int rc = 0;                 // activate to the next activate of the bank
    int rrd_s = 0;              // activate to activate of another bank, in another bank group
    int rrd_l = 0;              // and in the same
    int faw = 0;                // no more than four activates within this
    int rtp = 0;                // read to precharge
    int wr = 0;                 // last data of a write to precharge
    int wtr_s = 0;              // last data of a write to a read in another bank group
    int wtr_l = 0;              // and in the same
    int rtw = 0;                // read to write
    int dqss = 0;               // by which the data of a write may be later than wl says
    int ppd = 0;                // precharge to precharge
    int refi = 0, refi_pb = 0;  // mean interval of refresh commands: for all banks, for a bank in turn
    int rfc = 0, rfc_pb = 0;    // what such a refresh takes
    int pb_act = 0;             // refresh of a bank to activate of another
    int pb_pb = 0;              // refresh of a bank to that of another

    constexpr int write_end() const { return wl + dqss + burst; }  // write to its last data

    friend bool operator==(const DramTiming&, const DramTiming&) = default;
};

// Cycles that a command takes of the command bus.
struct DramCommandCycles {
    int activate = 1, column = 1, precharge = 1, refresh = 1;
};

// Of the rail that feeds the array, in volts and milliamperes, named as data sheets do. No other rail, no interface, no
// termination.
struct DramCurrents {
    double vdd = 0;
    double idd0 = 0;              // activate and precharge, one every tRC
    double idd2n = 0;             // standby, all banks precharged
    double idd3n = 0;             // standby, a row open
    double idd4r = 0, idd4w = 0;  // reading, writing without a gap
    double idd5 = 0;              // refreshing all banks without a gap
};

struct DramDevice {
    std::string_view name;
    std::int64_t clock = 0;  // of commands, Hz
    int width = 0;           // bits
    int burst_length = 0;    // beats
    int bank_groups = 1;
    int banks = 0;                         // in all groups; bank b is in group b % bank_groups
    int banks_per_refresh = 1;             // that one refresh of a bank refreshes: of as many groups, if there are some
    std::int64_t row_bytes = 0, rows = 0;  // of a bank
    DramTiming timing;
    DramCommandCycles command_cycles;
    DramCurrents currents;

    constexpr std::int64_t burst_bytes() const { return std::int64_t{width} / 8 * burst_length; }
    constexpr std::int64_t bytes() const { return row_bytes * rows * banks; }
};

// Cycles of a clock that a time takes at least, and how many of them fit into it: for what a data sheet gives in
// nanoseconds.
constexpr int cycles_for(double nanoseconds, std::int64_t hertz, int least = 1) {
    const auto picoseconds = static_cast<std::int64_t>(nanoseconds * 1000 + 0.5);
    const auto cycles = static_cast<int>((picoseconds * (hertz / 1000) + 999'999'999) / 1'000'000'000);
    return cycles > least ? cycles : least;
}
constexpr int cycles_within(double nanoseconds, std::int64_t hertz) {
    const auto picoseconds = static_cast<std::int64_t>(nanoseconds * 1000 + 0.5);
    return static_cast<int>(picoseconds * (hertz / 1000) / 1'000'000'000);
}

}  // namespace models
