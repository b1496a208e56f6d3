"""How blocks come into the caches of fragment processors: the schemes that paper 000 compares, as settings of a machine,
and what is looked at of every run."""

import functools
from typing import Any, Callable, Sequence

import pandas

import tessera

TEXTURES, PIXELS = "texture_cache.prefetcher", "pixel_cache.prefetcher"
AHEAD, REMOTE_L1 = "access_execute.enabled", "access_execute.remote_l1"
QUEUE, TILES = "access_execute.queue", "raster.fragment_queue"
PERFECT_TEXTURES, PERFECT_PIXELS = "texture_cache.perfect", "pixel_cache.perfect"
PERFECT_DEPTHS = "depth_cache.perfect"  # of the early depth test
WARPS, VERTEX_WARPS, BLENDING = "fragment_processor.warps", "vertex_processor.warps", "colour.queue"
FRAMES = 3  # of a trace of the suite
PROCESSORS = 4  # fragment processors; each blends a quad for every warp that it has

PREFETCHERS = {"none": "none", "stride": "stride", "MTA": "thread_aware", "GHB": "history"}
ACCESS_EXECUTE, REMOTE = "access/execute", "with remote L1"
PERFECT = "perfect"
SCHEMES = [*PREFETCHERS, ACCESS_EXECUTE, REMOTE]  # in the order in which the paper expects them to be better


def settings(scheme: str, warps: int = 1, **others: Any) -> dict[str, Any]:
    """Of a point. `others`: further settings."""
    prefetcher = PREFETCHERS.get(scheme, "none")
    return {
        TEXTURES: prefetcher,
        PIXELS: prefetcher,
        AHEAD: scheme in (ACCESS_EXECUTE, REMOTE),
        REMOTE_L1: scheme == REMOTE,
        PERFECT_TEXTURES: scheme == PERFECT,
        PERFECT_PIXELS: scheme == PERFECT,
        PERFECT_DEPTHS: scheme == PERFECT,
        WARPS: warps,
        VERTEX_WARPS: warps,
        BLENDING: PROCESSORS * warps,
        **others,
    }


def together(points: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Points with the same settings as lists by setting."""
    return {name: [point[name] for point in points] for name in points[0]}


def scheme_of(row: pandas.Series) -> str:
    """Of a row of a sweep's table."""
    if row.get(PERFECT_TEXTURES, False):
        return PERFECT
    if row.get(AHEAD, False):
        return REMOTE if row.get(REMOTE_L1, False) else ACCESS_EXECUTE
    return {prefetcher: scheme for scheme, prefetcher in PREFETCHERS.items()}.get(row[TEXTURES], row[TEXTURES])


def of_caches(name: str) -> Callable[[tessera.Results], float]:
    """Of a run: a counter of texture and pixel caches together."""

    def total(results: tessera.Results) -> float:
        return sum(float(results[cache][name].sum()) for cache in ("texture_cache", "pixel_cache") if cache in results.kinds)

    return total


def of_group(group: str, name: str) -> Callable[[tessera.Results], float]:
    """Of a run: a counter of all units of a kind; not a number where the machine has none."""

    def total(results: tessera.Results) -> float:
        return float(results[group][name].sum()) if group in results.kinds else float("nan")

    return total


@functools.lru_cache(maxsize=1)  # the statistics of a run follow one another
def gpu_parts(results: tessera.Results) -> pandas.DataFrame:
    """Energy of the GPU's parts; none of a run that was not priced. The cause of main register files is "registers"."""
    try:
        parts = results.energy()
    except tessera.FileError:
        return pandas.DataFrame()
    parts = parts[parts.part == "gpu"]
    return parts.assign(cause=parts.cause.where(parts.structure != "registers", "registers"))


def gpu_energy(figure: str, cause: str | None = None) -> Callable[[tessera.Results], float]:
    """Of a run that was priced: pJ of the GPU, of one cause or of all; not a number of one that was not."""

    def total(results: tessera.Results) -> float:
        parts = gpu_parts(results)
        if parts.empty:
            return float("nan")
        return float((parts if cause is None else parts[parts.cause == cause])[figure].sum())

    return total


def cycles_of_frame(number: int) -> Callable[[tessera.Results], float]:
    """Of a run: of its frame with this number, from 0; not a number if there are fewer."""

    def cycles(results: tessera.Results) -> float:
        of_frames = results.frames.cycles.values
        return float(of_frames[number]) if number < len(of_frames) else float("nan")

    return cycles


def busy(kind: str) -> Callable[[tessera.Results], float]:
    """Of a run: the share of time that units of a kind do their work; not a number where the machine has none."""

    def share(results: tessera.Results) -> float:
        units = results.bottleneck(kinds=[kind] if kind in results.kinds else [])
        return float(units.busy[kind]) if kind in units.index else float("nan")

    return share


def ipc(results: tessera.Results) -> float:
    """Instructions of warps a cycle, of all fragment processors."""
    return float(results["fragment_processor"].warp_instructions.sum()) / float(results.frames.cycles.sum())


ENERGY_CAUSES = ("registers", "dynamic", "clock", "leakage")  # gpu_parts()

STATISTICS: dict[str, Callable[[tessera.Results], float]] = {
    "ipc": ipc,
    **{f"cycles_{number}": cycles_of_frame(number) for number in range(FRAMES)},
    **{f"{kind}_busy": busy(kind) for kind in ("fragment_processor", "raster", "l2_slice", "response_bus", "dram_channel")},
    "texture_prefetches": of_group("texture_cache", "prefetches"),
    "l2_requests": of_group("l2_slice", "requests"),
    **{name: of_caches(name) for name in ("accesses", "hits", "merged", "misses", "prefetches", "prefetches_used",
                                          "prefetches_late", "prefetches_useless", "prefetches_early",
                                          "prefetches_polluting")},
    **{f"snoop_{name}": of_group("snoop_port", name) for name in ("lookups", "hits", "fetched", "redirected", "peer_hits",
                                                                     "peer_merged", "peer_passed_on")},
    **{f"access_{name}": of_group("access_processor", name)
       for name in ("accesses", "accesses_dependent", "addresses", "addresses_dropped")},
    **{figure: gpu_energy(figure) for figure in ("low_pJ", "typical_pJ", "high_pJ")},
    **{f"{cause}_pJ": gpu_energy("typical_pJ", cause) for cause in ENERGY_CAUSES},
}
