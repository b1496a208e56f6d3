"""The energy page of paper 004."""

import os
import pathlib
import shutil
import subprocess

import pandas
import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "experiments/papers/004/energy.py"


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
