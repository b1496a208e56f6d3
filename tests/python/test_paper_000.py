"""The figures and the page of paper 000, of few points; the study of sources by hand."""

import importlib.util
import os
import pathlib
import subprocess

import pandas
import pytest

from tessera import papers

FOLDER = pathlib.Path(__file__).parents[2] / "experiments/papers/000"


def module(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def output(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper") / "000"
    environment = {**os.environ, "TESSERA": os.environ["TESSERA_PROGRAM"]}
    for _ in range(2):  # the second time nothing is run again
        command = [FOLDER / "run.sh", "-o", folder, "--quick", "--jobs", "2", sample.graphics]
        end = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert end.returncode == 0, end.stderr
    assert end.stdout.count("done ") == 0
    return folder


def test_every_figure_is_drawn_and_on_the_page(output):
    page = (output / "page.md").read_text()
    for number in range(6, 14):
        for ending in ("svg", "png", "csv"):
            assert (output / f"figure_{number}.{ending}").stat().st_size > 0
        assert f"(figure_{number}.svg)" in page


def test_every_claim_is_on_the_page_with_what_was_measured(output):
    page = (output / "page.md").read_text()
    claims = papers.published("000")
    assert len(claims) == 20
    for name, claim in claims.iterrows():
        assert f"| `{name}`: {claim.metric} | {claim['where']} | {float(claim.value):g} {claim.unit} |" in page
        assert f"### `{name}`: " in page


def test_figures_have_the_numbers_of_the_sweep(output):
    schemes = pandas.read_csv(output / "schemes.csv").set_index("scheme")
    drawn = pandas.read_csv(output / "figure_6.csv", index_col=0)
    for scheme in ("none", "access/execute", "perfect"):
        assert drawn[scheme]["graphics"] == pytest.approx(schemes.cycles["GHB"] / schemes.cycles[scheme])


def test_sources_of_a_sequence_by_hand():
    study = module("sources").study
    # Block 8 for processor 0; for 1, which finds it there; for 1 again; a block that nobody has.
    found = study([8, 8, 8, 9], [0, 1, 1, 2])
    assert found == {"requests": 4, "miss_share": 3 / 4, "held_elsewhere": 1 / 3, "found_by_queue": 1 / 3,
                     "predictions_right": 1.0}


def test_sources_are_forgotten_with_their_entries():
    sources = module("sources")
    others = list(range(100, 100 + sources.ENTRIES - 1))
    assert sources.study([8, *others, 8], [0] * sources.ENTRIES + [1])["found_by_queue"] > 0
    found = sources.study([8, *others, sources.PIXELS, 8], [0] * (sources.ENTRIES + 1) + [1])
    assert found["found_by_queue"] == 0 and found["held_elsewhere"] > 0


def test_low_bits_that_are_equal_deceive():
    found = module("sources").study([0x1005, 0x2005], [0, 1])
    assert found["predictions_right"] == 0 and found["held_elsewhere"] == 0
