"""How blocks come into the caches of fragment processors: the schemes that paper 000 compares, as settings of a machine,
and what is looked at of every run: of the frames after those that warm caches up (statistics())."""

import functools
from typing import Any, Callable, Sequence

import pandas

import tessera
from tessera import bottleneck, papers

TEXTURES, PIXELS = "texture_cache.prefetcher", "pixel_cache.prefetcher"
AHEAD, REMOTE_L1 = "access_execute.enabled", "access_execute.remote_l1"
QUEUE, TILES = "access_execute.queue", "raster.fragment_queue"
PERFECT_TEXTURES, PERFECT_PIXELS = "texture_cache.perfect", "pixel_cache.perfect"
PERFECT_DEPTHS = "depth_cache.perfect"  # of the early depth test
WARPS, VERTEX_WARPS, BLENDING = "fragment_processor.warps", "vertex_processor.warps", "colour.queue"
FRAMES = 4  # of a trace of the suite; the first one warms caches up
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


Statistic = Callable[[tessera.Results, int], float]  # of a run and the position of its first frame that counts


def measured(results: tessera.Results, group: str, name: str, first: int) -> float:
    """A counter of all units of a kind."""
    return float(results[group][name].isel(frame=slice(first, None)).sum())


def of_caches(name: str) -> Statistic:
    """A counter of texture and pixel caches together."""

    def total(results: tessera.Results, first: int) -> float:
        return sum(measured(results, cache, name, first) for cache in ("texture_cache", "pixel_cache") if cache in results.kinds)

    return total


def carried(results: tessera.Results, first: int) -> float:
    """Lines that frames before the first one that counts fetched ahead, and that were there and not yet asked for."""
    return sum(float(results[cache].prefetches_carried.isel(frame=first).sum()) for cache in ("texture_cache", "pixel_cache")
               if cache in results.kinds)


def of_group(group: str, name: str) -> Statistic:
    """A counter of all units of a kind; not a number where the machine has none."""

    def total(results: tessera.Results, first: int) -> float:
        return measured(results, group, name, first) if group in results.kinds else float("nan")

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


def gpu_energy(figure: str, cause: str | None = None) -> Statistic:
    """Of a run that was priced: pJ of the GPU, of one cause or of all; not a number of one that was not."""

    def total(results: tessera.Results, first: int) -> float:
        parts = gpu_parts(results)
        if parts.empty:
            return float("nan")
        parts = parts[parts.frame.isin(results.frames.frame.values[first:])]
        return float((parts if cause is None else parts[parts.cause == cause])[figure].sum())

    return total


def cycles(results: tessera.Results, first: int) -> float:
    return float(results.frames.cycles.values[first:].sum())


def cycles_of_frame(number: int) -> Statistic:
    """Of this one of the frames that count, from 0; not a number if there are fewer."""

    def cycles(results: tessera.Results, first: int) -> float:
        of_frames = results.frames.cycles.values[first:]
        return float(of_frames[number]) if number < len(of_frames) else float("nan")

    return cycles


def busy(kind: str) -> Statistic:
    """The share of time that units of a kind do their work; not a number where the machine has none."""

    def share(results: tessera.Results, first: int) -> float:
        if kind not in results.kinds:
            return float("nan")
        times = bottleneck.unit_times(results, [kind])
        times = times[times.frame >= first]
        whole = float(times.cycles.sum())
        return float(times.cycles[times.activity == "busy"].sum()) / whole if whole > 0 else float("nan")

    return share


def ipc(results: tessera.Results, first: int) -> float:
    """Instructions of warps a cycle, of all fragment processors."""
    return measured(results, "fragment_processor", "warp_instructions", first) / cycles(results, first)


ENERGY_CAUSES = ("registers", "dynamic", "clock", "leakage")  # gpu_parts()

STATISTICS: dict[str, Statistic] = {
    "measured_cycles": cycles,
    "warmed_up": lambda _, first: float(first),  # frames
    "ipc": ipc,
    "prefetches_carried": carried,
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


def statistics(warm_up: int) -> dict[str, Callable[[tessera.Results], float]]:
    """By name, for tessera.Sweep.table(): without the first frames, so many."""

    def of(statistic: Statistic) -> Callable[[tessera.Results], float]:
        return lambda results: statistic(results, papers.first_measured(results, warm_up))

    return {name: of(statistic) for name, statistic in STATISTICS.items()}
