"""Figures 4.6 to 5.5 of paper 002 and one of display power, as SVG, PNG and CSV; 4.1 to 4.5 are tessera.characterise's."""

import pathlib

import pandas

from tessera import figures

from statistics_of_cores import BANKS, HASH, REGISTERS, WARPS, best_registers, both_hashes, by_application, shifted

TITLES = {
    "4.1": "figure 4.1: registers of a shader program",
    "4.2": "figure 4.2: instructions of a shader program",
    "4.3": "figure 4.3: fragment instructions of a frame",
    "4.4": "figure 4.4: instructions by number of operands",
    "4.5": "figure 4.5: operands of an instruction",
    "4.6": "figure 4.6: IPC by register banks",
    "4.7": "figure 4.7: issue and dispatch buffer by register banks",
    "4.8": "figure 4.8: collector units by register banks",
    "4.9": "figure 4.9: conflicts by register banks",
    "4.10": "figure 4.10: time in the operand collector by register banks, and the limit of equation 4.1",
    "5.1": "figure 5.1: IPC by register banks and hash",
    "5.2": "figure 5.2: reads by bank and hash",
    "5.3": "figure 5.3: IPC by warps",
    "5.4": "figure 5.4: registers in use by warps",
    "5.5": "figure 5.5: IPC by warps and registers",
    "display": "power of an OLED display that shows the frames",
}
IPC = "warp instructions per active cycle"
HASHES = {"warp_shift": "warp-shift", "register_index": "register index"}


def by_hash(banks: pandas.DataFrame, application: str) -> pandas.DataFrame:
    """IPC by banks, a column a hash."""
    chosen = both_hashes(banks[banks.workload == application])
    return chosen.pivot_table(index=BANKS, columns=HASH, values="ipc")[list(HASHES)].rename(columns=HASHES)


def read_shares(banks: pandas.DataFrame, application: str, count: int) -> pandas.DataFrame:
    """Share of the reads (%) by bank, of `count` banks, a column a hash."""
    chosen = banks[(banks.workload == application) & (banks[BANKS] == count)].set_index(HASH)
    shares = 100 * chosen.loc[list(HASHES), [f"bank_{bank}" for bank in range(count)]].T
    return shares.set_axis(range(count)).rename(columns=HASHES)


def by_registers(warps: pandas.DataFrame, application: str) -> pandas.DataFrame:
    """IPC by warps, a column a number of registers."""
    table = warps[warps.workload == application].pivot_table(index=WARPS, columns=REGISTERS, values="ipc")
    return table.rename(columns=lambda registers: f"{int(registers)} registers")


def draw(output: pathlib.Path, banks: pandas.DataFrame, warps: pandas.DataFrame, suite: pandas.DataFrame) -> None:
    """All figures. `banks` and `warps` are tables of the sweeps, `suite` that of applications.table()."""
    names = sorted(banks.workload.unique())
    ours = shifted(banks)

    def lines(number: str, table: pandas.DataFrame, across: str, value: str, **options) -> None:
        figures.write(figures.lines(table, across, value, **options), table, output, f"figure_{number}")

    def panels(number: str, tables: dict[str, pandas.DataFrame], across: str, value: str, **options) -> None:
        figures.write(figures.panels(tables, across, value, **options), pandas.concat(tables), output, f"figure_{number}")

    lines("4.6", by_application(ours, BANKS, "ipc"), "register banks", f"{IPC} of a core")
    buffers = {"issue_buffer": "issue buffer (IS_OC)", "dispatch_buffer": "dispatch buffer (OC_EX)"}
    by_banks = {name: ours[ours.workload == name].set_index(BANKS).rename(columns=buffers) for name in names}
    panels("4.7", {name: table[list(buffers.values())] for name, table in by_banks.items()}, "register banks",
           "entries in use, mean of active cycles")
    lines("4.8", by_application(ours, BANKS, "collectors"), "register banks", "collector units in use, of 16")
    lines("4.9", by_application(ours, BANKS, "conflicts"), "register banks", "conflicts per cycle with read requests")
    time = by_application(ours, BANKS, "collector_time")
    time.loc["limit"] = by_application(ours, BANKS, "operands").mean() + 2
    lines("4.10", time, "register banks; limit: operands + 2 (equation 4.1)", "cycles in the operand collector",
          summary=True)
    panels("5.1", {name: by_hash(banks, name) for name in names}, "register banks", IPC)
    panels("5.2", {name: read_shares(banks, name, 4) for name in names}, "register bank, of four", "reads (%)", kind="bars",
           one=25)
    best = best_registers(warps)
    lines("5.3", by_application(best, WARPS, "ipc"), "warps of a core", f"{IPC} of a core")
    lines("5.4", by_application(best, WARPS, "registers_used"), "warps of a core", "physical registers in use")
    panels("5.5", {name: by_registers(warps, name) for name in names}, "warps of a core", IPC)
    power = suite[[f"OLED {part}" for part in ("panel", "red", "green", "blue")]].astype(float)
    power.columns = ["panel", "red", "green", "blue"]
    taken_off = suite["OLED mixed"].astype(float) / power[["red", "green", "blue"]].sum(axis=1)
    power[["red", "green", "blue"]] = power[["red", "green", "blue"]].mul(1 + taken_off, axis=0)
    figures.write(figures.bars(power, "power of the display (mW)", stacked=True), power, output, "figure_display")
