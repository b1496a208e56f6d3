"""Reads what the program `tessera` writes.

    import tessera
    results = tessera.open("out")           # a folder of `tessera run`, or its results.h5
    results["l2_slice"]                     # xarray.Dataset: counters by frame and slice, with units
    results.ipc()                           # ratios are functions
    results.bottleneck()                    # pandas.DataFrame: how long units work and wait, and for whom
    results.percentiles("l2_slice", "hit_latency_texture")   # of histograms, with --set observe.latency=true
    results.energy()                        # pandas.DataFrame: what it cost, once `tessera energy out` has priced it
    results.dram_bandwidth()                # over time, with --set observe.bandwidth_every=1000
    results.programs()                      # what every shader program cost, and what cores waited for meanwhile
    results.instructions()                  # one by one, with --set observe.pipeline_cores=1
    results.core_statistics()               # of cores with the pipeline `collector`: paper 002, section 4.2
    sweep = tessera.open_sweep("banks")     # what `tessera sweep` wrote
    trace = tessera.open_trace("game.h5")   # a frame trace of `tessera trace`
    trace.frame(0).quads                    # pandas.DataFrame, decoded
    tessera.tile_map(trace, 0, "overdraw")  # where on the frame the work is
    tessera.compare("out", "other")         # two runs, counter by counter
    tessera.speedups({"bus": "out", "mesh": "other"}, baseline="bus")

Functions that take results or a trace take its path, too.

Three modules are imported by name: tessera.figures draws tables, pictures and maps, tessera.display tells the energy of
an OLED display, tessera.textures where accesses to textures find their lines. A run or sweep that is not finished is opened as it stands.

A file that is damaged or something else is a tessera.FileError before HDF5 sees it.
"""

from .comparison import compare, speedups
from .frame_map import tile_map
from .label import FileError
from .results import Results, open_results
from .sweep import Sweep, open_sweep
from .trace import Frame, Trace, open_trace

open = open_results  # noqa: A001: reads well as tessera.open

__all__ = [
    "FileError", "Frame", "Results", "Sweep", "Trace", "compare", "open", "open_results", "open_sweep", "open_trace",
    "speedups", "tile_map",
]
