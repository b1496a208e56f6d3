"""What all pages of experiments/papers use, by hand."""

import math

import pandas
import pytest

from tessera import papers


def test_the_interval_of_a_mean_is_that_of_student():
    assert papers.confidence(pandas.Series([1.0, 2.0, 3.0])) == pytest.approx(4.303 / 3**0.5)
    assert papers.confidence(pandas.Series([1.0, float("nan"), 3.0])) == pytest.approx(12.706 * 2**0.5 / 2**0.5)
    for count, quantile in ((11, 2.22814), (13, 2.17881), (31, 2.04227), (121, 1.97993)):
        values = pandas.Series([float(number) for number in range(count)])
        assert papers.confidence(values) == pytest.approx(quantile * values.std() / count**0.5, rel=1e-4)


def test_one_value_has_no_interval():
    assert math.isnan(papers.confidence(pandas.Series([1.0])))
