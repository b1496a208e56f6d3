"""Figures of tables, readable in print and for the colour-blind (Okabe and Ito's palette, hatches and markers besides)."""

import pathlib
import textwrap

import pandas

PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]
HATCHES = ["", "//", "..", "xx", "\\\\", "++", "oo", "--"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]


def label(name: object) -> str:
    """Of a column or row, which may be several values."""
    return ", ".join(str(part) for part in name) if isinstance(name, tuple) else str(name)


def _figure(width: float, height: float = 3.6):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")


def _finish(figure, axes, path: str | pathlib.Path, columns: int) -> None:
    from matplotlib import pyplot

    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    if columns > 1:
        axes.legend(frameon=False, fontsize=8, ncols=min(4, columns), loc="upper center", bbox_to_anchor=(0.5, -0.16))
    figure.savefig(path, dpi=160)
    pyplot.close(figure)


def bars(path: str | pathlib.Path, table: pandas.DataFrame, value: str, one: float | None = None) -> None:
    """A group of bars a row, a bar a column. `value`: the axis, with its unit. `one`: a line at this height."""
    rows, columns = table.shape
    figure, axes = _figure(max(4.5, 1.2 + 0.22 * rows * (columns + 1)))
    width = 0.8 / columns
    for i, column in enumerate(table.columns):
        places = [row - 0.4 + width * (i + 0.5) for row in range(rows)]
        axes.bar(places, table[column], width, label=label(column), color=PALETTE[i % 8], hatch=HATCHES[i // 8 % 8],
                 edgecolor="white", linewidth=0.4)
    if one is not None:
        axes.axhline(one, color="#444444", linewidth=0.8)
    axes.set_xticks(range(rows), [label(row) for row in table.index], rotation=0 if rows < 8 else 30, ha="center" if rows < 8 else "right")
    axes.set_ylabel(textwrap.fill(value, 36))
    _finish(figure, axes, path, columns)


def lines(path: str | pathlib.Path, table: pandas.DataFrame, across: str, value: str) -> None:
    """A line a column over the values of the index, evenly spaced. `across` and `value`: the axes, with their units."""
    figure, axes = _figure(5.2)
    for i, column in enumerate(table.columns):
        axes.plot(range(len(table)), table[column], label=label(column), color=PALETTE[i % 8], marker=MARKERS[i % 8],
                  markersize=4, linewidth=1.4)
    axes.set_xticks(range(len(table)), [label(name) for name in table.index])
    axes.set_xlabel(across)
    axes.set_ylabel(textwrap.fill(value, 36))
    axes.set_ylim(bottom=0)
    _finish(figure, axes, path, table.shape[1])
