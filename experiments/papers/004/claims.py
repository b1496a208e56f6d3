"""Every claim of paper 004 beside what the sweeps have, and what they tell of the reasons where it differs."""

import numpy
import pandas

from tessera import textures
from tessera.papers import Finding, markdown, published

from measurements import (
    CENSUS, CENTRAL, DIRECTORY, DISTRIBUTED, NAMES, POLICY, PRIVATE, WAYS, by_policy, energies, named, over_private,
    speedups,
)
from points import CAPACITY, COUNT

NUCA = {"dnuca": DIRECTORY, "dtm": CENTRAL, "dtm_dist": DISTRIBUTED}
MOST_CORES = 32


def wanted(claim: str) -> float:
    """What is published of it."""
    return float(published("004").loc[claim, "value"])


def same_side(value: float, claim: str) -> bool:
    """Of ratios: both above 1, or neither."""
    return (value > 1) == (wanted(claim) > 1)


def spread(values: pandas.Series, form: str = "{:.3f}") -> str:
    """The mean of applications, and between which they lie."""
    low, high = values.idxmin(), values.idxmax()
    return (f"Mean of {len(values)} applications {form.format(values.mean())}; from {form.format(values[low])} ({low}) to "
            f"{form.format(values[high])} ({high}).")


def census(cores: pandas.DataFrame) -> pandas.DataFrame:
    """Of four cores with private caches: by application, shares of lookups by the caches that hold the block."""
    table = cores[(cores[COUNT] == 4) & (cores[POLICY] == PRIVATE)].set_index("workload")
    return table[CENSUS].dropna()


def scaling(tables: dict[str, pandas.DataFrame]) -> pandas.DataFrame:
    """Mean speed-up over as many cores with private caches: a row a number of cores."""
    found = {}
    for count, table in tables["cores"].groupby(COUNT):
        found[int(count)] = speedups(table).mean()
    found[MOST_CORES] = speedups(tables["policies"]).mean()
    return pandas.DataFrame(found).T[[CENTRAL, DISTRIBUTED]].rename_axis("fragment processors")


def capacity_curves(tables: dict[str, pandas.DataFrame]) -> pandas.DataFrame:
    """L2 reads / those of private caches of 16 KiB, means of applications: private caches by capacity, and what 16 KiB
    have with each other policy, which is the same in every row."""
    base = by_policy(tables["policies"], "l2_reads")[PRIVATE]
    larger = tables["capacity"].pivot_table(index=CAPACITY, columns="workload", values="l2_reads", sort=False)
    curve = pandas.concat([pandas.Series({"16 KiB": 1.0}), larger.div(base, axis=1).mean(axis=1)])
    table = pandas.DataFrame({PRIVATE: curve})
    for policy, level in over_private(tables["policies"], "l2_reads").mean().drop(PRIVATE).items():
        table[policy] = level
    return table.rename_axis("capacity")


def effective_capacity(curve: pandas.Series, level: float) -> float:
    """How many times 16 KiB private caches need for this many L2 reads; between points on a line over the logarithm.
    As much as the largest has if even that reads more."""
    sizes = numpy.log2([float(name.split()[0]) for name in curve.index])
    reads = numpy.minimum.accumulate(curve.to_numpy())
    return float(2 ** (numpy.interp(-level, -reads, sizes) - sizes[0]))


def shares(policies: pandas.DataFrame) -> pandas.DataFrame:
    """Places of accesses, means of applications: a row a policy."""
    return policies.groupby(POLICY)[textures.PLACES].mean().reindex([name for name in NAMES if name in
                                                                     set(policies[POLICY])])


def replicated(tables: dict[str, pandas.DataFrame]) -> Finding:
    found = census(tables["cores"])
    return Finding(float(found.replicated.mean()), bool(found.replicated.mean() > 0.5), [
        spread(found.replicated), "Lookups whose block is in two of the four caches at least when they have been served.",
        "", *markdown(found.rename_axis("application"))])


def l2_reads(policies: pandas.DataFrame, policy: str) -> Finding:
    saved = 1 - over_private(policies, "l2_reads")[policy]
    of_all = 1 - over_private(policies, "l2_requests")[policy]
    found = over_private(policies, "l2_reads").mean()
    least = by_policy(policies, "l2_reads").div(by_policy(policies, "accesses"), axis=1)
    table = pandas.DataFrame({"private: L2 reads an access": least[PRIVATE], NAMES[policy]: least[policy], "saved": saved,
                          "of all requests": of_all})
    return Finding(float(saved.mean()), bool(saved.mean() > 0), [
        spread(saved), "Lines that texture caches read of the L2 cache; what a directory answers without a line is none.",
        f"Of all requests to the L2 cache, those of vertices, tiles and directories included, {of_all.mean():.3f}: the paper",
        "says of neither that it is meant.",
        f"Of {', '.join(f'{NAMES[name]} {value:.3f}' for name, value in found.items())} of private caches.", "",
        *markdown(table.rename_axis("application"))])


