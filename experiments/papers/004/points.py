"""The points of every sweep, and which settings show when the idea pays."""

import dataclasses
from typing import Any

from tessera import papers

from measurements import CENTRAL, DISTRIBUTED, POLICIES, POLICY, PRIVATE

INDEX = "texture_cache.index"
LINKS = "mesh.link_width"
CAPACITY = "texture_cache.capacity"
COUNT = "fragment_processor.count"
CENSUS = "observe.census_every"
# Of all points, unless a sweep is about them. With the lowest bits of a block as its set, the blocks of a bucket share 8
# of the 64 sets of their owner, and S-NUCA uses 2; a line is one flit of 64 B and its address, not five of 16 B.
MAIN = {INDEX: "folded", LINKS: "64 B"}
MESHES = {4: (2, 2), 8: (4, 2), 16: (4, 4)}  # columns and rows; 32 cores have 8 and 4
CAPACITIES = ["32 KiB", "64 KiB", "128 KiB", "256 KiB", "512 KiB"]


def policies() -> dict[str, list]:
    return {POLICY: list(POLICIES)}


def capacity(quick: bool) -> dict[str, list]:
    """Private caches; those of 16 KiB are in policies()."""
    return {CAPACITY: ["64 KiB"] if quick else CAPACITIES}


def cores(quick: bool) -> dict[str, list]:
    """Fewer cores, in meshes that fit; 32 are in policies(). Four with private caches are looked at for figure 1."""
    found = []
    for count, (columns, rows) in list(MESHES.items())[:1 if quick else None]:
        for policy in (PRIVATE, CENTRAL, DISTRIBUTED):
            found.append((count, columns, rows, policy, 500 if (count, policy) == (4, PRIVATE) else 0))
    return papers.pairs(COUNT, "mesh.columns", "mesh.rows", POLICY, CENSUS, of=found)


@dataclasses.dataclass(frozen=True)
class Group:
    """A setting, the value that the comparison of policies has, others, and whether they change private caches too."""

    setting: str
    default: Any
    values: tuple
    with_private: bool = False
    policies: tuple = (CENTRAL,)

    def points(self) -> dict[str, list]:
        tried = ((PRIVATE,) if self.with_private else ()) + self.policies
        return papers.pairs(self.setting, POLICY, of=[(value, policy) for value in self.values for policy in tried])


BOTH = (CENTRAL, DISTRIBUTED)
SENSITIVITY = {
    "distribution": Group("raster.distribution", "round_robin", ("position", "tile", "least_loaded"), True, BOTH),
    "index": Group(INDEX, "folded", ("lowest_bits",), True, POLICIES[1:]),
    "link_width": Group(LINKS, "64 B", ("16 B", "32 B"), policies=BOTH),
    "bus_width": Group("bus.width", "64 B", ("16 B", "32 B"), True, BOTH),
    "buckets": Group("home.buckets", 32, (8, 128, 512)),
    "page_blocks": Group("home.page_blocks", 8, (1, 64, 512)),
    "epoch_accesses": Group("home.epoch_accesses", 20_000, (1_000, 100_000, 1_000_000), policies=BOTH),
    "change_percent": Group("home.change_percent", 25, (0, 100, 400), policies=BOTH),
    "note_accesses": Group("home.note_accesses", 8, (1, 64)),
    "count_hits": Group("home.count_hits", True, (False,)),
    "dram": Group("dram.device", "lpddr3-800", ("lpddr3-1600", "lpddr5-6400"), True),
    "l2_latency": Group("l2.latency", 18, (36, 72), True),
}
QUICK = ("buckets", "bus_width")


def sensitivity(quick: bool) -> dict[str, Group]:
    if not quick:
        return SENSITIVITY
    return {name: dataclasses.replace(SENSITIVITY[name], values=SENSITIVITY[name].values[:1]) for name in QUICK}
