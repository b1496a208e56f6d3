#include "models/memory/dram/dram_energy.h"

namespace models {

DramEnergy dram_energy(const DramActivity& activity, const DramDevice& device, int devices) {
    const DramTiming& t = device.timing;
    const DramCurrents& i = device.currents;
    // Joules of a milliampere for a cycle.
    const double unit = i.vdd * 1e-3 / static_cast<double>(device.clock) * devices;
    const auto of = [&](std::uint64_t times, double milliamperes, double cycles) {
        return unit * static_cast<double>(times) * milliamperes * cycles;
    };
    DramEnergy energy;
    // idd0 is that of one activate and precharge every tRC, with the standby of its open and of its closed part.
    energy.activate = of(activity.activates, i.idd0 - (i.idd3n * t.ras + i.idd2n * (t.rc - t.ras)) / t.rc, t.rc);
    energy.read = of(activity.reads, i.idd4r - i.idd3n, t.burst);
    energy.write = of(activity.writes, i.idd4w - i.idd3n, t.burst);
    // A refresh of a bank restores the share of the rows that is its turn's. idd3n is taken off as the reference does
    // (../shared/data/dram), although its standby is counted as that of closed banks.
    const double turns = static_cast<double>(device.banks) / device.banks_per_refresh;
    energy.refresh =
        of(activity.refreshes, i.idd5 - i.idd3n, t.rfc) + of(activity.bank_refreshes, i.idd5 - i.idd3n, t.rfc) / turns;
    energy.active_standby = of(activity.active_cycles, i.idd3n, 1);
    energy.precharge_standby = of(activity.precharged_cycles, i.idd2n, 1);
    return energy;
}

}  // namespace models
