"""Where accesses to textures find their lines when the texture caches are one (parameters home.*), or are private.

    results = tessera.open("out")
    textures.places(results)            # pandas.DataFrame: a row a frame, numbers of accesses
    textures.shares(results)            # of all frames together, as fractions of the accesses
    textures.way(results)               # latencies, hops and changes of owners
    textures.shares(results, after=1)   # without the first frame, as it warms caches up
    textures.by_core(results)           # a row a core
    textures.owners(results, frame=0)   # of buckets by epoch, with --set observe.owners=true; figures.owners() draws it

An access is one of a texture block by its own core; a line that a core sends to another is counted with who asked.
"""

import numpy
import pandas

from . import records
from .names import frames_after, position_of, unknown
from .results import Results, Run, results_of

# In this order an access is the dearer: what is drawn one upon the other adds up to all accesses.
PLACES = ["hits", "joined", "remote_hits", "l2_hits", "l2_misses"]


# What a machine may be without, as it has no such structure: kinds of units, and of others the counters with this prefix.
MAY_LACK = {"home_mesh": "", "snoop_port": "", "vertex_processor": "", "cluster": "home_", "l2_slice": "directory_"}


def has(results: Results, kind: str, counter: str) -> bool:
    """Whether units of this kind count this; not, if the machine is without the structure that would.

    Raises KeyError if results of every machine have it, but these do not.
    """
    if kind in results.kinds and counter in results[kind]:
        return True
    prefix = MAY_LACK.get(kind)
    if kind not in results.kinds:
        if prefix == "":
            return False
        raise unknown(f"{results.path}: expected a kind of unit", kind, results.kinds)
    names = list(results[kind])
    if prefix and counter.startswith(prefix) and not any(name.startswith(prefix) for name in names):
        return False
    raise unknown(f"{results.path}: expected a counter of {kind!r} (results of another version may have others)", counter,
                  names)


def total(results: Run, kind: str, counter: str) -> pandas.Series:
    """Of all units of a kind, a value a frame; 0 where the machine is without them or their structure (home_mesh,
    snoop_port, ...: MAY_LACK). Raises KeyError for any other kind or counter that the results do not have."""
    results = results_of(results)
    if not has(results, kind, counter):
        return pandas.Series(0.0, index=results.frames.frame.values)
    values = results[kind][counter]
    return values.sum([name for name in values.dims if name != "frame"]).to_pandas().astype(float)


def places(results: Run) -> pandas.DataFrame:
    """Numbers of accesses to texture blocks: a row a frame.

    accesses; hits: in the core's own cache; joined: a line that the core waited for already; remote_hits: in another
    core's cache; remote_misses: another core waited for the L2 cache, or asked it, in the core's stead; own_misses:
    the core itself asked the L2 cache. l2_misses: of remote_misses and own_misses the share for which the L2 cache
    fetched a line (its counter misses_texture over its requests_texture); l2_hits: the others, which found their line
    there or joined one in flight. l2_reads: lines read of the L2 cache, which a directory's answer without a line is not.
    l2_requests: all that anybody asks of the L2 cache, directories' answers included.
    """
    results = results_of(results)
    remote = {name: total(results, "cluster", f"home_{name}") for name in ("remote_hits", "remote_misses")}
    sent_on = total(results, "l2_slice", "directory_sent_on")
    table = pandas.DataFrame({name: total(results, "texture_cache", name) for name in ("accesses", "hits")})
    table["joined"] = total(results, "texture_cache", "merged")
    table["remote_hits"], table["remote_misses"] = remote["remote_hits"], remote["remote_misses"]
    table["own_misses"] = total(results, "texture_cache", "misses") - table.remote_hits - table.remote_misses
    table["l2_reads"] = total(results, "cluster", "memory_reads_texture") - sent_on
    read = total(results, "l2_slice", "requests_texture") - sent_on
    missed = (total(results, "l2_slice", "misses_texture") / read.where(read > 0)).fillna(0).clip(upper=1)
    beyond = table.own_misses + table.remote_misses
    table["l2_requests"] = total(results, "l2_slice", "requests")
    table["l2_hits"], table["l2_misses"] = beyond * (1 - missed), beyond * missed
    return table.rename_axis("frame")


def shares(results: Run, after: int = 0) -> pandas.Series:
    """places() of all frames but the first `after` together, each over the accesses; NaN without accesses. Raises
    ValueError if there are not so many."""
    results = results_of(results)
    after = frames_after(f"{results.path}: after", after, len(results.frames.frame))
    table = places(results).iloc[after:].sum()
    return table / (table.accesses if table.accesses > 0 else float("nan"))


