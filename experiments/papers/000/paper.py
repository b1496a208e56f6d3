"""Paper 000 on frame traces: sweeps, figures, and the published claims beside what was found. See README.md.

    run.sh -o DIR [--jobs N] [--frames A-B] [--warm-up N] [--quick] [TRACE...]
"""

import argparse
import pathlib
from typing import Sequence

import pandas

import tessera
from tessera import papers

import claims
import drawing
import sources
from schemes import FRAMES, PERFECT, QUEUE, REMOTE, SCHEMES, TILES, WARPS, scheme_of, settings, statistics, together

# The suite, and what kind of work it is: the paper has three flat games, two simple 3D ones and three with larger models.
SUITE = {"supertux": "2D", "teeworlds": "2D", "xmoto": "2D", "neverball": "simple 3D", "extremetuxracer": "simple 3D",
         "openarena": "3D", "supertuxkart": "3D", "trigger-rally": "3D"}
QUICK_SUITE = ["glmark2-build", "glmark2-texture"]  # little work, and of a package that recording needs anyway
SIZE = "800x480"  # Table 1
MACHINE = "tegra-dae"
OVER_FRAMES = ("schemes", "warps")  # of all frames, the others of the first one that counts, unless it is said which
MEMORIES = {  # beside the flat one of the preset, 4.8 GB/s with 100 cycles
    "flat, half as wide": {"dram.model": "flat", "dram.flat.bandwidth_of": "all_channels", "dram.device": "lpddr3-1600"},
    "LPDDR4-3200": {"dram.model": "timed", "dram.flat.bandwidth_of": "each_channel", "dram.device": "lpddr4-3200"},
}


def sweeps(quick: bool) -> dict[str, tuple[str, list[dict[str, object]]]]:
    """The machine and the points of each sweep."""
    few = ["none", REMOTE]
    warps = {2: few, 16: few} if quick else {2: SCHEMES, 4: few, 8: few, 16: SCHEMES}
    tiles, queues = ([8], [4]) if quick else ([8, 16, 64], [4, 64])
    ahead = [settings(REMOTE, **{TILES: count, QUEUE: 16}) for count in tiles]
    ahead += [settings(REMOTE, **{TILES: 32, QUEUE: count}) for count in queues]
    memory = [settings(scheme) | device for device in MEMORIES.values() for scheme in few]
    elsewhere = [{name: value for name, value in settings(scheme).items() if name.startswith(("texture_cache", "access"))}
                 for scheme in (few if quick else [*SCHEMES, PERFECT])]
    return {
        "schemes": (MACHINE, [settings(scheme) for scheme in [*SCHEMES, PERFECT]]),
        "warps": (MACHINE, [settings(scheme, count) for count, compared in warps.items() for scheme in compared]),
        "throttle": (MACHINE, [settings("MTA", **{"prefetch.thread_aware_merge": 0})]),
        "queues": (MACHINE, ahead),
        "memory": (MACHINE, memory),
        "tiled": (MACHINE, [point | {"rendering.mode": "tiled"} for point in elsewhere]),
        "bifrost32": ("bifrost32", [point | {"geometry.uploads": "free"} for point in elsewhere]),  # as tegra-dae has it
    }


def first_frames(traces: Sequence[pathlib.Path], count: int) -> str | None:
    """The numbers of the first frames of all of them; none, which is all frames, if they begin with different ones."""
    numbers = set()
    for path in traces:
        with tessera.open_trace(path) as trace:
            numbers.add((trace.frame(0).number, trace.frame(min(count, len(trace)) - 1).number))
    return "{}-{}".format(*numbers.pop()) if len(numbers) == 1 else None


def run_sweeps(arguments: argparse.Namespace) -> tuple[dict[str, pandas.DataFrame], pandas.DataFrame]:
    """Statistics of all points, a table a sweep; and of each sweep points and seconds."""
    tables, costs = {}, {}
    first = first_frames(arguments.traces, arguments.warm_up + 1)
    for name, (machine, points) in sweeps(arguments.quick).items():
        frames = arguments.frames or (None if name in OVER_FRAMES else first)
        sweep = papers.run_sweep(arguments.output / name, machine, arguments.traces, {}, together(points), frames,
                                 arguments.jobs)
        if machine == MACHINE:
            papers.price(sweep)  # what the GPU of every point consumed
        table = sweep.table(**statistics(arguments.warm_up))
        table["cycles"] = table.pop("measured_cycles")
        table["scheme"] = table.apply(scheme_of, axis=1)
        tables[name] = table
        table.to_csv(arguments.output / f"{name}.csv")
        costs[name] = {"points": len(table), "minutes of one core": papers.sweep_seconds(sweep) / 60}
    tables["warps"] = pandas.concat([tables["schemes"][tables["schemes"].scheme != PERFECT], tables["warps"]])
    return tables, pandas.DataFrame.from_dict(costs, orient="index").rename_axis("sweep")


def frames_told(schemes: pandas.DataFrame, warm_up: int) -> str:
    if warm_up == 0:
        return "All frames count, those with cold caches, too."
    cold = schemes[schemes.warmed_up < warm_up].workload.unique()
    text = "Of every application " + ("the first frame warms caches up and is left out" if warm_up == 1 else
                                      f"the first {warm_up} frames warm caches up and are left out")
    return text + (f", but not of {', '.join(cold)}, which have no others." if len(cold) else ".")


def write_page(output: pathlib.Path, findings: dict[str, papers.Finding], text: list[str], costs: pandas.DataFrame,
               quick: bool, told: str) -> None:
    lines = ["# Paper 000 beside what was found", "", told, ""]
    lines += ["Of few points (`--quick`): what holds and what differs says little.", ""] if quick else []
    lines += papers.claims_page("000", findings)
    lines += ["", "## What the paper does not show", "", *text]
    lines += ["", "## Sweeps", "", *papers.markdown(costs, 1), "", "## Figures", ""]
    lines += [f"![{title}](figure_{number}.svg)\n" for number, title in drawing.TITLES.items()]
    (output / "page.md").write_text("\n".join(lines) + "\n")


def main() -> None:
    arguments = papers.parse(papers.parser("000/run.sh", __doc__, f"the suite has {FRAMES}", warms_up=True))
    arguments.output.mkdir(parents=True, exist_ok=True)
    if not arguments.traces:
        names = QUICK_SUITE if arguments.quick else list(SUITE)
        arguments.traces = papers.record_suite(names, arguments.output / "suite", 2 if arguments.quick else FRAMES, SIZE)
    tables, costs = run_sweeps(arguments)
    found = sources.table(arguments.traces, arguments.output / "sources.csv")
    drawing.draw(arguments.output, tables)
    findings = claims.findings(tables, found)
    write_page(arguments.output, findings, claims.text(tables, found), costs, arguments.quick,
               frames_told(tables["schemes"], arguments.warm_up))
    print(f"page    {arguments.output / 'page.md'}")


if __name__ == "__main__":
    main()
