"""Figures: axes with units, a legend where there is something to tell apart, files in every format."""

import io

import pandas
import pytest

pytest.importorskip("matplotlib")
from tessera import figures  # noqa: E402

TABLE = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, float("nan")]}, index=[1, 2, 4])


def test_lines_differ_in_colour_marker_and_dashes():
    axes = figures.lines(TABLE, "banks", "cycles").axes[0]
    drawn = axes.get_lines()
    assert len(drawn) == 2 and axes.get_legend() is not None
    for property in ("get_color", "get_marker", "get_linestyle"):
        assert getattr(drawn[0], property)() != getattr(drawn[1], property)()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("banks", "cycles")
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "4"]


def test_more_series_than_colours_are_told_apart_all_the_same():
    many = pandas.DataFrame({str(i): [1.0, 2.0] for i in range(20)})
    lines = figures.lines(many, "banks", "cycles").axes[0].get_lines()
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 20
    bars = figures.bars(many, "IPC").axes[0].patches
    assert len({(bar.get_facecolor(), bar.get_hatch()) for bar in bars}) == 20


def test_a_row_that_stands_apart_is_no_point_of_the_lines():
    drawn = figures.lines(TABLE, "banks", "cycles", summary=True).axes[0].get_lines()
    assert [list(line.get_xdata()) for line in drawn] == [[0, 1], [2]] * 2
    assert drawn[1].get_linestyle() == "None"


def test_legends_stay_inside_the_figure():
    table = pandas.DataFrame({f"an application {n}": TABLE.a for n in range(8)})
    for figure in (figures.lines(table, "banks", "cycles"), figures.bars(table.T, "cycles"), figures.bars(table, "cycles")):
        figure.savefig(io.BytesIO())
        for axes in figure.axes:
            if axes.get_legend():
                box = axes.get_legend().get_window_extent()
                assert box.x0 >= 0 and box.x1 <= figure.bbox.x1


def test_a_stack_is_as_high_as_its_sum():
    axes = figures.bars(TABLE, "share (%)", stacked=True).axes[0]
    assert max(bar.get_y() + bar.get_height() for bar in axes.patches if bar.get_height() == bar.get_height()) == 3
    assert figures.bars(TABLE[["a"]], "IPC").axes[0].get_legend() is None


def test_panels_share_axes_and_have_one_legend():
    figure = figures.panels({f"app {n}": TABLE * (n + 1) for n in range(5)}, "banks", "IPC", wide=3)
    drawn = [axes for axes in figure.axes if axes.get_title()]
    assert [axes.get_title() for axes in drawn] == [f"app {n}" for n in range(5)]
    assert all(axes.get_ylim() == drawn[0].get_ylim() for axes in drawn)
    assert drawn[0].get_ylim()[0] == 0 and drawn[0].get_ylim()[1] >= 15
    assert len([axes for axes in figure.axes if axes.get_legend()]) == 1


def test_a_figure_is_written_with_its_numbers(tmp_path):
    for kind in ("lines", "bars", "stacked"):
        figures.write(figures.panels({"one": TABLE}, "banks", "IPC", kind=kind, one=1.0), TABLE, tmp_path, kind)
        assert pandas.read_csv(tmp_path / f"{kind}.csv", index_col=0).equals(TABLE)
        assert (tmp_path / f"{kind}.svg").read_text().startswith("<?xml")
        assert (tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_refused():
    table = pandas.DataFrame({"a": [1.0, 2.0]})
    for draw in (figures.bars, lambda table, value: figures.lines(table, "x", value),
                 lambda table, value: figures.panels({"one": table}, "x", value)):
        with pytest.raises(ValueError, match="expected a table with rows and columns, found 0 rows and 1 columns"):
            draw(table[:0], "y")
    with pytest.raises(ValueError, match="expected at least one table"):
        figures.panels({}, "x", "y")
    with pytest.raises(ValueError, match="kind: expected 'lines', 'bars' or 'stacked', found 'bar'"):
        figures.panels({"one": table}, "x", "y", kind="bar")


@pytest.mark.filterwarnings("error")
def test_one_panel_has_room_for_a_long_legend(tmp_path):
    places = ["own cache", "in flight", "other core", "L2 cache", "memory"]
    policies = ["private", "S-NUCA", "D-NUCA", "DTM-NUCA", "DTM-NUCA-Dist"]
    table = pandas.DataFrame(20.0, index=policies, columns=places)
    figure = figures.panels({"game": table}, "policy", "accesses to textures (%)", kind="stacked")
    figures.write(figure, table, tmp_path, "figure")  # matplotlib warns where the axes have no room
