"""Two runs beside each other, and several runs against one of them. `tessera compare` of the program tells where in time
two runs part; these are tables for notebooks.

    import tessera
    tessera.compare("bus", "crossbar").head(20)                 # counters that differ most
    tessera.compare("bus", "crossbar", by_unit=True).loc["l2_slice"]
    tessera.speedups({"bus": "bus", "crossbar": "crossbar"}, baseline="bus")
"""

from typing import Mapping

import numpy
import pandas

from .names import unknown
from .results import Results, Run, results_of


def _frames(results: Results) -> list[tuple[str, int]]:
    """Workload and number of every frame."""
    labels = results.workloads.label.values
    return [(str(labels[int(workload)]), int(number))
            for workload, number in zip(results.frames.workload.values, results.frames.number.values)]


def _common_frames(a: Results, b: Results) -> int:
    """How many frames, from the first one on, both runs have done. Raises ValueError if they are not the same ones."""
    pairs = list(zip(_frames(a), _frames(b)))
    for position, (of_a, of_b) in enumerate(pairs):
        if of_a != of_b:
            raise ValueError(f"frame {position} is {of_a[0]} {of_a[1]} in {a.path}, {of_b[0]} {of_b[1]} in {b.path}: "
                             "runs of other frames cannot be compared")
    if a.status == b.status == "complete" and len(_frames(a)) == len(_frames(b)):
        for label, of_a, of_b in zip(a.workloads.label.values, a.workloads.trace_digest.values,
                                     b.workloads.trace_digest.values):
            if of_a != of_b:
                raise ValueError(f"{label} is another trace in {a.path} (digest {of_a}) than in {b.path} (digest {of_b}): "
                                 "runs of other frames cannot be compared")
    return len(pairs)


def _counters(results: Results, frames: int, by_unit: bool) -> pandas.DataFrame:
    """Sums over the first frames, as (kind, unit, counter, value, units); unit is -1 for those of all units."""
    rows = [("frames", -1, "cycles", float(results.frames.cycles.values[:frames].sum()), "cycle")]
    for kind in results.kinds:
        dataset = results[kind]
        for name, counter in dataset.data_vars.items():
            if "frame" not in counter.dims or "bin_axis" in counter.attrs:
                continue
            by_frame = numpy.moveaxis(counter.values, counter.get_axis_num("frame"), 0)
            sums = by_frame[:frames].astype(float).sum(axis=0)
            units = counter.attrs.get("units", "1")
            if by_unit and kind in counter.dims:
                rows += [(kind, number, name, float(value), units) for number, value in enumerate(sums)]
            else:
                rows.append((kind, -1, name, float(sums.sum()), units))
    return pandas.DataFrame(rows, columns=["kind", "unit", "counter", "value", "units"])


def compare(a: Run, b: Run, by_unit: bool = False) -> pandas.DataFrame:
    """Every counter in two runs, those that differ most first: a, b, difference (b - a), ratio (b / a) and units.

    `a` and `b`: results, or what tessera.open() takes. Counters are sums over the frames that both runs have done (so one
    may be unfinished) and over the units of a kind; with `by_unit` of each unit. The index is (kind, counter), with
    `by_unit` (kind, unit, counter); a kind that only one of the machines has is NaN in the other. `difference` is in
    `units`. Order: by |difference| / the greater of both, then by |difference|. Histograms are left out. Raises ValueError
    if the runs are of other frames, tessera.FileError as tessera.open() does.
    """
    a, b = results_of(a), results_of(b)
    frames = _common_frames(a, b)
    keys = ["kind", "unit", "counter"]
    of_a, of_b = _counters(a, frames, by_unit), _counters(b, frames, by_unit)
    table = of_a.merge(of_b, on=[*keys, "units"], how="outer", suffixes=("_a", "_b"))
    table = table.rename(columns={"value_a": "a", "value_b": "b"})
    table["difference"] = table.b - table.a
    table["ratio"] = table.b / table.a.where(table.a != 0)
    size = table.difference.abs()
    table["relative"] = (size / table[["a", "b"]].max(axis=1).replace(0, numpy.nan)).fillna(0)
    table["size"] = size
    table = table.sort_values(["relative", "size"], ascending=False, kind="stable")
    return table.set_index(keys if by_unit else ["kind", "counter"])[["a", "b", "difference", "ratio", "units"]]


def speedups(runs: Mapping[str, Run], baseline: str) -> pandas.DataFrame:
    """Simulated time of the baseline / that of each run: a row a workload, a column a run, and last their geometric mean.

    `runs`: by the names of the columns; `baseline` is one of them. Figures: tessera.figures.bars(table, ..., summary=True).
    Raises KeyError if the baseline is not among them, ValueError if the runs have other frames or are not of one length.
    """
    opened = {name: results_of(run) for name, run in runs.items()}
    if baseline not in opened:
        raise unknown("baseline: expected the name of a run", baseline, opened)
    times = {}
    for name, results in opened.items():
        frames = _common_frames(opened[baseline], results)
        if frames != len(opened[baseline].frames.frame) or frames != len(results.frames.frame):
            raise ValueError(f"{results.path}: has another number of frames than {opened[baseline].path}")
        workloads = [workload for workload, _ in _frames(results)]
        times[name] = pandas.Series(results.seconds().values).groupby(workloads, sort=False).sum()
    table = pandas.DataFrame(times)
    table = table[[baseline]].to_numpy() / table
    table.loc["geometric mean"] = numpy.exp(numpy.log(table).mean())
    return table