def local(policies: pandas.DataFrame, policy: str, claim: str) -> Finding:
    hits = by_policy(policies, "hits")
    mean = hits.mean()
    joined = by_policy(policies, "joined")[policy]
    holds = 0.5 <= mean[policy] / wanted(claim) <= 2
    table = pandas.DataFrame({"private": hits[PRIVATE], NAMES[policy]: hits[policy], "joins in flight": joined})
    return Finding(float(mean[policy]), bool(holds), [
        spread(hits[policy]), "Hits in the core's own cache. An access that joins a line which the core waits for already",
        f"is none of them: with those it is {mean[policy] + joined.mean():.3f}. Private caches, which keep all that their",
        f"core reads, hit {mean[PRIVATE]:.3f}: so much there is to be had of a core's own 16 KiB, and a core that owns a",
        "share of the blocks has less. An access is a block that a quad reads: blocks that its texels share count once.", "",
        *markdown(table.rename_axis("application"))])


def speedup(policies: pandas.DataFrame, policy: str, claim: str, cores: int = MOST_CORES) -> Finding:
    gains = speedups(policies)[policy]
    columns = ["remote_hits", "remote_latency", "waiting_at_cores", "mesh_queueing", "requests_of_busiest"]
    why = policies[policies[POLICY] == policy].set_index("workload")[columns]
    why.insert(0, "speed-up", gains)
    return Finding(float(gains.mean()), same_side(gains.mean(), claim), [
        spread(gains), f"{cores} cores. Share of accesses that hit in another cache; cycles from such a miss until its",
        "line came, of which so many at the other core; cycles that a message is late in the mesh; requests to the core that",
        "gets most / the mean of cores.", "", *markdown(why.rename_axis("application"))])


def energy(policies: pandas.DataFrame, policy: str, claim: str) -> Finding:
    found = energies(policies)[policy]
    ends = [energies(policies, figure)[policy].mean() for figure in ("low_pJ", "high_pJ")]
    gpu, memory = (over_private(policies, f"{part}_typical_pJ")[policy] for part in ("gpu", "memory"))
    table = pandas.DataFrame({"energy": found, "GPU": gpu, "memory": memory, "cycles": 1 / speedups(policies)[policy]})
    return Finding(float(found.mean()), same_side(found.mean(), claim), [
        spread(found), f"With all figures low {ends[0]:.3f}, with all high {ends[1]:.3f}. Over private caches:", "",
        *markdown(table.rename_axis("application"))])


def capacity(tables: dict[str, pandas.DataFrame]) -> Finding:
    curves = capacity_curves(tables)
    found = {policy: effective_capacity(curves[PRIVATE], curves[policy].iloc[0]) for policy in curves if policy != PRIVATE}
    value = found[CENTRAL]
    most = curves[PRIVATE].iloc[-1] >= curves[CENTRAL].iloc[0]
    return Finding(value, bool(value >= 4), [
        "Private caches with as many L2 reads, in the mean of applications; 16 KiB each are so many times 16 KiB: "
        + ", ".join(f"{NAMES[name]} {times:.1f}" for name, times in found.items()) + "."
        + (f" At least: {curves.index[-1]} still read more." if most else ""),
        f"Private caches of {curves.index[-1]} still have {curves[PRIVATE].iloc[-1]:.3f} of the reads of 16 KiB: those are of",
        "blocks that each core reads for itself, however much it keeps.", "",
        *markdown(named(curves))])


def power_share(policies: pandas.DataFrame) -> Finding:
    private = policies[policies[POLICY] == PRIVATE].set_index("workload")
    ends = [private[f"cores_{figure}"].mean() for figure in ("low_pJ", "high_pJ")]
    value = float(private.cores_typical_pJ.mean())
    return Finding(value, bool(0.5 <= value / 0.681 <= 2), [
        spread(private.cores_typical_pJ), f"Of the GPU's energy, memory apart; with all figures low {ends[0]:.3f}, with",
        f"all high {ends[1]:.3f}. `energy.py` has the other components."])


