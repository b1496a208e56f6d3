"""Every claim of paper 002 beside what the sweeps have, and what they tell of the reasons where it differs."""

from typing import Callable

import numpy
import pandas

from tessera.papers import Finding, markdown

from statistics_of_cores import BANKS, HASH, REGISTERS, WARPS, best_registers, both_hashes, by_application, shifted

NEARLY = 0.95  # of the best: "saturated", "near optimum"; less does not show in a figure


def plateau(curve: pandas.Series) -> int:
    """The first setting from which on the curve stays within 5 % of its best."""
    good = (curve >= NEARLY * curve.max()).to_numpy()
    return int(curve.index[int(numpy.argmax(numpy.logical_and.accumulate(good[::-1])[::-1]))])


def plateaus(table: pandas.DataFrame) -> pandas.Series:
    """By application; `table` has a column each."""
    return table.apply(plateau)


def percent(value: float) -> str:
    return f"{100 * value:+.1f} %"


def share(value: float) -> str:
    return f"{100 * value:.0f} %"


def shown(values: pandas.Series, form: Callable[[float], str]) -> pandas.Series:
    """As texts; empty where there is none."""
    return values.map(form, na_action="ignore").fillna("")


def listed(values: pandas.Series) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in values.items())


def same_order(value: float, published: float) -> bool:
    """Of numbers that hang on the applications, which are others than the paper's."""
    return 0.5 <= value / published <= 2


def hash_gains(table: pandas.DataFrame) -> pandas.DataFrame:
    """IPC with warp-shift / with the register index - 1: a row a number of banks, a column an application."""
    ipc = table.pivot_table(index=[BANKS, "workload"], columns=HASH, values="ipc")
    return (ipc.warp_shift / ipc.register_index - 1).dropna().unstack("workload")


def warp_shift(banks: pandas.DataFrame, fast: pandas.DataFrame) -> Finding:
    gains = hash_gains(both_hashes(banks))
    with_fast_memory = hash_gains(fast[fast[WARPS] == 32]).mean(axis=1)
    every = both_hashes(banks)
    index = every[every[HASH] == "register_index"].groupby(BANKS)
    fast_index = fast[(fast[HASH] == "register_index") & (fast[WARPS] == 32)].groupby(BANKS).busiest_bank.mean()
    table = pandas.DataFrame(
        {
            "IPC gain, mean": shown(gains.mean(axis=1), percent),
            "largest": shown(gains.max(axis=1), percent),
            "balance": index.balance.mean(),
            "busiest bank reads": shown(index.busiest_bank.mean(), share),
            "waits for textures": shown(index.waiting_for_textures.mean(), share),
            "gain with fast memory": shown(with_fast_memory.reindex(gains.index), percent),
            "busiest bank reads then": shown(fast_index.reindex(gains.index), share),
        }
    ).rename_axis("banks")
    reads = shifted(banks)
    most = reads[reads[BANKS] == reads[BANKS].max()]
    return Finding(
        float(gains.mean(axis=1).max()), bool(gains.mean(axis=1).max() > 0),
        [
            "The value is the mean of applications at the number of banks where it is largest: the paper does not say of which",
            f"number its own is. The mean of all with more than one bank is {percent(gains[gains.index > 1].mean(axis=1).mean())}.",
            "Of the register-index hash:",
            "how uneven reads are (reads of the busiest bank / mean of all), in which share of the active cycles the",
            "busiest bank reads, and in which share nothing is issued while the oldest warp waits for textures. An uneven",
            "hash costs the more the nearer that bank is to 100 %; if banks were all that bounds the core, the gain would",
            "be balance - 1.", "", *markdown(table, 2), "",
            f"With {int(reads[BANKS].max())} banks, where conflicts are rarest, a core reads",
            f"{(most.ipc * most.operands).mean():.2f} registers a cycle: {most.ipc.mean():.2f} instructions of",
            f"{most.operands.mean():.2f} registers. Constants and immediates are operands in the paper's count, but lie in",
            "no bank here. With fast memory (nearly all texture blocks in the cache, the others at once) the core reads",
            "more often; the last columns say what the same hashes differ by then.",
        ],
    )


