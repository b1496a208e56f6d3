"""What is looked at of every run: speed, places of accesses to textures, ways between caches, replication, energy."""

import functools
from typing import Callable

import pandas

import tessera
from tessera import energy, papers, replication, textures

POLICY = "home.policy"
PRIVATE, STATIC, DIRECTORY, CENTRAL, DISTRIBUTED = POLICIES = (
    "private", "s_nuca", "d_nuca", "dtm_nuca", "dtm_nuca_distributed")
NAMES = dict(zip(POLICIES, ("private", "S-NUCA", "D-NUCA", "DTM-NUCA", "DTM-NUCA-Dist")))
CORES = "fragment processors"


WAYS = ["remote_latency", "waiting_at_cores", "mesh_queueing", "hops", "table_load", "table_waiting", "requests_of_busiest",
        "owner_changes"]
ENERGIES = [f"{part}_{figure}" for part in ("memory", "gpu", "cores") for figure in energy.FIGURES]
CENSUS = ["replicated", *(f"in_{count}" for count in range(1, 5))]
COUNTED = ["measured_cycles", "l2_reads", "l2_requests", "accesses", "vertex_instructions", "fragment_instructions"]
SHARES = [*textures.PLACES, "remote_misses", "own_misses"]


def measured(results: tessera.Results, warm_up: int) -> dict[str, float]:
    """Of a run, without its first frames, unless it has no others. Energies of memory and GPU in pJ, that of cores as a
    share of the GPU's; what is not there, as a census, is missing."""
    after = papers.first_measured(results, warm_up)

    def counted(kind: str, counter: str) -> float:
        return float(textures.total(results, kind, counter).iloc[after:].sum())

    shares = textures.shares(results, after)
    parts = results.energy()
    parts = parts[parts.frame.isin(results.frames.frame.values[after:])]
    whole = parts.groupby("part")[energy.FIGURES].sum()
    found = {
        "measured_cycles": float(results.frames.cycles.values[after:].sum()),
        **textures.places(results)[["l2_reads", "l2_requests"]].iloc[after:].sum().to_dict(),
        "accesses": counted("texture_cache", "accesses"),
        "vertex_instructions": counted("vertex_processor", "thread_instructions"),
        "fragment_instructions": counted("fragment_processor", "thread_instructions"),
        **shares[SHARES].to_dict(),
        **textures.way(results, after)[WAYS].to_dict(),
        **{f"{part}_{figure}": float(whole.loc[part, figure]) for part in ("memory", "gpu") for figure in energy.FIGURES},
        **{f"cores_{figure}": float(energy.shares(parts, figure=figure)[CORES]) for figure in energy.FIGURES},
    }
    if "texture_replication" in results.series:
        census = replication.row_of(results, 1, after)
        found |= {name: census.get(name.replace("_", " "), float("nan")) for name in CENSUS}
    return found


def statistics(warm_up: int) -> dict[str, Callable[[tessera.Results], float]]:
    """By name what is looked at of a run, for tessera.Sweep.table(); see measured()."""

    @functools.lru_cache(maxsize=1)  # of one run all are asked for, one after the other
    def of(results: tessera.Results) -> dict[str, float]:
        return measured(results, warm_up)

    def one(name: str) -> Callable[[tessera.Results], float]:
        return lambda results: of(results).get(name, float("nan"))

    return {name: one(name) for name in [*COUNTED, *SHARES, *WAYS, *ENERGIES, *CENSUS]}


def by_policy(table: pandas.DataFrame, value: str) -> pandas.DataFrame:
    """A row an application, a column a policy."""
    wide = table.pivot_table(index="workload", columns=POLICY, values=value, sort=False)
    return wide[[policy for policy in POLICIES if policy in wide]]


def speedups(table: pandas.DataFrame) -> pandas.DataFrame:
    """Cycles with private caches / with each policy, by application."""
    cycles = by_policy(table, "measured_cycles")
    return cycles.rdiv(cycles[PRIVATE], axis=0)


def over_private(table: pandas.DataFrame, value: str) -> pandas.DataFrame:
    """The value with each policy / with private caches, by application; NaN where that is 0."""
    wide = by_policy(table, value)
    return wide.div(wide[PRIVATE].where(wide[PRIVATE] > 0), axis=0)


def energies(table: pandas.DataFrame, figure: str = "typical_pJ") -> pandas.DataFrame:
    """Energy of GPU and memory with each policy / with private caches, by application."""
    whole = table.assign(whole=table[f"memory_{figure}"] + table[f"gpu_{figure}"])
    return over_private(whole, "whole")


def with_mean(table: pandas.DataFrame) -> pandas.DataFrame:
    return pandas.concat([table, table.mean().to_frame("mean").T])


def named(table: pandas.DataFrame) -> pandas.DataFrame:
    """Columns that are policies as the paper calls them."""
    return table.rename(columns=NAMES)
