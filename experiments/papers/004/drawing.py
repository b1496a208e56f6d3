"""The figures of paper 004 from the tables of the sweeps, with its axes, and one of the settings."""

import pathlib

import pandas

from tessera import figures, textures

import claims
from measurements import CENTRAL, NAMES, POLICY, PRIVATE, energies, named, over_private, speedups, with_mean

TITLES = {
    "1": "figure 1: caches that hold a block when it has been looked up, of four",
    "6": "figure 6: L2 accesses for textures",
    "7": "figure 7: L2 accesses with larger private caches, and with 16 KiB as one",
    "8": "figure 8: where accesses to textures find their blocks",
    "9": "figure 9: speed-up",
    "10": "figure 10: energy",
    "11": "figure 11: speed-up by cores",
    "settings": "speed-up of DTM-NUCA: of the values of each setting the least, that compared, the greatest",
}
PLACES = dict(zip(textures.PLACES, ("own cache", "in flight", "other core", "L2 cache", "memory")))


def by_application(table: pandas.DataFrame, columns: dict[str, str]) -> dict[str, pandas.DataFrame]:
    """Some columns of each application, a row a policy."""
    return {name: part.set_index(POLICY)[list(columns)].rename(index=NAMES, columns=columns)
            for name, part in table.groupby("workload", sort=False)}


def energy_parts(policies: pandas.DataFrame) -> dict[str, pandas.DataFrame]:
    """Memory and GPU over all energy with private caches, by application, a row a policy."""
    parts = by_application(policies, {"memory_typical_pJ": "memory", "gpu_typical_pJ": "GPU"})
    return {name: table / table.loc[NAMES[PRIVATE]].sum() for name, table in parts.items()}


def by_setting(settings: pandas.DataFrame) -> pandas.DataFrame:
    """Speed-up of DTM-NUCA: a row a setting; the least and the greatest of the values tried, and that compared above."""
    groups = settings["speed-up"].xs(NAMES[CENTRAL], level="policy").groupby(level="setting", sort=False)
    compared = groups.first()  # the value of the comparison comes first
    return pandas.DataFrame({"least": groups.min(), "compared": compared, "greatest": groups.max()})


def draw(output: pathlib.Path, tables: dict[str, pandas.DataFrame], settings: pandas.DataFrame) -> None:
    policies = tables["policies"]

    def bars(number: str, table: pandas.DataFrame, value: str, **options) -> None:
        figures.write(figures.bars(table, value, **options), table, output, f"figure_{number}")

    def lines(number: str, table: pandas.DataFrame, across: str, value: str) -> None:
        figures.write(figures.lines(table, across, value), table, output, f"figure_{number}")

    def panels(number: str, parts: dict[str, pandas.DataFrame], value: str, **options) -> None:
        short = {name: table.rename(index=lambda policy: policy.replace("DTM-NUCA", "DTM").replace("-NUCA", ""))
                 for name, table in parts.items()}
        figures.write(figures.panels(short, "policy", value, kind="stacked", **options), pandas.concat(parts), output,
                      f"figure_{number}")

    census = claims.census(tables["cores"])
    shown = census[[f"in_{count}" for count in range(1, 5)]].rename(columns=lambda name: name.removeprefix("in_"))
    bars("1", 100 * with_mean(shown), "lookups (%)", stacked=True, summary=True, legend="caches that hold the block")
    bars("6", named(with_mean(over_private(policies, "l2_reads").drop(columns=PRIVATE))), "L2 accesses / private caches",
         one=1, summary=True)
    lines("7", named(claims.capacity_curves(tables)), "capacity of a private cache", "L2 accesses / private 16 KiB")
    shares = by_application(policies, PLACES)
    panels("8", {name: 100 * table for name, table in shares.items()}, "accesses to textures (%)")
    bars("9", named(with_mean(speedups(policies).drop(columns=PRIVATE))), "cycles with private caches / cycles", one=1,
         summary=True)
    panels("10", energy_parts(policies), "energy / energy with private caches", one=1)
    whole = named(energies(policies))
    whole.to_csv(output / "figure_10_whole.csv")
    lines("11", named(claims.scaling(tables)), "fragment processors", "cycles with private caches / cycles")
    settings.to_csv(output / "settings.csv")
    bars("settings", by_setting(settings), "cycles with private caches / cycles", one=1, legend=NAMES[CENTRAL])