def banks_plateau(banks: pandas.DataFrame) -> Finding:
    ours = shifted(banks)
    ipc = by_application(ours, BANKS, "ipc")
    reads = ipc * by_application(ours, BANKS, "operands")
    found = plateaus(ipc)
    middle = float(numpy.median(found))
    table = pandas.DataFrame(
        {
            "fewest banks": found,
            f"reads a cycle, {reads.index[-1]} banks": reads.iloc[-1],
            "reads a cycle, 1 bank": reads.iloc[0],
            "IPC, 2 to 4 banks": shown(ipc.loc[4] / ipc.loc[2] - 1, percent),
        }
    ).rename_axis("application")
    return Finding(
        middle, 2 <= middle <= 5,
        [f"Median of the fewest banks with {share(NEARLY)} of the best IPC. A bank gives one register a cycle; how many an",
         "application would read with banks enough tells how many it needs.", "", *markdown(table, 2)],
    )


def warps_plateau(warps: pandas.DataFrame, fast: pandas.DataFrame) -> Finding:
    best = best_registers(warps)
    names = ("ipc", "waiting_for_textures", "resident_warps")
    ipc, waits, resident = (by_application(best, WARPS, name) for name in names)
    found = plateaus(ipc)
    middle = float(numpy.median(found))
    quick = fast[(fast[HASH] == "warp_shift") & (fast[BANKS] == 4)]
    quick_ipc = by_application(quick, WARPS, "ipc")
    last, before = ipc.index[-1], ipc.index[-2]
    table = pandas.DataFrame(
        {
            "fewest warps": found,
            f"IPC, {before} to {last}": shown(ipc.iloc[-1] / ipc.iloc[-2] - 1, percent),
            f"waits for textures, {before}": shown(waits.iloc[-2], share),
            f"{last}": shown(waits.iloc[-1], share),
            f"resident of {last}": resident.iloc[-1],
            "with fast memory: IPC": shown(quick_ipc.iloc[-1] / quick_ipc.iloc[-2] - 1, percent),
            "fewest warps then": plateaus(quick_ipc),
        }
    ).rename_axis("application")
    return Finding(
        middle, 16 <= middle <= 32,
        [
            f"Median of the fewest warps with {share(NEARLY)} of the best IPC. How much the last step of warps brings; in",
            "which share of the active cycles nothing is issued and the oldest warp waits for textures; how many slots are",
            "in use; and the same step when memory is fast (nearly all texture blocks in the cache, the others at once):",
            "what is left of it there does not hide memory.", "", *markdown(table, 1),
        ],
    )


def fewest_registers(warps: pandas.DataFrame, most_warps: int) -> pandas.Series:
    """By application: the fewest registers with nearly the IPC of the most, at every number of warps up to this one."""
    chosen = warps[warps[WARPS] <= most_warps]
    limited = chosen.pivot_table(index=REGISTERS, columns=["workload", WARPS], values="ipc").dropna(axis=1)
    near = (limited / limited.iloc[-1]).ge(NEARLY)
    return near.apply(lambda column: near.index[int(column.to_numpy().argmax())]).groupby(level="workload").max()


def registers_near_optimum(warps: pandas.DataFrame, characters: pandas.DataFrame) -> Finding:
    most = int(warps[WARPS].max())
    found = fewest_registers(warps, most)
    enough = float(found.max())
    in_use = by_application(best_registers(warps), WARPS, "registers_used")
    table = pandas.DataFrame(
        {
            "fewest registers": found,
            "up to 32 warps": fewest_registers(warps, 32),
            "in use, 32 warps": in_use.loc[32],
            f"in use, {most}": in_use.iloc[-1],
            "registers of a program": characters.registers_per_program.reindex(found.index),
        }
    ).rename_axis("application")
    return Finding(
        enough, same_order(enough, 550),
        [f"The fewest, of those tried, with which every application has {share(NEARLY)} of its best IPC at every number of",
         "warps. By application, what 8000 registers are used for (mean of active cycles), and what its programs need, each",
         f"counted once. {int((found <= 550).sum())} of {len(found)} applications have enough with 550.", "",
         *markdown(table, 1)],
    )


def collector_floor(banks: pandas.DataFrame) -> Finding:
    ours = shifted(banks)
    widest = ours[ours[BANKS] == ours[BANKS].max()]
    least = float((ours.collector_time - ours.operands - 2).min())
    more = float((widest.collector_time - widest.operands - 2).mean())
    return Finding(
        float(ours.operands.mean() + 2), least >= -1e-9,
        [f"Registers read per instruction + 2, mean of applications: {ours.operands.mean():.2f} + 2. The nearest point is",
         f"{least:.3f} cycles above its limit; with {int(widest[BANKS].iloc[0])} banks instructions stay {more:.2f} cycles longer."],
    )


