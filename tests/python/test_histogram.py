"""Percentiles of histograms against those of the values themselves."""

import numpy
import pytest
import xarray

from tessera import histogram


def counts_of(values, edges):
    """As results.h5 has them."""
    bins = numpy.searchsorted(edges, values, side="right") - 1
    return xarray.DataArray(
        numpy.bincount(bins, minlength=len(edges)).astype(numpy.uint64),
        dims=["latency_bin"],
        coords={"latency_bin": edges},
        attrs={"bin_axis": "latency_bin", "bin_units": "cycle", "long_name": "time"},
        name="latency",
    )


def test_a_bin_of_one_value_gives_it_exactly():
    values = numpy.array([3, 3, 4, 7, 7, 7, 7, 9])
    found = histogram.percentiles(counts_of(values, numpy.arange(12)), (0, 25, 26, 50, 100))
    assert found.values.tolist() == [3, 3, 4, 7, 9]
    assert found.percentile.values.tolist() == [0, 25, 26, 50, 100]
    assert found.attrs["units"] == "cycle"


def test_within_a_bin_they_are_interpolated_and_never_leave_it():
    values = numpy.random.default_rng(1).gamma(4, 30, 20_000).astype(int)
    edges = numpy.array(list(range(16)) + [2**e * (8 + i) // 8 for e in range(4, 14) for i in range(8)] + [2**14])
    found = histogram.percentiles(counts_of(values, edges), (50, 95, 99))
    exact = numpy.percentile(values, (50, 95, 99), method="inverted_cdf")
    numpy.testing.assert_allclose(found.values, exact, rtol=0.02)


def test_the_last_bin_gives_its_beginning_and_nothing_gives_nan():
    edges = numpy.array([0, 1, 2, 4])
    assert histogram.percentiles(counts_of(numpy.array([1000]), edges), 50).values.tolist() == [4]
    nothing = counts_of(numpy.array([1]), edges) * 0
    nothing.attrs = counts_of(numpy.array([1]), edges).attrs
    assert numpy.isnan(histogram.percentiles(nothing).values).all()


def test_what_is_no_histogram_is_refused():
    with pytest.raises(ValueError, match="is no histogram"):
        histogram.percentiles(xarray.DataArray([1, 2], dims=["frame"], name="hits"))
    with pytest.raises(ValueError, match="from 0 to 100"):
        histogram.percentiles(counts_of(numpy.array([1]), numpy.arange(3)), 101)
