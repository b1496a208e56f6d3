"""Figures 6 to 13 of paper 000, as SVG, PNG and CSV."""

import pathlib

import pandas

from tessera import figures

from claims import at, by_application, geometric_mean, speedups, with_mean
from schemes import PERFECT, SCHEMES, WARPS

TITLES = {
    "6": "figure 6: speed over the GHB prefetcher, one warp",
    "7": "figure 7: prefetched lines that are never asked for",
    "8": "figure 8: energy of the GPU over the GHB prefetcher, one warp",
    "9": "figure 9: speed-up by warps without prefetching",
    "10": "figure 10: energy of the GPU by warps without prefetching",
    "11": "figure 11: speed-up by warps and scheme, geometric mean of applications",
    "12": "figure 12: energy of the GPU and speed by scheme and warps, geometric means",
    "13": "figure 13: requests to the L2 cache over none, one warp",
}


def unused(schemes: pandas.DataFrame) -> pandas.DataFrame:
    """Share of the prefetched lines that no access asked for: a row an application, a column a scheme that prefetches. What
    a frame leaves in a cache a later one may ask for, or find left again."""
    fetching = schemes[schemes.prefetches > 0]
    asked_for = fetching.prefetches_used + fetching.prefetches_late
    fetched = fetching.prefetches + fetching.prefetches_carried  # by frames that warmed up
    return by_application(fetching.assign(share=1 - asked_for / fetched), "share")


def draw(output: pathlib.Path, tables: dict[str, pandas.DataFrame]) -> None:
    schemes, warps = tables["schemes"], tables["warps"]
    compared = [*SCHEMES, PERFECT]

    def bars(number: str, table: pandas.DataFrame, value: str) -> None:
        figure = figures.bars(table, value, one=1.0, summary=True)
        figures.write(figure, table, output, f"figure_{number}")

    def over(table: pandas.DataFrame, value: str, baseline: str, inverse: bool, order: list[str]) -> pandas.DataFrame:
        wide = by_application(table, value)
        ratio = wide[order].div(wide[baseline], axis=0)
        return with_mean(1 / ratio if inverse else ratio)

    bars("6", over(schemes, "cycles", "GHB", True, compared), "speed, GHB is 1")
    table = with_mean(unused(schemes), lambda values: values.mean())
    figures.write(figures.bars(table, "share of prefetched lines", summary=True), table, output, "figure_7")
    bars("8", over(schemes, "typical_pJ", "GHB", False, SCHEMES), "energy of the GPU, GHB is 1")
    bare = warps[warps.scheme == "none"]
    for number, value, inverse, axis in (("9", "cycles", True, "speed, one warp is 1"),
                                         ("10", "typical_pJ", False, "energy of the GPU, one warp is 1")):
        wide = by_application(bare, value, WARPS)
        ratio = wide.div(wide[1], axis=0)
        table = with_mean(1 / ratio if inverse else ratio).T.rename_axis("warps")
        figures.write(figures.lines(table, "warps of a processor", axis), table, output, f"figure_{number}")
    curves = speedups(warps)
    figures.write(figures.lines(curves, "warps of a processor", "speed, one warp without prefetching is 1"), curves, output,
                  "figure_11")
    energy = warps.pivot_table(index=[WARPS, "scheme"], columns="workload", values="typical_pJ", observed=True)
    used = geometric_mean((energy / energy.loc[(1, "none")]).T).unstack("scheme").reindex(columns=curves.columns)
    both = pandas.concat({"speed": curves, "energy": used})
    panels = {f"{count} warps": pandas.DataFrame({"speed": curves.loc[count], "energy": used.loc[count]})
              for count in curves.index}
    figures.write(figures.panels(panels, "scheme", "one warp without prefetching is 1", kind="bars", one=1), both, output,
                  "figure_12")
    bars("13", over(schemes, "l2_requests", "none", False, SCHEMES), "requests to the L2 cache, none is 1")