def of_programs(characters: pandas.DataFrame, suite: pandas.DataFrame) -> dict[str, Finding]:
    """Claims about the applications, which are others than the paper's: the same order of magnitude is asked for."""

    def mean(column: str, published: float, more: str) -> Finding:
        value = float(characters[column].mean())
        measured = f"Mean of applications; {listed(characters[column].round(2))}.{more}"
        return Finding(value, same_order(value, published), [measured])

    frame, quads = suite.instructions.astype(float), suite.quads.astype(float)
    of_screen = suite["size"].map(lambda size: numpy.prod([int(side) for side in size.split("x")]) / 4).astype(float)
    table = pandas.DataFrame(
        {
            "million instructions": frame / 1e6,
            "quads / quads of the screen": quads / of_screen,
            "instructions of a quad": frame / quads,
        }
    )
    once = float((frame / quads * of_screen).mean()) / 1e6
    instructions = Finding(float(frame.mean()), same_order(float(frame.mean()), 4e6), [
        f"Instructions of quads, mean of applications (median {frame.median() / 1e6:.1f} million). Every quad of the screen",
        f"shaded once would take {once:.1f} million in the mean; the rest is overdraw:", "", *markdown(table, 2)])
    return {
        "core.registers_per_program": mean("registers_per_program", 11, ""),
        "core.instructions_per_program": mean("instructions_per_program", 10, ""),
        "core.operands_per_instruction": mean("operands_per_instruction", 1.5, " Constants and immediates count as operands."),
        "core.instructions_per_frame": instructions,
    }


def findings(tables: dict[str, pandas.DataFrame], characters: pandas.DataFrame,
             suite: pandas.DataFrame) -> dict[str, Finding]:
    """By the claims' ids. `tables`: of the sweeps; `characters`: applications.csv; `suite`: applications.table()."""
    return {
        "core.warp_shift_ipc": warp_shift(tables["banks"], tables["fast_memory"]),
        "core.banks_plateau": banks_plateau(tables["banks"]),
        "core.warps_plateau": warps_plateau(tables["warps"], tables["fast_memory"]),
        "core.registers_near_optimum": registers_near_optimum(tables["warps"], characters),
        "core.collector_floor": collector_floor(tables["banks"]),
        **of_programs(characters, suite),
    }


def text(tables: dict[str, pandas.DataFrame], suite: pandas.DataFrame) -> list[str]:
    """What the paper says in words, and whether it holds: lines of a list."""
    banks, best = shifted(tables["banks"]), best_registers(tables["warps"])
    ipc = by_application(banks, BANKS, "ipc")
    lines = []

    def add(statement: str, holds: bool, measured: str) -> None:
        lines.append(f"- {statement}: {'holds' if holds else 'differs'} ({measured}).")

    add("IPC is below 2 (4.2.3)", bool((ipc < 2).all().all()), f"at most {ipc.max().max():.2f}")
    fewest = plateaus(ipc)
    flat, deep = (fewest[suite.kind.reindex(fewest.index) == kind] for kind in ("2D", "3D"))
    if len(flat) and len(deep):
        add("2D work needs fewer banks (4.2.3)", bool(flat.mean() < deep.mean()),
            f"in the mean {flat.mean():.2f} and {deep.mean():.2f} of 3D work; {listed(flat)}; {listed(deep)}")
    for column, name in (("conflicts", "Conflicts grow close to zero with banks (4.2.6)"),
                         ("collector_time", "Time in the collector falls with banks (4.2.7)")):
        curve = by_application(banks, BANKS, column).mean(axis=1)
        add(name, bool(curve.iloc[-1] < 0.5 * curve.iloc[0]), f"mean from {curve.iloc[0]:.2f} to {curve.iloc[-1]:.2f}")
    even = banks.balance.max()
    uneven = tables["banks"][tables["banks"][HASH] == "register_index"].balance.max()
    add("With warp-shift reads are almost 100 % balanced (5.1)", bool(even < 1.2),
        f"busiest bank / mean at most {even:.2f}, with the register index {uneven:.2f}")
    used = by_application(best, WARPS, "registers_used")
    each = used.div(used.index, axis=0)
    add("Registers in use grow linearly with warps (5.2)", bool((each.iloc[-1] > 0.8 * each.iloc[0]).all()),
        f"registers a warp slot with the most warps / with the fewest: {(each.iloc[-1] / each.iloc[0]).mean():.2f}")
    return lines
