"""Results of `tessera run`: one xarray.Dataset per kind of process, and the ratios people ask for."""

import pathlib

import h5py
import xarray

from . import bottleneck, histogram
from .label import FileError, attribute, check_label

MAGIC = "TESSERA RESULTS"


def open_results(path):
    """Results of a run: a folder, or its results.h5. Works on a run that is still going or was killed.

    Raises tessera.FileError if the file is damaged or something else.
    """
    path = pathlib.Path(path)
    return Results(path / "results.h5" if path.is_dir() else path)


def ratio(part, whole, long_name):
    """part / whole as a fraction; missing where nothing was counted."""
    result = part.astype(float) / whole.where(whole > 0)
    return result.rename(None).assign_attrs(units="1", long_name=long_name)


class Results:
    """Counters are datasets by name of the kind of process: results["l2_slice"].hits[frame, l2_slice]."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        check_label(self.path, MAGIC)
        with h5py.File(self.path, "r") as file:
            self.attributes = dict(file.attrs)
            if "provenance" not in file:
                raise FileError(f"{self.path}: the group 'provenance' is missing")
            self.provenance = dict(file["provenance"].attrs)
            reserved = ("frames", "workloads", "performance", "provenance", "determinism", "series")
            self.kinds = [name for name in file if name not in reserved]
            self.series = list(file["series"]) if "series" in file else []
        self._datasets = {}

    def __getitem__(self, group):
        if group not in self._datasets:
            check_label(self.path, MAGIC)  # a run that goes on has replaced it since
            with xarray.open_dataset(self.path, engine="h5netcdf", group=group) as dataset:
                self._datasets[group] = dataset.load()
        return self._datasets[group]

    def __repr__(self):
        return f"<tessera.Results {self.path}: {self.status}, {len(self.frames.frame)} frames, {', '.join(self.kinds)}>"

    @property
    def status(self):
        """'complete', or 'partial' while the run goes on or if it was stopped."""
        return attribute(self.path, self.attributes, "status")

    @property
    def digest(self):
        """The fingerprint of everything that was simulated."""
        return attribute(self.path, self.attributes, "digest")

    @property
    def frames(self):
        """By frame: workload, number, times, cycles, image quality."""
        return self["frames"]

    @property
    def performance(self):
        """Wall times. They differ from run to run and are no results."""
        return self["performance"]

    @property
    def workloads(self):
        return self["workloads"]

    @property
    def determinism(self):
        """Hashes of the messages every process consumed: samples[epoch, process], final_hash[workload, process]."""
        return self["determinism"]

    @property
    def messages(self):
        """Messages logged with --log-messages, as consumed; None without. `from` and `to` are rows of port_name."""
        check_label(self.path, MAGIC)
        with h5py.File(self.path, "r") as file:
            logged = "determinism/messages" in file
        return self["determinism/messages"] if logged else None

    def seconds(self):
        """Simulated seconds of each frame."""
        ticks = self.frames.end_time - self.frames.start_time
        seconds = ticks / float(attribute(self.path, self.attributes, "ticks_per_second"))
        return seconds.assign_attrs(units="s", long_name="simulated time of the frame")

    def ipc(self, kind="fragment_processor"):
        """Instructions per cycle and core: [frame, kind]."""
        instructions = self[kind].warp_instructions
        return ratio(instructions, self.frames.cycles, "warp instructions per GPU cycle")

    def hit_rate(self, cache="texture_cache"):
        """Share of lookups that found their line: [frame, cache]."""
        counters = self[cache]
        lookups = counters["accesses"] if "accesses" in counters else counters["requests"]
        return ratio(counters["hits"], lookups, f"hit rate of the {cache}")

    def dram_bytes(self):
        """Bytes moved to and from DRAM: [frame]."""
        moved = self["dram_channel"].bytes.sum("dram_channel")
        return moved.assign_attrs(units="byte", long_name="data moved to and from DRAM")

    def percentiles(self, kind, name, q=(50, 95, 99), over=None):
        """Percentiles of a histogram, as of latencies: results.percentiles("l2_slice", "miss_latency_texture").

        `over`: dimensions over which the histogram is summed first; by default its units, so that a value a frame
        remains. See tessera.histogram.percentiles for how they are found within a bin.
        """
        counts = self[kind][name]
        dims = [dim for dim in (kind,) if dim in counts.dims] if over is None else over
        return histogram.percentiles(counts.sum(dims, keep_attrs=True), q)

    def unit_times(self):
        """Cycles by frame, unit and state, as a pandas.DataFrame: see tessera.bottleneck.unit_times."""
        return bottleneck.unit_times(self)

    def bottleneck(self, frame=None):
        """By kind of unit: how long it is busy, starved and blocked, and by whom: see tessera.bottleneck.bottleneck."""
        return bottleneck.bottleneck(self, frame)

    def image_path(self, frame):
        """The picture of a frame (its position in the results), if the run wrote it."""
        number = int(self.frames.number[frame])
        name = f"frame_{number:04d}.png"
        images = self.path.parent / "images"
        if len(self.workloads.workload) == 1:
            return images / name
        label = self.workloads.label.values[int(self.frames.workload[frame])]
        return images / label / name
