"""Paper 002 on frame traces: sweeps, figures, and the published claims beside what was found. See README.md.

    run.sh -o DIR [--jobs N] [--frames A-B] [--quick] TRACE...
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pandas

import tessera
from tessera import characterise, figures

HERE = pathlib.Path(__file__).parent
BANKS = "fragment_processor.collector.banks"
HASH = "fragment_processor.collector.bank_hash"
WARPS = "fragment_processor.warps"
REGISTERS = "fragment_processor.collector.registers"
# In the paper: banks 1 to 8 (figure 4.6), warps 1 to 64 (5.3), registers 100 to 700 and 8000 (5.5).
FULL = {
    "banks": {BANKS: [1, 2, 3, 4, 5, 6, 7, 8], HASH: ["warp_shift", "register_index"]},
    "registers": {REGISTERS: [100, 250, 400, 550, 700, 8000], WARPS: [1, 2, 4, 8, 16, 32, 64]},
}
QUICK = {
    "banks": {BANKS: [1, 4], HASH: ["warp_shift", "register_index"]},
    "registers": {REGISTERS: [100, 8000], WARPS: [4, 32]},
}
# With more, memory is what bounds many frames, and no parameter of the core shows.
CORES = 1
NEARLY = 0.97  # of the best: "saturated", "near optimum"


def statistics(name):
    """Of a run: a statistic of the cores, weighted by the cycles in which each had work."""

    def of(results):
        cores = results["fragment_processor"]
        found = results.core_statistics()[name]
        weight = cores.active.where(found.notnull(), 0)
        return float((found.fillna(0) * weight).sum() / max(1, weight.sum()))

    return of


def balance(results):
    """Reads of the busiest bank / the mean of all banks; 1 without reads."""
    cores = results["fragment_processor"]
    reads = [float(cores[name].sum()) for name in cores.data_vars if name.startswith("bank_reads_")]
    return max(reads) * len(reads) / sum(reads) if sum(reads) > 0 else 1.0


FIGURES = {
    "ipc": statistics("ipc"),
    "issue_buffer": statistics("issue_buffer"),
    "dispatch_buffer": statistics("dispatch_buffer"),
    "collectors": statistics("collectors"),
    "conflicts": statistics("conflicts"),
    "collector_time": statistics("collector_time"),
    "operands": statistics("operands"),
    "registers_used": statistics("registers"),
    "resident_warps": statistics("warps"),
    "balance": balance,
}


def run_sweep(name, grid, arguments):
    """Writes the sweep's file, runs what is left of it, and reads its table."""
    spec = arguments.output / f"{name}.toml"
    lines = ['machine = "teapot-collector"', f"workloads = {json.dumps([str(t.resolve()) for t in arguments.traces])}"]
    lines += [f'frames = "{arguments.frames}"'] if arguments.frames else []
    lines += ["[set]", f"fragment_processor.count = {CORES}", "[grid]"]
    lines += [f"{setting} = {json.dumps(values)}" for setting, values in grid.items()]
    spec.write_text("\n".join(lines) + "\n")
    command = [os.environ.get("TESSERA", "tessera"), "sweep", spec, "-o", arguments.output / name]
    code = subprocess.run([*command, "--jobs", str(arguments.jobs)]).returncode
    if code == 75:
        sys.exit(75)
    table = tessera.open_sweep(arguments.output / name).table(**FIGURES)
    table.to_csv(arguments.output / f"{name}.csv")
    return table


def draw(output, number, table, across, value):
    """A figure as SVG, PNG and CSV: a line for every application."""
    table.to_csv(output / f"figure_{number}.csv")
    for ending in ("svg", "png"):
        figures.lines(output / f"figure_{number}.{ending}", table, across, value)


def by_application(table, setting, value):
    return table.pivot_table(index=setting, columns="workload", values=value)


def plateau(curve):
    """The first setting from which on the curve stays within 3 % of its best."""
    good = curve >= NEARLY * curve.max()
    return curve.index[int(numpy.argmax(good[::-1].cumprod()[::-1].to_numpy()))]


def draw_figures(output, banks, registers):
    shifted = banks[banks[HASH] == "warp_shift"]
    for number, value, axis in [
        ("4.6", "ipc", "warp instructions per active cycle of a core"),
        ("4.7a", "issue_buffer", "entries of the issue buffer in use"),
        ("4.7b", "dispatch_buffer", "entries of the dispatch buffer in use"),
        ("4.8", "collectors", "collector units in use"),
        ("4.9", "conflicts", "conflicts per cycle with requests"),
        ("4.10", "collector_time", "cycles in the operand collector"),
    ]:
        draw(output, number, by_application(shifted, BANKS, value), "register banks", axis)
    best = banks.pivot_table(index=BANKS, columns=[HASH], values="ipc")
    draw(output, "5.1", best, "register banks", "warp instructions per active cycle, mean of applications")
    uneven = banks.pivot_table(index=BANKS, columns=[HASH], values="balance")
    draw(output, "5.2", uneven, "register banks", "reads of the busiest bank / mean of all banks")
    many = registers[registers[REGISTERS] == registers[REGISTERS].max()]
    draw(output, "5.3", by_application(many, WARPS, "ipc"), "warps of a core", "warp instructions per active cycle of a core")
    draw(output, "5.4", by_application(many, WARPS, "registers_used"), "warps of a core", "physical registers in use")
    limited = registers.pivot_table(index=WARPS, columns=REGISTERS, values="ipc")
    limited.columns = [f"{int(count)} registers" for count in limited.columns]
    draw(output, "5.5", limited, "warps of a core", "warp instructions per active cycle, mean of applications")


