"""Paper 004 on frame traces: sweeps, figures, and the published claims beside what was found. See README.md.

    run.sh -o DIR [--jobs N] [--frames A-B] [--warm-up N] [--few NAME...] [--quick] [TRACE...]
"""

import argparse
import pathlib

import pandas

from tessera import papers

import claims
import drawing
import points
import sensitivity
from measurements import POLICY, PRIVATE, statistics

SUITE = ["openarena", "supertuxkart", "trigger-rally", "neverball", "extremetuxracer", "supertux", "teeworlds", "xmoto"]
FEW = ["supertux", "teeworlds", "neverball"]  # of little work, for settings
QUICK_SUITE = ["glmark2-build", "glmark2-texture"]
FRAMES = 4  # the first one warms caches up


class Sweeps:
    """Runs them; tables of statistics, and what each cost."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.costs: dict[str, dict[str, float]] = {}

    def run(self, name: str, fixed: dict, tried: dict[str, list], traces: list[pathlib.Path]) -> pandas.DataFrame:
        settings = {key: value for key, value in {**points.MAIN, **fixed}.items() if key not in tried}
        folder = self.arguments.output / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        sweep = papers.run_sweep(folder, "bifrost32", traces, settings, tried, self.arguments.frames, self.arguments.jobs)
        papers.price(sweep)
        table = sweep.table(**statistics(self.arguments.warm_up))
        table.to_csv(folder.with_suffix(".csv"))
        self.costs[name] = {"points": len(table), "minutes of one core": papers.sweep_seconds(sweep) / 60}
        return table


def write_page(output: pathlib.Path, findings: dict[str, papers.Finding], tables: dict[str, pandas.DataFrame],
               groups: list[str], costs: pandas.DataFrame, quick: bool) -> None:
    lines = ["# Paper 004 beside what was found", ""]
    lines += ["Of few points (`--quick`): what holds and what differs says little.", ""] if quick else []
    lines += papers.claims_page("004", findings)
    lines += ["", "## The order of policies", "", *claims.order(tables["policies"])]
    lines += ["", "## Ways between caches", "", *claims.ways(tables["policies"])]
    lines += ["", "## When the idea pays", "", *groups]
    lines += ["", "## Applications", "", *claims.applications(tables["policies"])]
    lines += ["", "## Sweeps", "", *papers.markdown(costs, 1), "", "## Figures", ""]
    lines += [f"![{title}](figure_{number}.svg)\n" for number, title in drawing.TITLES.items()]
    (output / "page.md").write_text("\n".join(lines) + "\n")


def parse() -> argparse.Namespace:
    parser = papers.parser("004/run.sh", __doc__, "the suite has four", warms_up=True)
    parser.add_argument("--few", nargs="+", default=FEW, metavar="NAME",
                        help=f"traces with which settings are tried, by name without ending [{' '.join(FEW)}]")
    return papers.parse(parser)


def main() -> None:
    arguments = parse()
    arguments.output.mkdir(parents=True, exist_ok=True)
    if not arguments.traces:
        names = QUICK_SUITE if arguments.quick else SUITE
        arguments.traces = papers.record_suite(names, arguments.output / "suite", 2 if arguments.quick else FRAMES)
    few = [trace for trace in arguments.traces if trace.stem in arguments.few] or arguments.traces[:1]
    sweeps = Sweeps(arguments)
    tables = {"policies": sweeps.run("policies", {}, points.policies(), arguments.traces)}
    groups = {name: (group, sweeps.run(f"sensitivity/{name}", {}, group.points(), few))
              for name, group in points.sensitivity(arguments.quick).items()}
    tables["cores"] = sweeps.run("cores", {}, points.cores(arguments.quick), arguments.traces)
    tables["capacity"] = sweeps.run("capacity", {POLICY: PRIVATE}, points.capacity(arguments.quick), arguments.traces)
    settings = sensitivity.table(tables["policies"], groups)
    drawing.draw(arguments.output, tables, settings)
    costs = pandas.DataFrame.from_dict(sweeps.costs, orient="index").rename_axis("sweep")
    write_page(arguments.output, claims.findings(tables, settings), tables, sensitivity.page(settings), costs, arguments.quick)
    print(f"page    {arguments.output / 'page.md'}")


if __name__ == "__main__":
    main()
