"""Functions that want results or a frame trace take a path, too, and refuse anything else in a line."""

import functools

import numpy
import pytest

import tessera
from tessera import bottleneck, display, energy, figures, perfetto, replication, textures

OF_RESULTS = [bottleneck.unit_times, bottleneck.bottleneck, textures.places, textures.shares, textures.by_core, textures.way,
              functools.partial(textures.total, kind="l2_slice", counter="requests"), replication.row_of]


@pytest.mark.parametrize("function", OF_RESULTS, ids=str)
def test_paths_of_results_are_as_good_as_open_ones(sample, function):
    opened = function(tessera.open(sample.observed))
    for path in (sample.observed, str(sample.observed), sample.observed / "results.h5"):
        assert str(function(path)) == str(opened)
    with pytest.raises(TypeError, match="expected results of a run, or their path, found int"):
        function(3)


def test_paths_of_traces_are_as_good_as_open_ones(sample):
    with tessera.open_trace(sample.trace) as trace:
        numpy.testing.assert_array_equal(tessera.tile_map(str(sample.trace), 0), tessera.tile_map(trace, 0))
        assert len(trace) > 0  # is left open
    results = tessera.open(sample.results)
    for wrong in (lambda: tessera.tile_map(results, 0), lambda: results.programs(results)):
        with pytest.raises(TypeError, match="expected a frame trace, or its path, found Results"):
            wrong()


def test_instructions_are_exported_by_path(sample, tmp_path):
    opened = perfetto.export(tessera.open(sample.observed), tmp_path / "opened.json")
    assert perfetto.export(str(sample.observed), tmp_path / "path.json") == opened > 0


def test_files_are_no_tables(sample):
    path = str(sample.results)
    for wrong in (energy.by_component, energy.by_frame, energy.shares, energy.power,
                  lambda path: energy.bars({"run": path}, baseline="run")):
        with pytest.raises(TypeError, match="parts: expected what Results.energy.. gives, found str"):
            wrong(path)
    for wrong in (lambda table: figures.bars(table, "y"), lambda table: figures.lines(table, "x", "y"), figures.owners):
        with pytest.raises(TypeError, match="expected a table, a pandas.DataFrame, found str"):
            wrong(path)
    with pytest.raises(tessera.FileError, match="points.csv: expected the table of a sweep, found no such file"):
        tessera.open_sweep(path)


def test_files_are_no_pictures_and_no_maps(sample):
    for wrong in (figures.image, display.power):
        with pytest.raises(TypeError, match="picture: expected what Frame.image"):
            wrong(str(sample.trace))
    with pytest.raises(TypeError, match="values: expected what tessera.tile_map"):
        figures.heat_map(str(sample.trace))