def claims(banks, registers, applications):
    """{id: (value found, holds, what else was measured)}"""
    shifted = banks[banks[HASH] == "warp_shift"]
    ipc = by_application(shifted, BANKS, "ipc")
    both = banks.pivot_table(index=[BANKS, "workload"], columns=HASH, values="ipc")
    gain = both.warp_shift / both.register_index - 1
    most = gain.groupby(level=0).mean()
    many = registers[registers[REGISTERS] == registers[REGISTERS].max()]
    by_warps = by_application(many, WARPS, "ipc")
    resident = by_application(many, WARPS, "resident_warps")
    limited = registers.pivot_table(index=REGISTERS, columns=[WARPS, "workload"], values="ipc")
    near = limited.ge(NEARLY * limited.iloc[-1]).all(axis=1)
    enough = near.index[near.to_numpy().argmax()]
    at_banks = {name: plateau(ipc[name]) for name in ipc}
    at_warps = {name: plateau(by_warps[name]) for name in by_warps}
    operands, time = shifted.operands.mean(), shifted[shifted[BANKS] == shifted[BANKS].max()]
    floor = (time.collector_time - time.operands - 2).mean()
    found = {
        "core.warp_shift_ipc": (
            most.max(), gain.mean() > 0,
            "by banks: " + ", ".join(f"{bank}: {100 * value:+.1f} %" for bank, value in most.items()),
        ),
        "core.banks_plateau": (
            numpy.median(list(at_banks.values())), numpy.median(list(at_banks.values())) <= 5,
            ", ".join(f"{name} {bank}" for name, bank in at_banks.items()),
        ),
        "core.warps_plateau": (
            numpy.median(list(at_warps.values())), numpy.median(list(at_warps.values())) <= 32,
            ", ".join(f"{name} {warps}" for name, warps in at_warps.items())
            + f"; with {resident.index[-1]} slots {resident.iloc[-1].mean():.1f} warps are resident in the mean",
        ),
        "core.registers_near_optimum": (
            enough, enough <= 700, f"the fewest with which every application has {100 * NEARLY:.0f} % of its best IPC at every number of warps",
        ),
        "core.registers_per_program": (applications.registers_per_program.mean(), None, "mean of applications"),
        "core.instructions_per_program": (applications.instructions_per_program.mean(), None, "mean of applications"),
        "core.operands_per_instruction": (
            operands, None, "registers read; constants and immediates need no bank here",
        ),
        "core.instructions_per_frame": (
            applications.fragment_instructions_per_frame.mean() / 4, None,
            "mean of applications; instructions of warps of four threads, frames of other sizes than the thesis'",
        ),
        "core.collector_floor": (
            operands + 2, bool((shifted.collector_time >= shifted.operands + 2 - 1e-9).all()),
            f"time in the collector is never less, and {floor:.2f} cycles more with the most banks",
        ),
    }
    return found


def characterised(output, traces):
    """Of every application: mean registers and instructions of a fragment program, and fragment instructions a frame."""
    subprocess.run([sys.executable, "-m", "tessera.characterise", *traces, "-o", output], check=True,
                   stdout=subprocess.DEVNULL)
    table = pandas.read_csv(output / "applications.csv")
    return table[["registers_per_program", "instructions_per_program", "fragment_instructions_per_frame"]]


def write_page(output, found):
    published = pandas.read_csv(HERE.parent / "published.csv", comment="#").set_index("id")
    lines = ["# Paper 002 beside what was found", "", "| claim | published | found | verdict | measured |", "|---|---|---|---|---|"]
    for claim, (value, holds, more) in found.items():
        row = published.loc[claim]
        near = 0.5 <= value / float(row.value) <= 2
        if holds is None:  # of the applications, which are others: the same order of magnitude
            holds = near
        verdict = "holds" if holds and (near or row.relation != "ratio") else "holds in sign only" if holds else "differs"
        lines.append(f"| `{claim}`: {row.metric} | {float(row.value):g} {row.unit} | {value:.4g} | {verdict} | {more} |")
    lines += ["", "Figures 4.1 to 4.5 are of `tessera.characterise`, the others of the sweeps beside this page.", ""]
    lines += [f"![figure {number}](figure_{number}.svg)" for number in
              ("4.6", "4.7a", "4.7b", "4.8", "4.9", "4.10", "5.1", "5.2", "5.3", "5.4", "5.5")]
    (output / "page.md").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="002/run.sh", description=__doc__.splitlines()[0])
    parser.add_argument("traces", nargs="+", type=pathlib.Path, metavar="TRACE")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="made if missing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs side by side [1]")
    parser.add_argument("--frames", metavar="A-B", help="of every trace, as of tessera run [all]")
    parser.add_argument("--quick", action="store_true", help="few points, to see that it works")
    arguments = parser.parse_args()
    for trace in arguments.traces:
        if not trace.is_file():
            sys.exit(f"error: no trace {trace}")
    arguments.output.mkdir(parents=True, exist_ok=True)
    grids = QUICK if arguments.quick else FULL
    applications = characterised(arguments.output, arguments.traces)
    banks = run_sweep("banks", grids["banks"], arguments)
    registers = run_sweep("registers", grids["registers"], arguments)
    if banks.empty or registers.empty:
        sys.exit("error: of a sweep no point was done: see points.csv in its folder")
    draw_figures(arguments.output, banks, registers)
    write_page(arguments.output, claims(banks, registers, applications))
    print(f"page    {arguments.output / 'page.md'}")


if __name__ == "__main__":
    main()
