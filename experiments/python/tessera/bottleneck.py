"""What bounds a frame: where the time of every unit goes, and who keeps whom waiting.

A unit spends every cycle in one state. A state is `busy`, `starved` (it waits for something to come, work or data) or
`blocked` (what it has to hand on or to ask finds no room), and the last two name the kind of unit that is waited for:
the own kind where a unit waits for its own results, `frame` where nothing of the frame is left for it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy
import pandas

from .names import position_of, unknown

if TYPE_CHECKING:
    from .results import Run


def unit_times(results: "Run", kinds: Sequence[str] | None = None) -> pandas.DataFrame:
    """Cycles by frame, unit and state, one row each: frame, kind, unit, state, activity, by_whom, cycles, share.

    `frame` is the position in the results, `share` is of the unit's cycles in that frame (NaN where it has none). With
    `kinds` only units of these, names of results.kinds. Raises KeyError if the machine has no such units.
    """
    parts = []
    from .results import results_of

    results = results_of(results)
    chosen = [kinds] if isinstance(kinds, str) else kinds
    for kind in chosen or []:
        if kind not in results.kinds:
            raise unknown(f"{results.path}: kinds: expected kinds of units", kind, results.kinds)
    for kind in results.kinds if chosen is None else [kind for kind in results.kinds if kind in chosen]:
        dataset = results[kind]
        for name, counter in dataset.data_vars.items():
            if "class" not in counter.attrs:
                continue
            cycles = counter.values.reshape(dataset.sizes["frame"], -1)
            units = dataset[kind].values if kind in dataset.coords or kind in dataset.variables else numpy.array([0])
            frames, numbers = numpy.meshgrid(range(cycles.shape[0]), units, indexing="ij")
            part = pandas.DataFrame({"frame": frames.ravel(), "kind": kind, "unit": numbers.ravel()})
            part["state"] = name.removeprefix("cycles_")
            part["activity"] = counter.attrs["class"]
            part["by_whom"] = counter.attrs["by_whom"]
            part["cycles"] = cycles.ravel()
            parts.append(part)
    if not parts:
        columns = ["frame", "kind", "unit", "state", "activity", "by_whom", "cycles", "share"]
        return pandas.DataFrame({column: [] for column in columns})
    times = pandas.concat(parts, ignore_index=True)
    total = times.groupby(["frame", "kind", "unit"]).cycles.transform("sum").astype(float)
    times["share"] = times.cycles.astype(float) / total.where(total > 0)
    return times


def bottleneck(results: "Run", frame: int | None = None, kinds: Sequence[str] | None = None) -> pandas.DataFrame:
    """The table that `tessera run` ends with, of all frames or of one: a row for every kind of unit, or for some kinds.

    units                   how many there are
    busy, starved, blocked  shares of the time of all of them, which add up to 1
    busiest, busiest_unit   of one unit: busy or waiting for its own results; the largest such share, and which it is
    starved_by, blocked_by  dictionaries: the kind of unit that is waited for, and the share of time; largest first

    The bottleneck is the kind whose `busiest` is near 1: `table.busiest.idxmax()`. `frame` is a position in the
    results. Raises IndexError and KeyError if there is no such frame or kind.
    """
    from .results import results_of

    results = results_of(results)
    times = unit_times(results, kinds)
    if frame is not None:
        times = times[times.frame == position_of(f"{results.path}: frame", frame, len(results.frames.frame))]
    rows = {}
    for kind, of_kind in times.groupby("kind", sort=False):
        total = float(of_kind.cycles.sum())
        if total == 0:
            continue
        at_work = (of_kind.activity == "busy") | (of_kind.by_whom == kind)
        by_unit = of_kind.groupby("unit").cycles.sum().astype(float)
        own = of_kind[at_work].groupby("unit").cycles.sum().reindex(by_unit.index, fill_value=0).astype(float)
        own = (own / by_unit.where(by_unit > 0)).fillna(0)
        row = {"units": len(by_unit)}
        for activity in ("busy", "starved", "blocked"):
            waits = of_kind[of_kind.activity == activity].groupby("by_whom", sort=False).cycles.sum() / total
            row[activity] = float(waits.sum())
            if activity != "busy":
                row[activity + "_by"] = waits[waits > 0].sort_values(ascending=False, kind="stable").to_dict()
        row["busiest"], row["busiest_unit"] = float(own.max()), int(own.idxmax())
        rows[kind] = row
    columns = ["units", "busy", "busiest", "busiest_unit", "starved", "starved_by", "blocked", "blocked_by"]
    return pandas.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("kind")
