"""The figures and the pages of paper 004, of few points."""

import os
import pathlib
import shutil
import subprocess

import pandas
import pytest

import paper_page
from tessera import papers

SCRIPT = pathlib.Path(__file__).parents[2] / "experiments/papers/004/energy.py"
RUN = SCRIPT.with_name("run.sh")
FIGURES = ["1", "6", "7", "8", "9", "10", "11", "settings"]


@pytest.fixture(scope="module")
def output(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper") / "004"
    assert paper_page.make(RUN, folder, sample.graphics).count("done ") > 0
    return folder


def test_the_second_time_nothing_is_run_again(output, sample):
    assert paper_page.make(RUN, output, sample.graphics).count("done ") == 0


def test_every_figure_is_drawn_and_on_the_page(output):
    paper_page.expect_figures(output, FIGURES)


def test_every_claim_is_on_the_page_with_what_was_measured(output):
    page = paper_page.expect_claims(output, "004", 17)
    assert "nan" not in page


def test_figures_have_the_numbers_of_the_sweep(output):
    policies = pandas.read_csv(output / "policies.csv").set_index("home.policy")
    reads = pandas.read_csv(output / "figure_6.csv", index_col=0)
    speed = pandas.read_csv(output / "figure_9.csv", index_col=0)
    for policy, name in (("s_nuca", "S-NUCA"), ("d_nuca", "D-NUCA"), ("dtm_nuca", "DTM-NUCA")):
        found = reads.loc["graphics", name]
        assert found == pytest.approx(policies.l2_reads[policy] / policies.l2_reads["private"])
        found = speed.loc["graphics", name]
        assert found == pytest.approx(policies.measured_cycles["private"] / policies.measured_cycles[policy])
    places = pandas.read_csv(output / "figure_8.csv", index_col=[0, 1])
    assert places.sum(axis=1).tolist() == pytest.approx([100] * 5)
    parts = pandas.read_csv(output / "figure_10.csv", index_col=[0, 1])
    assert parts.loc[("graphics", "private")].sum() == pytest.approx(1)
    whole = pandas.read_csv(output / "figure_10_whole.csv", index_col=0)
    assert parts.loc[("graphics", "DTM-NUCA")].sum() == pytest.approx(whole.loc["graphics", "DTM-NUCA"])


def test_settings_are_beside_that_of_the_comparison(output):
    page = (output / "page.md").read_text()
    assert "| home.buckets | policy |" in page
    assert "| **32** | DTM-NUCA |" in page and "| 8 | DTM-NUCA |" in page


def test_a_mistake_is_told_in_a_line(tmp_path):
    for wrong, line in ((["none.h5"], "error: no trace none.h5\n"),
                        (["--warm-up", "-1"], "error: --warm-up: expected 0 or more frames, found -1\n")):
        end = subprocess.run([RUN, "-o", tmp_path / "x", *wrong], capture_output=True, text=True)
        assert (end.returncode, end.stderr) == (1, line)


def test_energy_is_set_beside_what_is_published(sample, tmp_path):
    pytest.importorskip("matplotlib")
    run, output = tmp_path / "game", tmp_path / "004"
    shutil.copytree(sample.results, run)
    subprocess.run([os.environ["TESSERA_PROGRAM"], "energy", run], check=True, stdout=subprocess.PIPE)
    subprocess.run(["/usr/bin/python3", SCRIPT, "-o", output, run], check=True)
    page = (output / "energy.md").read_text()
    assert "`nuca.fragment_power_share`" in page and "published 68.1 %" in page and "| game | " in page
    assert "nan" not in page
    table = pandas.read_csv(output / "energy_shares.csv").iloc[0]
    assert table.least_share <= table["fragment processors"] <= table.most_share
    assert (output / "energy_shares.png").stat().st_size > 0


def test_gains_are_compared_and_not_the_ratios_around_one():
    claim = papers.published("004").loc["nuca.speedup_dtm_dist"]
    assert papers.verdict(claim, papers.Finding(1.157, True, [])) == "holds"
    assert papers.verdict(claim, papers.Finding(1.08, True, [])) == "holds"
    assert papers.verdict(claim, papers.Finding(1.06, True, [])) == "holds in sign only"
    assert papers.verdict(claim, papers.Finding(0.95, False, [])) == "differs"
    slower = papers.published("004").loc["nuca.speedup_dnuca"]
    assert papers.verdict(slower, papers.Finding(0.8, True, [])) == "holds"
    assert papers.verdict(slower, papers.Finding(0.95, True, [])) == "holds in sign only"
