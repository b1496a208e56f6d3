"""Results of `tessera run`: one xarray.Dataset per kind of process, and the ratios people ask for."""

import contextlib
import os
import pathlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import h5py
import numpy
import pandas
import xarray

from . import bottleneck, energy, histogram, records
from .hdf5 import open_file
from .label import FileError, attribute, check_label
from .names import position_of, unknown
from .netcdf import read_group
from .picture import picture_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAGIC = "TESSERA RESULTS"


def open_results(path: str | pathlib.Path) -> "Results":
    """Results of a run: a folder, or its results.h5. Of a run that is still going, was stopped or killed: of the frames
    that were done by then, whenever they are read; `status` tells. A run that has gone on is opened again to see what came
    since.

    Raises tessera.FileError if the file is damaged or something else, or no frame is done.
    """
    path = pathlib.Path(path)
    if not path.is_dir():
        return Results(path)
    file = path / "results.h5"
    if not file.exists():
        begun = (path / "resolved.toml").exists()
        found = "a run of which no frame is done yet" if begun else "no results.h5"
        raise FileError(f"{path}: expected the folder of a run, found {found}")
    return Results(file)


# What version 3 of the file called some columns of the group 'performance'.
PERFORMANCE_NAMES = {"promises": "null_messages", "meetings": "reductions"}


def _state_of(path: pathlib.Path) -> tuple[int, ...]:
    """Another one if the file has been written or replaced."""
    found = os.stat(path)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def ratio(part: xarray.DataArray, whole: xarray.DataArray, long_name: str) -> xarray.DataArray:
    """part / whole as a fraction; missing where nothing was counted."""
    result = part.astype(float) / whole.where(whole > 0)
    return result.rename(None).assign_attrs(units="1", long_name=long_name)


