"""The figures and the page of paper 002, of few points."""

import pathlib
import subprocess

import pandas
import pytest

import paper_page
from tessera import papers

SCRIPT = pathlib.Path(__file__).parents[2] / "experiments/papers/002/run.sh"
FIGURES = [f"4.{n}" for n in range(1, 11)] + [f"5.{n}" for n in range(1, 6)] + ["display"]


@pytest.fixture(scope="module")
def output(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper") / "002"
    assert paper_page.make(SCRIPT, folder, sample.graphics).count("done ") > 0
    return folder


def test_every_figure_is_drawn_and_on_the_page(output):
    paper_page.expect_figures(output, FIGURES)


def test_every_claim_is_on_the_page_with_what_was_measured(output):
    page = paper_page.expect_claims(output, "002", 9)
    assert "nan" not in page
    assert "minutes of one core" in page


def test_figures_have_the_numbers_of_the_sweep(output):
    banks = pandas.read_csv(output / "banks.csv")
    drawn = pandas.read_csv(output / "figure_4.6.csv", index_col=0)
    shift = banks[banks["fragment_processor.collector.bank_hash"] == "warp_shift"]
    for count, ipc in drawn.graphics.items():
        assert shift.ipc[shift["fragment_processor.collector.banks"] == count].item() == pytest.approx(ipc)
    shares = pandas.read_csv(output / "figure_5.2.csv", index_col=[0, 1])
    assert shares.sum().tolist() == pytest.approx([100 if shift.operands.max() > 0 else 0] * 2)
    limit = pandas.read_csv(output / "figure_4.10.csv", index_col=0)
    assert (limit.graphics.iloc[:-1] >= limit.graphics["limit"] - 1e-9).all()


def test_verdicts():
    claim = papers.published("002").loc["core.warp_shift_ipc"]
    assert papers.verdict(claim, papers.Finding(0.2, True, [])) == "holds"
    assert papers.verdict(claim, papers.Finding(0.05, True, [])) == "holds in sign only"
    assert papers.verdict(claim, papers.Finding(-0.05, False, [])) == "differs"


def test_a_trace_that_is_not_there_is_told(tmp_path):
    end = subprocess.run([SCRIPT, "-o", tmp_path / "x", "none.h5"], capture_output=True, text=True)
    assert end.returncode == 1
    assert end.stderr == "error: no trace none.h5\n"