def by_core(results: Run, after: int = 0) -> pandas.DataFrame:
    """Of all frames but the first `after` together, a row a core (a cluster with a texture cache of its own).

    accesses, hits, joined: of its texture cache, as in places(). remote_hits, remote_misses: of its misses, that another
    core answered. served, served_hits: requests of other cores, and those that hit here. l2_at_once, l2_waited: its
    requests of all kinds of data to the L2 cache, lines for others included: those that waited for no line, and those
    that waited for one in flight, whoever had it fetched. They are not l2_hits and l2_misses of places(), which are of
    textures and count who joins a line in flight as a hit. With remote L1, where caches ask each other, l2_at_once is
    not known: NaN. Raises ValueError for results of a version that did not count by core, and if there are not so many frames.
    """
    results = results_of(results)
    after = frames_after(f"{results.path}: after", after, len(results.frames.frame))
    if "memory_l2_misses" not in results["cluster"]:
        raise ValueError(f"{results.path}: has no L2 misses by core: was written by an older version")
    caches = results["texture_cache"]
    cores = caches.sizes.get("texture_cache", 1)

    def of(kind: str, counter: str) -> list[float]:
        if not has(results, kind, counter):
            return [0.0] * cores
        values = results[kind][counter].isel(frame=slice(after, None)).sum("frame")
        return values.to_numpy().astype(float).reshape(cores)

    table = pandas.DataFrame({
        "accesses": of("texture_cache", "accesses"), "hits": of("texture_cache", "hits"),
        "joined": of("texture_cache", "merged"), "remote_hits": of("cluster", "home_remote_hits"),
        "remote_misses": of("cluster", "home_remote_misses"), "served": of("cluster", "home_served"),
        "served_hits": of("cluster", "home_served_hits")})
    sent = [name for name in results["cluster"] if name.startswith(("memory_reads_", "memory_writes_"))]
    table["l2_waited"] = of("cluster", "memory_l2_misses")
    table["l2_at_once"] = sum(numpy.array(of("cluster", name)) for name in sent) - table.l2_waited
    table["l2_at_once"] -= of("cluster", "home_redirected")  # which the directory answered, and no line
    if total(results, "snoop_port", "peer_requests").sum() > 0:
        table["l2_at_once"] = float("nan")
    return table.rename_axis("core")


def owners(results: Run, frame: int) -> pandas.DataFrame:
    """Who owns which bucket of the affinity tables at the end of every epoch of a frame: a row an epoch, a column a
    bucket; missing: nobody yet. Where cores have tables of their own, the owner is who claims a bucket with the most
    accesses, of equal ones the lowest core; a bucket that nobody claims keeps its owner.

    Raises ValueError if the run noted no owners (observe.owners, home.policy), IndexError if it has no such frame.
    """
    results = results_of(results)
    table = records.read(results, "bucket_owners", nullable=("owner",))
    if table is None:
        raise ValueError(f"{results.path}: has no owners of buckets: run with --set observe.owners=true and a policy "
                         "with affinity tables (home.policy)")
    frame = position_of(f"{results.path}: frame", frame, len(results.frames.frame))
    table = table[table.frame == frame].sort_values(["epoch", "bucket", "accesses", "owner"],
                                                    ascending=[True, True, False, True])
    best = table.drop_duplicates(["epoch", "bucket"])
    return best.pivot(index="epoch", columns="bucket", values="owner").ffill()


def way(results: Run, after: int = 0) -> pandas.Series:
    """Of all frames but the first `after` together; 0 with private caches. Raises ValueError if there are not so many.

    remote_latency: cycles from a miss that another core answered until its line came. waiting_at_cores: cycles from
    the arrival of such a request until the line departs. mesh_queueing: cycles by which a message was later than in an
    empty mesh. hops: links that a flit takes. table_load: questions and notes that the central table gets a cycle;
    table_waiting: cycles by which one is served later than if no other had come, in the mesh and at the table.
    requests_of_busiest: requests to the core that gets most / the mean of cores. owner_changes: of buckets, for each
    1000 accesses; of a core's own table, in the mean, where each has one.
    """
    results = results_of(results)
    after = frames_after(f"{results.path}: after", after, len(results.frames.frame))

    def of(kind: str, counter: str) -> float:
        return float(total(results, kind, counter).iloc[after:].sum())

    def each(cycles: float, number: float) -> float:
        return cycles / number if number > 0 else 0.0

    answered = of("cluster", "home_remote_hits") + of("cluster", "home_remote_misses")
    requests = of("cluster", "home_requests")
    busiest = 0.0
    if requests > 0:
        by_core = results["cluster"].home_requests.isel(frame=slice(after, None)).sum("frame")
        busiest = float(by_core.max() / by_core.mean())
    asked = sum(of("home_mesh", name) for name in ("table_questions", "table_notes", "access_sums"))
    tables = results["cluster"].sizes.get("cluster", 1) if "cluster" in results.kinds else 1
    changes = of("home_mesh", "owner_changes") + of("cluster", "home_owner_changes") / tables
    return pandas.Series({
        "remote_latency": each(of("cluster", "home_remote_cycles"), answered),
        "waiting_at_cores": each(of("cluster", "home_served_cycles"), of("cluster", "home_served")),
        "mesh_queueing": each(of("home_mesh", "queueing_cycles"), of("home_mesh", "messages_out")),
        "hops": each(of("home_mesh", "link_flits"), of("home_mesh", "flits_out")),
        "table_load": each(asked, float(results.frames.cycles.values[after:].sum())),
        "table_waiting": each(of("home_mesh", "table_waiting_cycles"), asked),
        "requests_of_busiest": busiest,
        "owner_changes": each(1000 * changes, of("texture_cache", "accesses")),
    })
