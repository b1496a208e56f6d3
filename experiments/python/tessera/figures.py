"""Figures of tables, readable in print and for the colour-blind: Okabe and Ito's palette, and besides colours hatches of
bars, markers and dashes of lines. Every function gives a matplotlib Figure: a notebook with `%matplotlib inline` shows
it, figure.savefig("a.svg") stores it, write() stores it together with its numbers.
"""

import pathlib
import textwrap
from typing import Mapping

import numpy
import pandas
from matplotlib.axes import Axes
from matplotlib.figure import Figure

PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#000000"]
HATCHES = ["", "///", "...", "xxx", "\\\\\\", "+++", "ooo", "---"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", (0, (5, 1)), (0, (2, 1)), (0, (5, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (4, 2))]


def _other(looks: list, i: int) -> object:
    """What goes with the colour of series `i`: where colours begin again, each has the next one, so 64 series differ."""
    return looks[(i + i // 8) % 8]


def label(name: object) -> str:
    """Of a column or row, which may be several values."""
    return ", ".join(str(part) for part in name) if isinstance(name, tuple) else str(name)


def write(figure: Figure, table: pandas.DataFrame, folder: pathlib.Path, name: str) -> None:
    """NAME.svg, NAME.png and, the numbers that it shows, NAME.csv."""
    for ending in ("svg", "png"):
        figure.savefig(folder / f"{name}.{ending}", dpi=160)
    table.to_csv(folder / f"{name}.csv")


def _check(table: pandas.DataFrame) -> None:
    if not isinstance(table, pandas.DataFrame):
        raise TypeError(f"expected a table, a pandas.DataFrame, found {type(table).__name__}")
    if table.empty:
        rows, columns = table.shape
        raise ValueError(f"expected a table with rows and columns, found {rows} rows and {columns} columns")


def _style(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _row_names(axes: Axes, table: pandas.DataFrame) -> None:
    """Turned where they are longer than their place: letters are about 0.08 inches wide."""
    names = [label(name) for name in table.index]
    place = (axes.figure.get_size_inches()[0] - 0.8) / max(1, len(names))
    turned = 0.08 * max(map(len, names), default=0) > place
    axes.set_xticks(range(len(names)), names, rotation=30 if turned else 0, ha="right" if turned else "center",
                    rotation_mode="anchor" if turned else "default")


def _names_in_a_row(names: list[str], width: float) -> int:
    """Of a legend in a figure of so many inches."""
    return min(len(names), max(1, int((width - 0.8) / (0.53 + 0.058 * max(map(len, names))))))


def _legend_above(axes: Axes, columns: list[str], title: str | None) -> None:
    """As many names in a row as there is room for."""
    if len(columns) > 1:
        wide = _names_in_a_row(columns, axes.figure.get_size_inches()[0])
        axes.legend(frameon=False, fontsize=8, title=title, ncols=wide, loc="lower left",
                    bbox_to_anchor=(0, 1), borderaxespad=0.2, columnspacing=1.2)


def _draw_bars(axes: Axes, table: pandas.DataFrame, stacked: bool) -> None:
    rows, columns = table.shape
    width = 0.7 if stacked else 0.84 / columns
    below = numpy.zeros(rows)
    for i, column in enumerate(table.columns):
        values = table[column].to_numpy(float)
        places = numpy.arange(rows) + (0 if stacked else -0.42 + width * (i + 0.5))
        axes.bar(places, values, width, bottom=below if stacked else None, label=label(column), color=PALETTE[i % 8],
                 hatch=_other(HATCHES, i) if columns > 1 else "", edgecolor="white", linewidth=0.3)
        if stacked:
            below = below + numpy.nan_to_num(values)


def _draw_lines(axes: Axes, table: pandas.DataFrame, summary: bool = False) -> None:
    along = len(table) - summary
    for i, column in enumerate(table.columns):
        values = table[column].to_numpy(float)
        look = {"color": PALETTE[i % 8], "marker": _other(MARKERS, i), "markersize": 4}
        axes.plot(range(along), values[:along], label=label(column), linestyle=_other(DASHES, i), linewidth=1.4, **look)
        if summary:
            axes.plot([along], values[along:], linestyle="none", **look)


def bars(table: pandas.DataFrame, value: str, *, one: float | None = None, stacked: bool = False,
         summary: bool = False, legend: str | None = None) -> Figure:
    """A group of bars a row and a bar a column, or a stack of them a row.

    `value`: the axis, with its unit. `one`: a line at this height, as of a baseline. `summary`: the last row is a mean of
    the others and stands apart. `legend`: what the columns are.
    """
    _check(table)
    rows, columns = table.shape
    place = 0.42 if stacked else 0.2 * (columns + 1)
    figure = Figure(figsize=(max(4.5, 1.2 + place * rows), 3.8), layout="constrained")
    axes = figure.subplots()
    _draw_bars(axes, table, stacked)
    if one is not None:
        axes.axhline(one, color="#444444", linewidth=0.8)
    if summary and rows > 1:
        axes.axvline(rows - 1.5, color="#444444", linewidth=0.8, linestyle=":")
    axes.margins(x=0.01)
    _row_names(axes, table)
    axes.set_ylabel(textwrap.fill(value, 44))
    _style(axes)
    _legend_above(axes, [label(column) for column in table.columns], legend)
    return figure


def lines(table: pandas.DataFrame, across: str, value: str, *, summary: bool = False, legend: str | None = None) -> Figure:
    """A line a column over the values of the index, evenly spaced. `across` and `value`: the axes, with their units.
    `summary`: the last row is no point of the lines and stands apart. `legend`: what the columns are."""
    _check(table)
    figure = Figure(figsize=(5.6, 4), layout="constrained")
    axes = figure.subplots()
    _draw_lines(axes, table, summary)
    axes.set_ylim(bottom=0)
    _row_names(axes, table)
    axes.set_xlabel(across)
    axes.set_ylabel(textwrap.fill(value, 44))
    _style(axes)
    _legend_above(axes, [label(column) for column in table.columns], legend)
    return figure


def panels(tables: Mapping[str, pandas.DataFrame], across: str, value: str, *, kind: str = "lines",
           one: float | None = None, wide: int = 4) -> Figure:
    """Small figures side by side, `wide` in a row, with the same axes and one legend: a table each, by its title.

    `kind`: "lines", "bars" or "stacked", with `across`, `value` and `one` as for lines() and bars().
    """
    if kind not in ("lines", "bars", "stacked"):
        raise ValueError(f"kind: expected 'lines', 'bars' or 'stacked', found {kind!r}")
    if not tables or wide < 1:
        raise ValueError(f"expected at least one table, and one or more in a row, found {len(tables)} and wide={wide}")
    for table in tables.values():
        _check(table)
    wide = min(wide, len(tables))
    rows = -(-len(tables) // wide)
    figure = Figure(figsize=(max(4.5, 2.5 * wide + 0.4), 2.2 * rows + 0.5), layout="constrained")
    grid = figure.add_gridspec(rows + 1, wide, height_ratios=[0.12] + [1] * rows)
    first: Axes | None = None
    for number, (title, table) in enumerate(tables.items()):
        axes = figure.add_subplot(grid[1 + number // wide, number % wide], sharex=first, sharey=first)
        first = first or axes
        if kind == "lines":
            _draw_lines(axes, table)
        else:
            _draw_bars(axes, table, kind == "stacked")
        if one is not None:
            axes.axhline(one, color="#444444", linewidth=0.8)
        axes.set_title(title, fontsize=9)
        axes.set_xticks(range(len(table)), [label(name) for name in table.index])
        axes.tick_params(labelsize=8, labelleft=number % wide == 0, labelbottom=number + wide >= len(tables))
        _style(axes)
    first.set_ylim(bottom=0)  # of all, after all are drawn
    figure.supxlabel(across, fontsize=10)
    figure.supylabel(textwrap.fill(value, 46), fontsize=10)
    top = figure.add_subplot(grid[0, :])
    top.set_axis_off()
    handles, names = first.get_legend_handles_labels()
    width, height = figure.get_size_inches()
    ncols = min(6, _names_in_a_row(names, width))
    figure.set_size_inches(width, height + 0.17 * (-(-len(names) // ncols) - 1))
    top.legend(handles, names, frameon=False, fontsize=8, ncols=ncols, loc="center")
    return figure


def image(picture: numpy.ndarray, title: str = "") -> Figure:
    """A picture, as [row, column, colour]: see Frame.image() and Results.image()."""
    if not isinstance(picture, numpy.ndarray):
        raise TypeError(f"picture: expected what Frame.image() gives, found {type(picture).__name__}")
    height, width = picture.shape[:2]
    figure = Figure(figsize=(6, 6 * height / width + 0.3), layout="constrained")
    axes = figure.subplots()
    axes.imshow(picture)
    axes.set_axis_off()
    axes.set_title(title, fontsize=9)
    return figure


def heat_map(values, picture: numpy.ndarray | None = None, title: str = "") -> Figure:
    """What tessera.tile_map() gives, with a scale of colours and its unit; beside the picture of the frame, if given.

    `values` is an xarray.DataArray [y, x] of tiles with coordinates in pixels and attributes long_name, units, tile.
    """
    if "tile" not in getattr(values, "attrs", {}):
        raise TypeError(f"values: expected what tessera.tile_map() gives, found {type(values).__name__}")
    tile = values.attrs["tile"]
    width, height = values.attrs["width"], values.attrs["height"]
    columns = 1 if picture is None else 2
    figure = Figure(figsize=(5.4 * columns + 0.9, 5.4 * height / width + 0.6), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False)[0]
    if picture is not None:
        axes[0].imshow(picture, extent=(0, width, height, 0))
    down, right = values.shape
    drawn = axes[-1].imshow(values.to_numpy(), extent=(0, right * tile, down * tile, 0), cmap="viridis", vmin=0)
    scale = figure.colorbar(drawn, ax=axes[-1], fraction=0.04, pad=0.02)
    unit = values.attrs["units"]
    scale.set_label(textwrap.fill(values.attrs["long_name"] + ("" if unit == "1" else f" ({unit})"), 44), fontsize=9)
    for part in axes:
        part.set_xlim(0, width)
        part.set_ylim(height, 0)
        part.set_xlabel("x (pixel)")
        part.tick_params(labelsize=8)
    axes[0].set_ylabel("y (pixel)")
    figure.suptitle(title, fontsize=10)
    return figure


def owners(table: pandas.DataFrame, title: str = "") -> Figure:
    """What tessera.textures.owners() gives: epochs from left to right, buckets from top to bottom, the colour is the core
    that owns it; white: nobody."""
    _check(table)
    values = table.T.astype("Float64").to_numpy(dtype=float, na_value=numpy.nan)
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    drawn = axes.imshow(values, aspect="auto", interpolation="nearest", cmap="viridis")
    scale = figure.colorbar(drawn, ax=axes, fraction=0.04, pad=0.02)
    scale.set_label("core that owns the bucket", fontsize=9)
    axes.set_xlabel("epoch of the frame")
    axes.set_ylabel("bucket of pages")
    axes.set_title(title, fontsize=10)
    return figure
