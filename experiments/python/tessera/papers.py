"""What the folders of experiments/papers have in common: a suite of traces, sweeps, and a table of published claims beside
the values found. A paper of its own is a folder with run.sh, sweeps as lists of points, figures of tessera.figures, and a
Finding for every claim that experiments/papers/published.csv has of it.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
from typing import Any, Mapping, Sequence

import pandas

from .results import Results
from .sweep import Sweep, open_sweep

ROOT = pathlib.Path(__file__).parents[3]
PUBLISHED = ROOT / "experiments/papers/published.csv"
ENERGY_TABLE = ROOT / "experiments/energy/tables/mobile22.toml"


def program() -> str:
    """The program `tessera`: $TESSERA, or the release build of this tree."""
    return os.environ.get("TESSERA", str(ROOT / "build/default/experiments/tessera/tessera"))


def parser(name: str, doc: str, frames: str = "the suite has one", warms_up: bool = False) -> argparse.ArgumentParser:
    """What every run.sh takes. `name`: as its user calls it. `doc`: its first line says what it does. `frames`: of a suite
    that it records. `warms_up`: of every run the first frames, one or --warm-up, are left out of what is told."""
    parser = argparse.ArgumentParser(prog=name, description=doc.splitlines()[0])
    parser.add_argument("traces", nargs="*", type=pathlib.Path, metavar="TRACE", help="[the suite, recorded into DIR/suite]")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="made if missing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs side by side [1]")
    parser.add_argument("--frames", metavar="A-B", help=f"of every trace, as of tessera run [all; {frames}]")
    parser.add_argument("--quick", action="store_true", help="few points, to see that it works")
    if warms_up:
        parser.add_argument("--warm-up", type=int, default=1, metavar="N", help="frames left out of what is told [1]")
    return parser


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Ends this program with a line if a trace is missing or an option cannot be."""
    arguments = parser.parse_args()
    if getattr(arguments, "warm_up", 0) < 0:
        sys.exit(f"error: --warm-up: expected 0 or more frames, found {arguments.warm_up}")
    for trace in arguments.traces:
        if not trace.is_file():
            sys.exit(f"error: no trace {trace}")
    return arguments


def first_measured(results: Results, warm_up: int) -> int:
    """The position of the first frame that counts: behind those that warm up, unless there is no other."""
    return warm_up if len(results.frames.frame) > warm_up else 0


def _run(command: Sequence[object], what: str, silent: bool = False, **environment: str) -> None:
    """Ends this program with the same exit code if the command was stopped (75), with 1 and a line if it failed."""
    output = subprocess.DEVNULL if silent else None
    everything = {**os.environ, "TESSERA": program(), **environment}
    code = subprocess.run([str(word) for word in command], env=everything, stdout=output).returncode
    if code == 75:
        sys.exit(75)
    if code != 0:
        sys.exit(f"error: {what} failed (exit code {code})")


def record_suite(names: Sequence[str], folder: pathlib.Path, frames: int = 1, size: str | None = None) -> list[pathlib.Path]:
    """Traces of the first frames that each workload of experiments/workloads draws, on a display of this size ("800x480") if
    it is given. What is there already is kept."""
    traces = [folder / f"{name}.h5" for name in names]
    missing = [name for name, trace in zip(names, traces) if not trace.exists()]
    if missing:
        more = ["--frames", frames] if frames > 1 else []
        _run([ROOT / "experiments/workloads/record_all.sh", *more, folder, *missing], "recording the suite",
             **({"SIZE": size} if size else {}))
    for name in missing:
        recording = folder / f"{name}.vtr.zst"
        wanted = f"0-{frames - 1}" if frames > 1 else "0"
        _run([program(), "trace", recording, "-o", folder / f"{name}.h5", "--frames", wanted], f"tracing {recording}")
    return traces


T_95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}  # Student, two-sided


def _student(freedom: int) -> float:
    """T_95, and of more degrees of freedom its series in their reciprocal (Abramowitz and Stegun, 26.7.5), to 0.01 %."""
    return T_95.get(freedom) or 1.95996 + 2.37227 / freedom + 2.82250 / freedom**2 + 2.55585 / freedom**3