class Results:
    """Counters are datasets by name of the kind of process: results["l2_slice"].hits[frame, l2_slice]."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = pathlib.Path(path)
        self._checked = _state_of(self.path)
        self._content = check_label(self.path, MAGIC)
        self._kept: h5py.File | None = None
        file = open_file(self.path)
        if file.attrs.get("status") == "partial":
            self._kept = file  # a run that goes on replaces it: its counters would be of more frames than others
        with contextlib.nullcontext() if self._kept else file:
            self.attributes = dict(file.attrs)
            if "provenance" not in file:
                raise FileError(f"{self.path}: the group 'provenance' is missing")
            self.provenance = dict(file["provenance"].attrs)
            reserved = ("frames", "workloads", "performance", "provenance", "determinism", "series", "records")
            self.kinds = [name for name in file if name not in reserved]
            self.series = list(file["series"]) if "series" in file else []
        self._datasets = {}
        self._counters = {}  # by kind and name, those of kinds of which not all was asked for

    def __getstate__(self) -> dict[str, object]:
        """For another process: an open file stays here, so that there the one of that name is read, if it is the same."""
        return self.__dict__ | {"_kept": None}

    @contextlib.contextmanager
    def file(self) -> Iterator[h5py.File]:
        """For `with`: the file that was opened. Raises FileError if it was damaged or replaced by other results since."""
        if self._kept:
            yield self._kept
            return
        if (state := _state_of(self.path)) != self._checked:
            if check_label(self.path, MAGIC) != self._content:
                raise FileError(f"{self.path}: other results have replaced those that were opened; open it again")
            self._checked = state
        with open_file(self.path) as file:
            yield file

    def __getitem__(self, group: str) -> xarray.Dataset:
        if group not in self._datasets:
            with self.file() as file:
                if group not in file:
                    known = [*file, *(f"series/{name}" for name in self.series)]
                    raise unknown(f"{self.path}: expected a kind of unit or another group", group, known)
                self._datasets[group] = read_group(file, group)
        return self._datasets[group]

    def counter(self, kind: str, name: str) -> xarray.DataArray:
        """results[kind][name], without reading the kind's other counters. Raises KeyError that says what there is, if there
        is no such kind or counter."""
        found = self._counter(kind, name)
        if found is None:  # also if there is no such kind, which self[kind] tells
            raise unknown(f"{self.path}: expected a counter of {kind}", name, self[kind].data_vars)
        return found

    def _counter(self, kind: str, name: str) -> xarray.DataArray | None:
        """None if there is none."""
        if kind in self._datasets:
            return self[kind].get(name)
        if (kind, name) not in self._counters:
            with self.file() as file:
                if file.get(f"{kind}/{name}", getclass=True) is not h5py.Dataset:
                    return None
                self._counters[kind, name] = read_group(file, kind, [name])[name]
        return self._counters[kind, name]

    def __repr__(self) -> str:
        return f"<tessera.Results {self.path}: {self.status}, {len(self.frames.frame)} frames, {', '.join(self.kinds)}>"

    @property
    def status(self) -> str:
        """'complete', or 'partial' while the run goes on or if it was stopped."""
        return attribute(self.path, self.attributes, "status")

    @property
    def digest(self) -> str:
        """The fingerprint of everything that was simulated."""
        return attribute(self.path, self.attributes, "digest")

    @property
    def frames(self) -> xarray.Dataset:
        """By frame: workload, number, times, cycles, image quality."""
        return self["frames"]

    @property
    def performance(self) -> xarray.Dataset:
        """Wall times. They differ from run to run and are no results. By the names of today also for older files."""
        old = self["performance"]
        return old.rename({name: new for name, new in PERFORMANCE_NAMES.items() if name in old})

    @property
    def workloads(self) -> xarray.Dataset:
        """By workload: label, path, trace_digest."""
        return self["workloads"]

    @property
    def determinism(self) -> xarray.Dataset:
        """Hashes of the messages every process consumed: samples[epoch, process], final_hash[workload, process]."""
        return self["determinism"]

    @property
    def messages(self) -> xarray.Dataset | None:
        """Messages logged with --log-messages, as consumed; None without. `from` and `to` are rows of port_name."""
        with self.file() as file:
            logged = "determinism/messages" in file
        return self["determinism/messages"] if logged else None

    def seconds(self) -> xarray.DataArray:
        """Simulated seconds of each frame."""
        ticks = self.frames.end_time - self.frames.start_time
        seconds = ticks / float(attribute(self.path, self.attributes, "ticks_per_second"))
        return seconds.assign_attrs(units="s", long_name="simulated time of the frame")

    def ipc(self, kind: str = "fragment_processor") -> xarray.DataArray:
        """Instructions per cycle and core: [frame, kind]."""
        instructions = self.counter(kind, "warp_instructions")
        return ratio(instructions, self.frames.cycles, "warp instructions per GPU cycle")

    def core_statistics(self, kind: str = "fragment_processor") -> xarray.Dataset:
        """Of cores with the pipeline `collector`, as a dataset [frame, kind]; the names of paper 002, section 4.2:

        ipc                   warp instructions per cycle in which a warp was resident
        collector_time        cycles from the allotment of a collector unit to the dispatch, a mean of instructions
        operands              registers read per instruction
        conflicts             requests that could not be served per cycle with requests
        issue_buffer, collectors, dispatch_buffer, registers, warps    in use, means of those cycles

        Raises KeyError if the cores have another pipeline.
        """
        counters = self[kind]
        if "collector_time" not in counters:
            raise KeyError(f"{self.path}: the pipeline of {kind} is not 'collector'")
        active = counters.active
        return xarray.Dataset(
            {
                "ipc": ratio(counters.warp_instructions, active, "warp instructions per active cycle"),
                "collector_time": ratio(counters.collector_time, counters.instructions_collected, "time in the collector")
                .assign_attrs(units="cycle"),
                "operands": ratio(counters.operands_read, counters.instructions_collected, "operands per instruction"),
                "conflicts": ratio(counters.conflicts, counters.reading, "conflicts per cycle with requests"),
                "issue_buffer": ratio(counters.issue_buffer_occupancy, active, "entries of the issue buffer in use"),
                "collectors": ratio(counters.collector_occupancy, active, "collector units in use"),
                "dispatch_buffer": ratio(counters.dispatch_buffer_occupancy, active, "entries of the dispatch buffer in use"),
                "registers": ratio(counters.registers_used, active, "physical registers of resident warps"),
                "warps": ratio(counters.resident_warps, active, "resident warps"),
            }
        )

    def hit_rate(self, cache: str = "texture_cache") -> xarray.DataArray:
        """Share of lookups that found their line: [frame, cache]."""
        lookups = self._counter(cache, "accesses")
        if lookups is None:
            lookups = self.counter(cache, "requests")
        return ratio(self.counter(cache, "hits"), lookups, f"hit rate of the {cache}")

    def dram_bytes(self) -> xarray.DataArray:
        """Bytes moved to and from DRAM: [frame]."""
        moved = self.counter("dram_channel", "bytes").sum("dram_channel")
        return moved.assign_attrs(units="byte", long_name="data moved to and from DRAM")

    def workloads_of(self, frames: xarray.DataArray | pandas.Series) -> numpy.ndarray:
        """Of frames, by position, the row of `workloads`."""
        return self.frames.workload.values[frames.to_numpy()].astype(int)

    def programs(self, trace=None) -> pandas.DataFrame:
        """What every shader program cost, as a pandas.DataFrame: a row for each frame, kind of core and program.

        Counts are sums of all cores of the kind: warps, threads, warp_instructions, thread_instructions and
        texture_accesses. cycles_STATE is the time of cores on the program's account, by what they did: `issue`, cycles
        of its instructions; all else, cycles in which the oldest warp of a core was the program's. Their sum is
        `cycles`. With the frame trace that was run (a path, or open) also `stage` and `text`, the program as TGSI.
        """
        return records.programs(self, trace)

    def instructions(self, trace=None) -> pandas.DataFrame:
        """Instructions recorded by observe.pipeline_cores, a row each, as a pandas.DataFrame.

        Which core, slot, program and counter (position in the program), the kind of unit and the threads that executed
        it; and the GPU cycle, counted from the beginning of the workload, in which it went through each stage: missing
        where the pipeline has no such stage, and where a texture goes to no register before another one has come.
        With the frame trace that was run (a path, or open) also `text`, in TGSI.
        `python3 -m tessera.perfetto` draws them. Raises ValueError if nothing was recorded.
        """
        return records.instructions(self, trace)

    def energy(self, path: str | pathlib.Path | None = None) -> pandas.DataFrame:
        """What `tessera energy` wrote beside these results, or into the file `path`: see tessera.energy.read()."""
        return energy.read(path or self.path.parent / "energy.csv", self.digest, self.provenance.get("resolved_toml"))

    def _series(self, name: str, parameter: str) -> xarray.Dataset:
        if name not in self.series:
            raise ValueError(f"{self.path}: was not observed: run with --set {parameter}=CYCLES")
        return self[f"series/{name}"]

    def dram_bandwidth(self) -> xarray.Dataset:
        """Bytes a second over time, by channel: variables `read` and `written` [interval, dram_channel].

        Coordinates of an interval: `time`, the simulated second in which it begins, `seconds`, how long it lasts, and
        `frame`. Raises ValueError if the run was without observe.bandwidth_every.
        """
        moved = self._series("dram_bandwidth", "observe.bandwidth_every")
        ticks = float(attribute(self.path, self.attributes, "ticks_per_second"))
        seconds = (moved.end_time - moved.start_time) / ticks
        rates = xarray.Dataset({"read": moved.bytes_read / seconds, "written": moved.bytes_written / seconds})
        for name, rate in rates.items():
            rate.attrs.update(units="byte/s", long_name=f"data {name} a second")
        return rates.assign_coords(
            time=(moved.start_time / ticks).assign_attrs(units="s", long_name="begin of the interval"),
            seconds=seconds.assign_attrs(units="s", long_name="length of the interval"),
            frame=moved.frame,
        )

    def plot_dram_bandwidth(self) -> "Figure":
        """dram_bandwidth(), of all channels together, over time: a matplotlib Figure."""
        from matplotlib.figure import Figure

        from .figures import PALETTE

        bandwidth = self.dram_bandwidth()
        rates = bandwidth[["read", "written"]].sum("dram_channel") * 1e-9
        ends = bandwidth.time.values[-1:] + bandwidth.seconds.values[-1:]  # of the last interval, which is drawn as well
        figure = Figure(figsize=(8, 3), layout="constrained")
        axes = figure.subplots()
        axes.stackplot(
            numpy.append(bandwidth.time.values, ends) * 1e3,
            *(numpy.append(values, values[-1:]) for values in (rates.read.values, rates.written.values)),
            step="post", labels=["read", "written"], colors=PALETTE,
        )
        axes.set_xlabel("simulated time (ms)")
        axes.set_ylabel("DRAM (GB/s)")
        axes.margins(x=0)
        axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
        return figure

    def replication(self) -> xarray.Dataset:
        """Lines that several texture caches hold at once, by frame; needs observe.census_every.

        lookups_replicated: share of the lookups whose line, when it was served, was in two caches at least: what figure
        1 of paper 004 shows. lines_replicated: the same share of the distinct lines at the censuses. copies_replicated:
        share of the places in the caches whose line is in another cache, too. sharers: mean number of caches that hold
        a line, of the distinct lines. Missing where nothing was looked up. Raises ValueError if nothing was observed.
        """
        census = self._series("texture_replication", "observe.census_every")
        of_frame = census[["lines", "lookups"]].groupby(census.frame).sum("interval")
        several = of_frame.where(of_frame.sharers >= 2, 0)
        copies = of_frame.lines * of_frame.sharers
        return xarray.Dataset(
            {
                "lookups_replicated": ratio(
                    several.lookups.sum("sharers"), of_frame.lookups.sum("sharers"), "lookups of replicated lines"
                ),
                "lines_replicated": ratio(
                    several.lines.sum("sharers"), of_frame.lines.sum("sharers"), "distinct lines in several caches"
                ),
                "copies_replicated": ratio(
                    (several.lines * several.sharers).sum("sharers"), copies.sum("sharers"), "places of replicated lines"
                ),
                "sharers": ratio(copies.sum("sharers"), of_frame.lines.sum("sharers"), "mean caches that hold a line"),
            }
        )

    def percentiles(self, kind: str, name: str, q=(50, 95, 99), over: list[str] | None = None) -> xarray.DataArray:
        """Percentiles of a histogram, as of latencies: results.percentiles("l2_slice", "miss_latency_texture").

        `over`: dimensions over which the histogram is summed first; by default its units, so that a value a frame
        remains. See tessera.histogram.percentiles for how they are found within a bin.
        """
        counts = self.counter(kind, name)
        dims = [dim for dim in (kind,) if dim in counts.dims] if over is None else over
        return histogram.percentiles(counts.sum(dims, keep_attrs=True), q)

    def unit_times(self) -> pandas.DataFrame:
        """Cycles by frame, unit and state, as a pandas.DataFrame: see tessera.bottleneck.unit_times."""
        return bottleneck.unit_times(self)

    def bottleneck(self, frame: int | None = None, kinds: Sequence[str] | None = None) -> pandas.DataFrame:
        """By kind of unit: how long it is busy, starved and blocked, and by whom: see tessera.bottleneck.bottleneck."""
        return bottleneck.bottleneck(self, frame, kinds)

    def image(self, frame: int) -> numpy.ndarray:
        """The picture of a frame (its position in the results): [row, column, colour] of red, green and blue, 0 to 255.
        Raises FileError if it is not there: a frame may show none."""
        path = self.image_path(frame)
        if not path.exists():
            raise FileError(f"{path}: there is no picture of the frame")
        return picture_of(path)

    def image_path(self, frame: int) -> pathlib.Path:
        """Where the picture of a frame (its position in the results) is, if the run wrote it. Raises IndexError if there
        is no such frame."""
        frame = position_of(f"{self.path}: frame", frame, len(self.frames.frame))
        number = int(self.frames.number[frame])
        name = f"frame_{number:04d}.png"
        images = self.path.parent / "images"
        if len(self.workloads.workload) == 1:
            return images / name
        label = self.workloads.label.values[int(self.frames.workload[frame])]
        return images / label / name


Run = Results | str | pathlib.Path  # or where they are


def results_of(run: Run) -> Results:
    """These results, or what open_results() finds at this path."""
    if isinstance(run, Results):
        return run
    if not isinstance(run, (str, os.PathLike)):
        raise TypeError(f"expected results of a run, or their path, found {type(run).__name__}")
    return open_results(run)
