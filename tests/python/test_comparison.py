"""Two runs beside each other, and speed-ups."""

import os
import subprocess

import numpy
import pytest

import tessera
from tessera import figures


@pytest.fixture(scope="module")
def slower(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("slower") / "out"
    subprocess.run([os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", folder, "--set",
                    "l2.latency=300", "--set", "network.kind=crossbar"], check=True, capture_output=True)
    return folder


def test_a_run_does_not_differ_from_itself(sample):
    table = tessera.compare(sample.results, tessera.open(sample.results))
    assert (table.difference == 0).all()
    assert table.loc[("frames", "cycles")].a == tessera.open(sample.results).frames.cycles.sum()


def test_differences_are_those_of_the_counters_the_largest_first(sample, slower):
    a, b = tessera.open(sample.results), tessera.open(slower)
    table = tessera.compare(a, b)
    row = table.loc[("l2_slice", "hits")]
    assert (row.a, row.b) == (int(a["l2_slice"].hits.sum()), int(b["l2_slice"].hits.sum()))
    cycles = table.loc[("frames", "cycles")]
    assert cycles.difference == int(b.frames.cycles.sum()) - int(a.frames.cycles.sum()) > 0
    assert cycles.ratio == pytest.approx(cycles.b / cycles.a) and cycles.units == "cycle"
    relative = (table.difference.abs() / table[["a", "b"]].max(axis=1).replace(0, numpy.nan)).fillna(0)
    assert (numpy.diff(relative) <= 1e-12).all()
    assert table.loc["request_bus"].b.isna().all() and table.loc["request_crossbar"].a.isna().all()


def test_units_add_up_to_their_kind(sample, slower):
    whole = tessera.compare(sample.results, slower)
    units = tessera.compare(sample.results, slower, by_unit=True)
    of_kind = units.loc["l2_slice"].xs("hits", level="counter")
    assert len(of_kind) == 8
    assert of_kind.a.sum() == whole.loc[("l2_slice", "hits")].a


def test_histograms_are_left_out(sample):
    table = tessera.compare(sample.results, sample.observed)
    assert (table.difference.dropna() == 0).all()  # NaN: counters that only the other run observed
    assert not any("latency_bin" in counter or counter == "fill_latency" for _, counter in table.index)


def test_runs_of_other_frames_are_refused(sample, tmp_path):
    subprocess.run([os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", tmp_path / "x", "--frames",
                    "5"], check=True, capture_output=True)
    with pytest.raises(ValueError, match="runs of other frames cannot be compared"):
        tessera.compare(sample.results, tmp_path / "x")


def test_runs_of_other_traces_with_the_same_name_are_refused(sample, slower):
    other = tessera.open(slower)
    other.workloads["trace_digest"] = other.workloads.trace_digest.copy(data=["0" * 32])
    with pytest.raises(ValueError, match="is another trace in"):
        tessera.compare(sample.results, other)
    with pytest.raises(ValueError, match="is another trace in"):
        tessera.speedups({"a": sample.results, "b": other}, baseline="a")


def test_speedups_are_of_simulated_time_with_their_geometric_mean(sample, slower, tmp_path):
    table = tessera.speedups({"bus": sample.results, "slow": slower}, baseline="bus")
    times = [float(tessera.open(run).seconds().sum()) for run in (sample.results, slower)]
    assert table["bus"].tolist() == [1, 1]
    assert table["slow"].iloc[0] == pytest.approx(times[0] / times[1])
    assert table.index[-1] == "geometric mean"
    assert table["slow"].iloc[-1] == pytest.approx(numpy.exp(numpy.log(table["slow"].iloc[:-1]).mean()))
    figures.write(figures.bars(table, "speed-up", one=1, summary=True), table, tmp_path, "speedups")
    assert {path.name for path in tmp_path.iterdir()} == {"speedups.svg", "speedups.png", "speedups.csv"}
    with pytest.raises(KeyError, match="expected the name of a run, one of bus; found .x."):
        tessera.speedups({"bus": sample.results}, baseline="x")
