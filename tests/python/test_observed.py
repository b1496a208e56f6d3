"""What a run observes besides counters: histograms, DRAM traffic over time and replication agree with its counters."""

import numpy
import pytest
import xarray

import tessera


def test_observation_changes_no_counter(sample):
    plain, observed = tessera.open(sample.results), tessera.open(sample.observed)
    assert (plain.frames.cycles.values == observed.frames.cycles.values).all()
    assert plain.kinds == observed.kinds
    for kind in plain.kinds:
        for name, counter in plain[kind].data_vars.items():
            assert (counter.values == observed[kind][name].values).all(), f"{kind}.{name}"


def test_histograms_have_bins_units_and_as_many_values_as_there_were_events(sample):
    results = tessera.open(sample.observed)
    caches = results["texture_cache"]
    assert caches.fill_latency.dims == ("frame", "texture_cache", "latency_bin")
    assert caches.fill_latency.attrs["bin_units"] == "cycle"
    assert caches.latency_bin.attrs["units"] == "cycle"
    assert caches.latency_bin.values[:3].tolist() == [0, 1, 2]
    assert (caches.fill_latency.sum("latency_bin") == caches.fills).all()
    assert (caches.mshrs_used.sum("mshrs_bin") == caches.accesses).all()
    latency = results.percentiles("l2_slice", "miss_latency_texture")
    assert latency.dims == ("frame", "percentile")
    assert latency.attrs["units"] == "cycle"
    p50, p95, p99 = latency.values[0]
    assert 0 < p50 <= p95 <= p99
    by_slice = results.percentiles("l2_slice", "miss_latency_texture", 50, over=[])
    assert by_slice.dims == ("frame", "l2_slice", "percentile")


def test_dram_traffic_over_time_adds_up_to_the_counters(sample, tmp_path):
    results = tessera.open(sample.observed)
    rates = results.dram_bandwidth()
    assert rates.read.dims == ("interval", "dram_channel")
    assert rates.read.attrs["units"] == "byte/s"
    moved = (rates * rates.seconds).groupby(rates.frame).sum("interval")
    for direction in ("read", "written"):
        counted = results["dram_channel"][f"bytes_{direction}"].values
        numpy.testing.assert_allclose(moved[direction].values, counted)
    assert (numpy.diff(rates.time.values) > 0).all()
    figure = results.plot_dram_bandwidth()
    end = rates.time.values[-1] + rates.seconds.values[-1]
    assert figure.axes[0].get_xlim()[1] == pytest.approx(end * 1e3)  # the last interval is drawn as well
    figure.savefig(tmp_path / "dram.png")
    assert (tmp_path / "dram.png").stat().st_size > 1000


def test_replication_is_a_share_and_its_lookups_are_the_caches(sample):
    results = tessera.open(sample.observed)
    census = results["series/texture_replication"]
    assert census.lookups.sum() == results["texture_cache"].accesses.sum()
    found = results.replication()
    for name in ("lookups_replicated", "lines_replicated", "copies_replicated"):
        assert ((found[name] >= 0) & (found[name] <= 1)).all()
    assert ((found.sharers >= 1) & (found.sharers <= 32)).all()
    assert isinstance(found, xarray.Dataset)


def test_what_was_not_observed_is_named(sample):
    results = tessera.open(sample.results)
    assert results.series == []
    with pytest.raises(ValueError, match="observe.bandwidth_every"):
        results.dram_bandwidth()
    with pytest.raises(ValueError, match="observe.census_every"):
        results.replication()
    with pytest.raises(ValueError, match="observe.pipeline_cores"):
        results.instructions()
