"""Percentiles and means of histograms of results.h5, which are counts with the least value of each bin as a coordinate."""

import numpy
import xarray


def bin_axis(counts: xarray.DataArray) -> str:
    """Name of the dimension that holds the bins. Raises ValueError if this is no histogram."""
    axis = counts.attrs.get("bin_axis")
    if axis not in counts.dims:
        raise ValueError(f"{counts.name}: is no histogram")
    return axis


def percentiles(counts: xarray.DataArray, q=(50, 95, 99)) -> xarray.DataArray:
    """The values below which q percent of those counted lie, with the dimension `percentile` in place of the bins.

    Values are integers. Of the n values of a bin from `low` to `high` (both included; the next bin begins at high + 1)
    the k-th is taken to be low + (high - low) * (k - 1/2) / n, so a bin of one value gives that value exactly. The last
    bin has no end: a percentile that lies in it is `low`, which is then a lower bound. NaN where nothing was counted.
    The value at percent p is the k-th of all n values, k = ceil(n * p / 100), and the first one at p = 0.
    """
    axis = bin_axis(counts)
    low = counts[axis].values.astype(float)
    high = numpy.append(low[1:] - 1, low[-1])
    wanted = numpy.atleast_1d(numpy.asarray(q, dtype=float))
    if not ((wanted >= 0) & (wanted <= 100)).all():
        raise ValueError(f"percentiles are from 0 to 100, found {q}")

    def of_row(row):
        up_to = numpy.cumsum(row.astype(float))
        if up_to[-1] == 0:
            return numpy.full(len(wanted), numpy.nan)
        number = numpy.maximum(numpy.ceil(up_to[-1] * wanted / 100), 1)
        place = numpy.searchsorted(up_to, number)
        before = up_to[place] - row[place]
        return low[place] + (high[place] - low[place]) * (number - before - 0.5) / row[place]

    result = xarray.apply_ufunc(
        of_row, counts, input_core_dims=[[axis]], output_core_dims=[["percentile"]], vectorize=True
    )
    return result.assign_coords(percentile=wanted).assign_attrs(
        units=counts.attrs.get("bin_units", "1"), long_name=f"percentiles: {counts.attrs.get('long_name', '')}"
    )
