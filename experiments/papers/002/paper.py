"""Paper 002 on frame traces: sweeps, figures, and the published claims beside what was found. See README.md.

    run.sh -o DIR [--jobs N] [--frames A-B] [--quick] [TRACE...]
"""

import argparse
import pathlib
import subprocess
import sys

import pandas

from tessera import papers

import applications
import claims
import drawing
from statistics_of_cores import BANKS, FAST_MEMORY, HASH, REGISTERS, STATISTICS, WARPS

# The suite, and whether it is flat work: the paper has two applications of six (Table 4.2).
SUITE = {"openarena": "3D", "supertuxkart": "3D", "trigger-rally": "3D", "neverball": "3D", "extremetuxracer": "3D",
         "supertux": "2D", "teeworlds": "2D", "xmoto": "2D"}
QUICK_SUITE = ["glmark2-build", "glmark2-texture"]  # little work, and of a package that recording needs anyway
# With more, memory is what bounds many frames, and no parameter of the core shows.
CORES = 1


def sweeps(quick: bool) -> dict[str, dict[str, list]]:
    """The points of each sweep. In the paper: banks 1 to 8 (figure 4.6), warps 1 to 64 (5.3), registers 100 to 700 and 8000
    (5.5). With one bank both hashes are the same; few warps never use the registers up."""
    many = [1, 2, 4] if quick else [1, 2, 3, 4, 5, 6, 7, 8]
    banks = [(count, "warp_shift") for count in many] + [(count, "register_index") for count in many[1:]]
    warps = [(8000, count) for count in ([8, 32] if quick else [1, 2, 4, 8, 16, 32, 64])]
    warps += [(registers, count) for registers in ([100] if quick else [100, 250, 400, 550, 700])
              for count in ([8, 32] if quick else [8, 16, 32, 64])]
    fast = [(4, "warp_shift", count) for count in ([8, 32] if quick else [16, 32, 64])]
    fast += [(2, "warp_shift", 32), (2, "register_index", 32), (4, "register_index", 32)]
    return {
        "banks": papers.pairs(BANKS, HASH, of=banks),
        "warps": papers.pairs(REGISTERS, WARPS, of=warps),
        "fast_memory": papers.pairs(BANKS, HASH, WARPS, of=fast),
    }


def run_sweeps(arguments: argparse.Namespace) -> tuple[dict[str, pandas.DataFrame], pandas.DataFrame]:
    """Statistics of all points, a table a sweep; and of each sweep points and seconds."""
    tables, costs = {}, {}
    for name, points in sweeps(arguments.quick).items():
        fixed = {"fragment_processor.count": CORES, "geometry.uploads": "free",  # or a first frame is mostly its textures
                 **(FAST_MEMORY if name == "fast_memory" else {})}
        sweep = papers.run_sweep(arguments.output / name, "teapot-collector", arguments.traces, fixed, points,
                                 arguments.frames, arguments.jobs)
        tables[name] = sweep.table(**STATISTICS)
        tables[name].to_csv(arguments.output / f"{name}.csv")
        costs[name] = {"points": len(tables[name]), "minutes of one core": papers.sweep_seconds(sweep) / 60}
    return tables, pandas.DataFrame.from_dict(costs, orient="index").rename_axis("sweep")


def write_page(output: pathlib.Path, findings: dict[str, papers.Finding], text: list[str], suite: pandas.DataFrame,
               costs: pandas.DataFrame, quick: bool) -> None:
    lines = ["# Paper 002 beside what was found", ""]
    lines += ["Of few points (`--quick`): what holds and what differs says little.", ""] if quick else []
    lines += papers.claims_page("002", findings)
    lines += ["", "## What the text says besides", "", *text]
    lines += ["", "## Applications", "", *applications.EXPLANATION, "", *papers.markdown(suite[applications.SHOWN])]
    lines += ["", "## Sweeps", "", *papers.markdown(costs, 1), "", "## Figures", ""]
    lines += [f"![{title}](figure_{number}.svg)\n" for number, title in drawing.TITLES.items()]
    (output / "page.md").write_text("\n".join(lines) + "\n")


def main() -> None:
    arguments = papers.parse(papers.parser("002/run.sh", __doc__))
    arguments.output.mkdir(parents=True, exist_ok=True)
    if not arguments.traces:
        names = QUICK_SUITE if arguments.quick else list(SUITE)
        arguments.traces = papers.record_suite(names, arguments.output / "suite")
    subprocess.run([sys.executable, "-m", "tessera.characterise", *arguments.traces, "-o", arguments.output], check=True,
                   stdout=subprocess.DEVNULL)
    characters = pandas.read_csv(arguments.output / "applications.csv", index_col="application")
    tables, costs = run_sweeps(arguments)
    suite = applications.table(arguments.traces, SUITE)
    drawing.draw(arguments.output, tables["banks"], tables["warps"], suite)
    findings = claims.findings(tables, characters, suite)
    write_page(arguments.output, findings, claims.text(tables, suite), suite, costs, arguments.quick)
    print(f"page    {arguments.output / 'page.md'}")


if __name__ == "__main__":
    main()
