"""results.h5 opens in h5py, pandas and xarray with named dimensions and units, and in the package with ratios."""

import os
import subprocess

import h5py
import numpy
import pandas
import pytest
import xarray

import tessera
from tessera import textures


def test_h5py_finds_dimensions_units_and_provenance(sample):
    with h5py.File(sample.results / "results.h5", "r") as file:
        hits = file["l2_slice/hits"]
        assert hits.shape == (3, 8)
        assert hits.dtype == numpy.uint64
        assert hits.fillvalue == 2**64 - 1
        assert hits.fletcher32
        assert hits.attrs["units"] == "1"
        assert hits.attrs["long_name"]
        assert hits.dims[0][0].name == "/l2_slice/frame"
        assert hits.dims[1][0].name == "/l2_slice/l2_slice"
        assert file.attrs["status"] == "complete"
        assert file.attrs["frames_committed"] == 3
        provenance = dict(file["provenance"].attrs)
        assert "[texture_cache]" in provenance["resolved_toml"]
        assert "bifrost32" in provenance["command_line"]
        assert {"git_version", "compiler", "host", "ranks", "partition", "config_toml", "libraries"} <= set(provenance)


def test_xarray_finds_names_and_units(sample):
    with xarray.open_dataset(sample.results / "results.h5", engine="h5netcdf", group="fragment_processor") as cores:
        assert dict(cores.sizes) == {"frame": 3, "fragment_processor": 32}
        assert cores.cycles_issue.attrs["units"] == "cycle"
        assert cores.warp_instructions.dtype == numpy.uint64
    with xarray.open_dataset(sample.results / "results.h5", engine="h5netcdf", group="performance") as performance:
        assert performance.work_seconds.dims == ("frame", "worker")
        assert performance.attrs["cycles_per_second"] > 0


def test_every_group_opens_in_xarray(sample):
    with h5py.File(sample.results / "results.h5", "r") as file:
        groups = [name for name in file if name != "provenance"]
    assert {"frames", "workloads", "performance", "l2_slice", "vertex_processor"} <= set(groups)
    for group in groups:
        with xarray.open_dataset(sample.results / "results.h5", engine="h5netcdf", group=group) as dataset:
            for name, variable in dataset.variables.items():
                assert variable.dims, f"{group}/{name} has no named dimension"


def test_the_package_reads_what_xarray_reads(sample):
    results = tessera.open(sample.observed)
    groups = ["frames", "workloads", "performance", "determinism", "texture_cache", "raster", "series/dram_bandwidth"]
    for group in groups:
        with xarray.open_dataset(sample.observed / "results.h5", engine="h5netcdf", group=group) as dataset:
            xarray.testing.assert_identical(results[group], dataset)
            assert all(results[group][name].dtype == dataset[name].dtype for name in dataset.variables)


def test_a_counter_is_read_without_the_others_of_its_kind(sample, monkeypatch):
    whole, part = tessera.open(sample.observed), tessera.open(sample.observed)
    kinds = ["raster", "l2_slice", "dram_channel"]
    expected = {(kind, name): whole[kind][name] for kind in kinds for name in list(whole[kind].data_vars)[::5]}
    monkeypatch.setattr(tessera.Results, "__getitem__", lambda results, group: pytest.fail(f"{group} was read"))
    for (kind, name), counter in expected.items():
        xarray.testing.assert_identical(part.counter(kind, name), counter)
    assert part.hit_rate("l2_slice").dims == ("frame", "l2_slice")
    assert part.dram_bytes().dims == ("frame",)


def test_hashes_of_consumed_messages_have_names_and_times(sample):
    hashes = tessera.open(sample.results).determinism
    assert hashes.samples.dims == ("epoch", "process")
    assert hashes.samples.dtype == numpy.uint64
    assert hashes.final_hash.dims == ("workload", "process")
    assert "geometry" in hashes.process_name.values
    assert len(set(hashes.process_name.values)) == hashes.sizes["process"]
    assert hashes.attrs["tie_seed"] == 0
    ends = hashes.epoch_end.values
    assert (numpy.diff(ends) == ends[0]).all()
    assert ends[0] % hashes.window.values[0] == 0
    frames = tessera.open(sample.results).frames
    assert ends[-2] <= frames.end_time.values[-1] < ends[-1]
    assert (hashes.samples.values[-1] == hashes.final_hash.values[0]).all()
    assert tessera.open(sample.results).messages is None


def test_logged_messages_are_a_table(sample, tmp_path):
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", tmp_path, "--threads", "2"]
        + ["--log-messages", "100:1000"],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    results = tessera.open(tmp_path)
    messages = results.messages
    assert messages.attrs["complete"] == 1
    assert messages.sizes["message"] > 10
    assert messages.payload.dims == ("message", "byte")
    assert (numpy.diff(messages.time.values) >= 0).all()
    assert messages.time.values[0] >= 100 and messages.time.values[-1] < 1000
    ports = messages.port_name.values
    assert ports[messages["to"].values[0]].split(".")[0] in results.determinism.process_name.values
    table = messages[["time", "from", "to", "sender", "position", "size"]].to_dataframe()
    assert len(table) == messages.sizes["message"]


def test_pandas_gets_a_table_by_frame_and_processor(sample):
    table = tessera.open(sample.results)["l2_slice"].to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert table.index.names == ["frame", "l2_slice"]
    assert len(table) == 3 * 8


def test_the_package_gives_counters_and_ratios(sample):
    results = tessera.open(sample.results)
    assert results.status == "complete"
    assert results.frames.number.values.tolist() == [4, 5, 6]
    assert results.ipc().dims == ("frame", "fragment_processor")
    assert results.ipc().attrs["units"] == "1"
    for rate in (results.hit_rate(), results.hit_rate("l2_slice")):
        values = rate.values[~numpy.isnan(rate.values)]
        assert ((values >= 0) & (values <= 1)).all()
    cycles = results.frames.cycles.values
    instructions = results["fragment_processor"].warp_instructions.sum("fragment_processor").values
    numpy.testing.assert_allclose(results.ipc().sum("fragment_processor").values, instructions / cycles)
    assert (results.dram_bytes().values % 64 == 0).all()
    assert (results.seconds().values > 0).all()
    assert results.image_path(1).exists()


def test_the_digest_is_the_programs(sample):
    printed = subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "digest", sample.results], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    assert tessera.open(sample.results).digest == printed.strip()


def test_names_and_positions_that_are_not_there_are_refused_with_those_that_are(sample):
    results = tessera.open(sample.results)
    expected = "expected a kind of unit or another group, one of .*; found 'l2slice', did you mean 'l2_slice'"
    with pytest.raises(KeyError, match=expected):
        results["l2slice"]
    with pytest.raises(KeyError, match="expected a counter of raster, one of .*; found 'requests'"):
        results.hit_rate("raster")
    with pytest.raises(KeyError, match="expected a counter of raster, one of .*; found 'warp_instructions'"):
        results.ipc("raster")
    with pytest.raises(KeyError, match="expected a counter of l2_slice.*did you mean 'hits'"):
        results.percentiles("l2_slice", "hitss")
    for call in (results.image, results.image_path):
        with pytest.raises(IndexError, match="frame: expected a position, found 3; there are 3, at 0 to 2"):
            call(3)


def test_frames_to_leave_out_are_fewer_than_there_are(sample):
    results = tessera.open(sample.results)
    assert textures.shares(results, after=2).accesses == 1
    for after in (4, -1):
        for of in (textures.shares, textures.way):
            with pytest.raises(ValueError, match=f"leave out 0 to 3 of its 3 frames, found {after}"):
                of(results, after=after)
