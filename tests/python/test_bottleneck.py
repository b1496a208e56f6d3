"""The table of what bounds a frame is that of the program, and its shares are those of the cycles counted."""

import os
import re
import subprocess

import h5py
import numpy
import pandas
import pytest

import tessera


@pytest.fixture(scope="module")
def printed(sample, tmp_path_factory):
    """The table as `tessera run` prints it: by kind, the columns after the name."""
    output = subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", tmp_path_factory.mktemp("again")]
        + ["--force"],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ).stdout
    lines = output.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("unit "))
    end = lines.index("", first)
    return {line.split()[0]: line.split(None, 1)[1] for line in lines[first + 1 : end]
}


def test_every_unit_has_states_that_add_up_to_its_cycles(sample):
    results = tessera.open(sample.results)
    times = results.unit_times()
    assert set(times.kind) == {
        "geometry",
        "raster",
        "colour",
        "vertex_processor",
        "vertex_processor_texture_unit",
        "fragment_processor",
        "fragment_processor_texture_unit",
        "request_bus",
        "response_bus",
        "l2_slice",
        "dram_channel",
    }
    assert set(times.activity) == {"busy", "starved", "blocked"}
    assert set(times.by_whom) <= set(times.kind) | {"", "frame", "requesters"}
    numpy.testing.assert_allclose(times.groupby(["frame", "kind", "unit"]).share.sum(), 1)
    gpu = times[times.kind != "dram_channel"].groupby(["frame", "kind", "unit"]).cycles.sum()
    for frame, cycles in enumerate(results.frames.cycles.values):
        assert set(gpu[frame]) <= {cycles - 1, cycles}  # the last one may not be over


def test_the_table_is_the_one_that_the_program_prints(sample, printed):
    table = tessera.open(sample.results).bottleneck()
    assert sorted(table.index) == sorted(printed)
    for kind, row in table.iterrows():
        shares = [float(share) for share in re.findall(r"([\d.]+) %", printed[kind])]
        assert int(printed[kind].split()[0]) == row.units
        assert shares == pytest.approx([100 * row[c] for c in ("busy", "busiest", "starved", "blocked")], abs=0.051)
        for by in (*row.starved_by, *row.blocked_by):
            if max(row.starved_by.get(by, 0), row.blocked_by.get(by, 0)) > 0.001:
                assert ("itself" if by == kind else by) in printed[kind]


def test_shares_are_those_of_the_file(sample):
    with h5py.File(sample.results / "results.h5", "r") as file:
        memory = file["dram_channel"]
        states = {name: memory[name][1] for name in memory if name.startswith("cycles_")}
        assert memory["cycles_idle"].attrs["class"] == "starved"
        assert memory["cycles_idle"].attrs["by_whom"] == "l2_slice"
    row = tessera.open(sample.results).bottleneck(frame=1).loc["dram_channel"]
    total = sum(cycles.sum() for cycles in states.values())
    assert row.busy == pytest.approx(states["cycles_transfer"].sum() / total)
    assert row.starved_by["l2_slice"] == pytest.approx(states["cycles_idle"].sum() / total)
    own = (states["cycles_transfer"] + states["cycles_waits_banks"]) / sum(states.values())
    assert row.busiest == pytest.approx(own.max())
    assert row.busiest_unit == own.argmax()
    assert row.busy + row.starved + row.blocked == pytest.approx(1)


def test_a_table_of_some_kinds_has_the_rows_of_the_whole_one(sample):
    results = tessera.open(sample.results)
    some = results.bottleneck(kinds=["raster", "l2_slice"])
    pandas.testing.assert_frame_equal(some, results.bottleneck().loc[["l2_slice", "raster"]], check_dtype=False)


def test_frames_and_kinds_that_are_not_there_are_refused(sample):
    results = tessera.open(sample.results)
    pandas.testing.assert_frame_equal(results.bottleneck(frame=-1), results.bottleneck(frame=2))
    pandas.testing.assert_frame_equal(results.bottleneck(kinds="raster"), results.bottleneck(kinds=["raster"]))
    for frame in (3, 99, -4):
        with pytest.raises(IndexError, match=f"frame: expected a position, found {frame}; there are 3, at 0 to 2"):
            results.bottleneck(frame=frame)
    with pytest.raises(TypeError):
        results.bottleneck(frame=1.5)
    with pytest.raises(KeyError, match="expected kinds of units, one of .*; found 'rastr', did you mean 'raster'"):
        results.bottleneck(kinds=["l2_slice", "rastr"])