def by_bus(settings: pandas.DataFrame, policy: str, value: str) -> list[str]:
    """How a value of a policy hangs on the width of the bus to the L2 cache, where that was tried."""
    found = settings[value].xs(NAMES[policy], level="policy")
    if "bus.width" not in found.index.get_level_values("setting"):
        return []
    each = ", ".join(f"{width}: {number:.3f}" for width, number in found.loc["bus.width"].items())
    return ["", f"By what the bus to the L2 cache carries a cycle, which the paper does not say: {each} (of "
            f"{settings.attrs['applications']})."]


def findings(tables: dict[str, pandas.DataFrame], settings: pandas.DataFrame) -> dict[str, Finding]:
    """By the claims' ids. `tables`: of the sweeps; `settings`: sensitivity.table()."""
    policies = tables["policies"]
    four = tables["cores"][tables["cores"][COUNT] == 4]
    found = {"nuca.replicated_4fp": replicated(tables)}
    for name, policy in NUCA.items():
        found[f"nuca.l2_{name}"] = l2_reads(policies, policy)
        found[f"nuca.local_{name}"] = local(policies, policy, f"nuca.local_{name}")
        found[f"nuca.speedup_{name}"] = speedup(policies, policy, f"nuca.speedup_{name}")
        found[f"nuca.energy_{name}"] = energy(policies, policy, f"nuca.energy_{name}")
        if policy != DIRECTORY:
            found[f"nuca.speedup_{name}"].measured += by_bus(settings, policy, "speed-up")
            found[f"nuca.energy_{name}"].measured += by_bus(settings, policy, "energy")
            found[f"nuca.speedup_{name}_4fp"] = speedup(four, policy, f"nuca.speedup_{name}_4fp", 4)
    found["nuca.effective_capacity"] = capacity(tables)
    found["nuca.fragment_power_share"] = power_share(policies)
    return found


def order(policies: pandas.DataFrame) -> list[str]:
    """Private < distributed < central < directory in L2 accesses saved; the directory serves least locally."""
    reads = over_private(policies, "l2_reads").mean()
    hits = by_policy(policies, "hits").mean()
    saved = bool(reads[PRIVATE] > reads[DISTRIBUTED] > reads[CENTRAL] >= reads[DIRECTORY])
    least = hits[DIRECTORY] < min(hits[CENTRAL], hits[DISTRIBUTED])
    table = pandas.DataFrame({"L2 reads": reads, "own hits": hits, "speed-up": speedups(policies).mean(),
                              "energy": energies(policies).mean()}).rename(index=NAMES).rename_axis("policy")
    more = hits[DISTRIBUTED] > hits[CENTRAL]
    return [f"L2 accesses saved, private < DTM-NUCA-Dist < DTM-NUCA < D-NUCA: {'holds' if saved else 'differs'}. Of the three,",
            f"D-NUCA serves least locally: {'holds' if least else 'differs'}; DTM-NUCA-Dist serves more than DTM-NUCA:",
            f"{'holds' if more else 'differs'}. Means of applications, over private caches but for hits:", "",
            *markdown(table)]


def ways(policies: pandas.DataFrame) -> list[str]:
    of_policies = policies[policies[POLICY] != PRIVATE]
    table = of_policies.groupby(POLICY, sort=False)[WAYS].mean().rename(index=NAMES)
    places = shares(policies).rename(index=NAMES, columns={
        "hits": "own cache", "joined": "in flight", "remote_hits": "other core", "l2_hits": "L2 cache",
        "l2_misses": "memory"})
    return ["Shares of the accesses by where they find their block, means of applications; of those that wait for another",
            "core, which waits itself, the L2 cache or memory that it waits for.", "", *markdown(places.rename_axis("policy")), "",
            "Cycles from a miss that another core answers until the line has come, and of them at that core; cycles by",
            "which a message is late in the mesh; links a flit takes; messages a cycle to the table in the middle, of one",
            "that its router can hand on, and cycles by which they are late there; requests to the core that gets most / the",
            "mean of cores; changes of owners in a table for each 1000 accesses.", "",
            *markdown(table.rename_axis("policy"), 2)]


def applications(policies: pandas.DataFrame) -> list[str]:
    """Table II of the paper, in play: all frames that count."""
    private = policies[policies[POLICY] == PRIVATE].set_index("workload")
    table = pandas.DataFrame({
        "vertex instructions, million": private.vertex_instructions / 1e6,
        "fragment instructions, million": private.fragment_instructions / 1e6,
        "million cycles": private.measured_cycles / 1e6,
        "texture accesses, million": private.accesses / 1e6,
        "own hits": private.hits,
    })
    return ["Of every thread, with private caches, frames after the warm-up.", "",
            *markdown(table.rename_axis("application"), 2)]