def confidence(values: pandas.Series) -> float:
    """Half of the 95 % interval of the mean of independent values: Student's t. Frames in a row are alike, so that it is
    the least that has to be expected. Not a number of fewer than two."""
    values = values.dropna()
    if len(values) < 2:
        return float("nan")
    return _student(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5


def pairs(*settings: str, of: Sequence[tuple]) -> dict[str, list]:
    """Points of a sweep, each a tuple of the values of these settings, as lists by setting."""
    return {setting: [point[i] for point in of] for i, setting in enumerate(settings)}


def run_sweep(folder: pathlib.Path, machine: str, traces: Sequence[pathlib.Path], fixed: Mapping[str, Any],
              points: Mapping[str, Sequence[Any]], frames: str | None, jobs: int) -> Sweep:
    """The points of a sweep that are not done yet are run; `folder`.toml beside the folder is its file.

    `fixed`: settings of all points. `points`: by setting its values, the first of each go together, then the second.
    """
    lines = [f"machine = {json.dumps(machine)}", f"workloads = {json.dumps([str(trace.resolve()) for trace in traces])}"]
    lines += [f"frames = {json.dumps(frames)}"] if frames else []
    lines += ["[set]", *(f"{name} = {json.dumps(value)}" for name, value in fixed.items())]
    lines += ["[zip]", *(f"{name} = {json.dumps(list(values))}" for name, values in points.items())]
    spec = folder.with_suffix(".toml")
    spec.write_text("\n".join(lines) + "\n")
    print(f"sweep   {folder}: {len(traces)} applications, {len(next(iter(points.values())))} points each", flush=True)
    _run([program(), "sweep", spec, "-o", folder, "--jobs", jobs], f"the sweep {folder}")
    return open_sweep(folder)


def price(sweep: Sweep, table: pathlib.Path = ENERGY_TABLE) -> None:
    """`tessera energy` of the points that are done, with results or a table younger than what was priced before."""
    for point in sweep.done():
        folder = sweep.folder / point
        priced = folder / "energy.csv"
        youngest = max((folder / "results.h5").stat().st_mtime, table.stat().st_mtime)
        if not priced.exists() or priced.stat().st_mtime <= youngest:
            _run([program(), "energy", folder, "--table", table, "--force"], f"pricing {folder}", silent=True)


def sweep_seconds(sweep: Sweep) -> float:
    """Wall time of all points that are done, one after the other, in seconds."""
    return sum(float(sweep.results(point).performance.attrs["wall_seconds_total"]) for point in sweep.done())


@dataclasses.dataclass
class Finding:
    """What was found of a claim: the value, in the unit of the claim; whether the claim holds, which for numbers that hang
    on the applications means the same order; and what was measured of the reasons, as lines of Markdown."""

    value: float
    holds: bool
    measured: list[str]


def published(paper: str) -> pandas.DataFrame:
    """The claims of a paper, as "002": by id, with metric, value, unit and relation."""
    table = pandas.read_csv(PUBLISHED, comment="#").set_index("id")
    return table[table.paper.str.startswith(f"{paper}_")]


def verdict(claim: pandas.Series, finding: Finding) -> str:
    """holds; holds in sign only (a ratio, and not within a factor of two); or differs. Of a speed-up and all else that is 1
    where nothing changes ("x") the factor is that of the logarithms: 1.06 is far from 1.16."""
    if not finding.holds:
        return "differs"
    value, published_value = finding.value, float(claim.value)
    if claim.unit == "x" and published_value != 1:
        value, published_value = math.log(value), math.log(published_value)
    near = 0.5 <= value / published_value <= 2
    return "holds in sign only" if claim.relation == "ratio" and not near else "holds"


def claims_page(paper: str, findings: Mapping[str, Finding]) -> list[str]:
    """Markdown: the table of claims, then what was measured of each. Raises KeyError if a claim has no finding."""
    claims = published(paper)
    table = ["| claim | where | published | found | verdict |", "|---|---|---|---|---|"]
    reasons: list[str] = []
    for name, claim in claims.iterrows():
        finding = findings[name]
        word = verdict(claim, finding)
        table.append(f"| `{name}`: {claim.metric} | {claim['where']} | {float(claim.value):g} {claim.unit} | "
                     f"{finding.value:.4g} {claim.unit} | {word} |")
        reasons += ["", f"### `{name}`: {word}", "", *finding.measured]
    return [*table, "", "## What was measured", *reasons]


def markdown(table: pandas.DataFrame, digits: int = 3) -> list[str]:
    """A table, its index as the first column."""
    def shown(value: object) -> str:
        return f"{value:.{digits}f}" if isinstance(value, float) else str(value)

    heads = [str(table.index.name or ""), *map(str, table.columns)]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join([str(name), *map(shown, row)]) + " |"
                    for name, row in zip(table.index, table.itertuples(index=False))]
