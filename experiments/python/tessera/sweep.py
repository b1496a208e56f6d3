"""What `tessera sweep` writes: its points, and the results of those that are done.

    import tessera
    sweep = tessera.open_sweep("banks")     # the folder
    sweep.points                            # pandas.DataFrame: a row a point, with its settings and its state
    sweep.table(dram_mb=lambda results: float(results.dram_bytes().sum()) / 1e6)    # and figures of each that is done
    sweep.speedup(network_kind="bus")       # against the points with this setting, by workload, and the geometric mean
    sweep.plot_speedup(network_kind="bus").savefig("speedup.svg")

It works on a sweep that is still going, or was killed: points that are not done are missing from tables; unfinished()
lists them.
"""

import pathlib
from typing import TYPE_CHECKING, Any, Callable

import numpy
import pandas

from .label import FileError
from .names import labels, unknown
from .results import Results, open_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIXED = ["machine", "workload", "frames", "state", "seconds", "exit_code", "message"]


def open_sweep(folder: str | pathlib.Path) -> "Sweep":
    """A sweep by its folder. Raises tessera.FileError if there is none."""
    return Sweep(folder)


def short_name(parameter: str) -> str:
    """A parameter as Python names it: network.kind is network_kind."""
    return parameter.replace(".", "_")


class Sweep:
    """Points by name; columns of settings are called as the parameters are, with numbers as numbers."""

    def __init__(self, folder: str | pathlib.Path) -> None:
        self.folder = pathlib.Path(folder)
        table = self.folder / "points.csv"
        try:
            self.points = pandas.read_csv(table, index_col="point", keep_default_na=False, na_values=[""])
        except FileNotFoundError:
            raise FileError(f"{table}: expected the table of a sweep, found no such file") from None
        except (KeyError, OSError, ValueError, pandas.errors.ParserError) as error:
            raise FileError(f"{table}: expected the table of a sweep, found {error}") from error
        missing = [column for column in FIXED if column not in self.points.columns]
        if missing:
            raise FileError(f"{table}: expected the table of a sweep, found no column '{missing[0]}'")
        self.settings = [column for column in self.points.columns if column not in FIXED]

    def __repr__(self) -> str:
        return f"<tessera.Sweep {self.folder}: {(self.points.state == 'done').sum()} of {len(self.points)} points done>"

    def results(self, point: str) -> Results:
        """Of a point by its name. Raises tessera.FileError if no frame of it is done, KeyError if there is no such
        point."""
        if point not in self.points.index:
            raise unknown(f"{self.folder}: expected the name of a point", point, self.points.index)
        return open_results(self.folder / point)

    def done(self) -> list[str]:
        """The points whose results are complete."""
        return [point for point in self.points.index if self.points.state[point] == "done"]

    def unfinished(self) -> pandas.DataFrame:
        """A row for every point that is not done: state (waiting, running, stopped or failed), frames_done, of which
        results() has the counters, and the message of one that failed. Empty when all is done."""
        rows = []
        for point in self.points.index.difference(self.done(), sort=False):
            try:
                frames = len(self.results(point).frames.frame)
            except (FileError, OSError):
                frames = 0
            rows.append({"point": point, "state": self.points.state[point], "frames_done": frames,
                         "message": "" if pandas.isna(message := self.points.message[point]) else message})
        return pandas.DataFrame(rows, columns=["point", "state", "frames_done", "message"]).set_index("point")

    def table(self, **figures: Callable[[Results], Any]) -> pandas.DataFrame:
        """A row for every point that is done: workload (its name without folder and ending, unless there are several of
        that name), machine, the settings, `cycles` and `seconds_simulated` of all its frames together, and what each
        function makes of its results. Raises ValueError if a function is called as another column."""
        columns = ["workload", "machine", *self.settings, "cycles", "seconds_simulated"]
        if taken := [name for name in figures if name in columns]:
            raise ValueError(f"expected other names than {', '.join(columns)}, found {taken[0]!r}")
        names = labels(self.points.workload)
        rows = []
        for point in self.done():
            results = self.results(point)
            row = {"point": point, "workload": names[self.points.workload[point]]}
            row["machine"] = self.points.machine[point]
            row.update({setting: self.points[setting][point] for setting in self.settings})
            row["cycles"] = int(results.frames.cycles.sum())
            row["seconds_simulated"] = float(results.seconds().sum())
            row.update({name: figure(results) for name, figure in figures.items()})
            rows.append(row)
        return pandas.DataFrame(rows, columns=["point", *columns, *figures]).set_index("point")

    def speedup(self, **baseline: Any) -> pandas.DataFrame:
        """Simulated time of the baseline / that of the point, a column for every workload and their geometric mean; a row
        for every combination of settings and machine. The baseline are the points in which these settings have these
        values, given with _ for . : speedup(network_kind="bus"); `machine` is a setting, too. A setting that only some
        points name has the value "default" in the others. Missing where the point or its baseline is not done, and so is
        then the mean."""
        table = self.table()
        for setting in self.settings:
            if table[setting].hasnans:
                table[setting] = table[setting].astype(object).where(table[setting].notna(), "default")
        names = {short_name(setting): setting for setting in [*self.settings, "machine"]}
        if not baseline:
            raise KeyError(f"expected some of {', '.join(names)}, found none")
        for name in baseline:
            if name not in names:
                raise unknown("expected settings", name, names)
        keys = [key for key in [*self.settings, "machine"] if table[key].nunique(dropna=False) > 1]
        changed = [names[name] for name in baseline]
        others = [key for key in keys if key not in changed]
        chosen = table
        for name, value in baseline.items():
            chosen = chosen[chosen[names[name]] == value]
        if table.empty:
            raise KeyError(f"{self.folder}: no point is done yet; unfinished() tells how far they are")
        if chosen.empty:
            there = "; ".join(f"{name}: {', '.join(map(str, table[names[name]].unique()))}" for name in baseline)
            raise KeyError(f"no point that is done has {baseline}; there are {there}")
        reference = chosen.set_index(["workload", *others]).seconds_simulated
        index = pandas.MultiIndex.from_frame(table[["workload", *others]]) if others else pandas.Index(table.workload)
        table["speedup"] = reference.reindex(index).to_numpy() / table.seconds_simulated.to_numpy()
        wide = table.pivot_table(index=keys or "machine", columns="workload", values="speedup", observed=True)
        wide = wide.reindex(columns=pandas.Index(sorted(table.workload.unique()), name="workload"))  # also without baseline
        wide["geometric mean"] = numpy.exp(numpy.log(wide).mean(axis=1, skipna=False))
        return wide

    def plot_speedup(self, **baseline: Any) -> "Figure":
        """Bars of speedup(), in groups by workload, the geometric mean apart: a matplotlib Figure."""
        from .figures import bars

        wide = self.speedup(**baseline)
        legend = ", ".join(map(str, wide.index.names))
        return bars(wide.T, "simulated time of the baseline / that of the point", one=1.0, summary=True, legend=legend)
