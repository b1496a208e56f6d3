"""The figures and the page of paper 002, of few points."""

import os
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).parents[2] / "experiments/papers/002/run.sh"


def test_quick_writes_all_figures_and_a_page_with_every_claim(sample, tmp_path):
    output = tmp_path / "002"
    command = [SCRIPT, "-o", output, "--quick", sample.graphics]
    environment = {**os.environ, "TESSERA": os.environ["TESSERA_PROGRAM"]}
    subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    for number in ("4.6", "4.7a", "4.7b", "4.8", "4.9", "4.10", "5.1", "5.2", "5.3", "5.4", "5.5"):
        for ending in ("svg", "png", "csv"):
            assert (output / f"figure_{number}.{ending}").stat().st_size > 0
    page = (output / "page.md").read_text()
    published = (SCRIPT.parents[1] / "published.csv").read_text()
    for line in published.splitlines():
        if line.startswith("core."):
            assert f"`{line.split(',')[0]}`" in page
    assert "nan" not in page


def test_a_trace_that_is_not_there_is_told(tmp_path):
    end = subprocess.run([SCRIPT, "-o", tmp_path / "x", "none.h5"], capture_output=True, text=True)
    assert end.returncode == 1
    assert end.stderr == "error: no trace none.h5\n"
