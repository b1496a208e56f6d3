"""Every notebook of experiments/notebooks runs from its first cell to its last, and is kept without outputs."""

import os
import pathlib
import subprocess

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks need the packages python3-nbformat and python3-nbclient")
nbclient = pytest.importorskip("nbclient", reason="notebooks need the package python3-nbclient")
pytest.importorskip("ipykernel", reason="notebooks need the package python3-ipykernel")
pytest.importorskip("matplotlib", reason="notebooks need the package python3-matplotlib")

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "experiments/notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def inputs(sample, tmp_path_factory):
    """A second run and a sweep, as the variables by which notebooks find what they read."""
    folder = tmp_path_factory.mktemp("notebooks")
    program = os.environ["TESSERA_PROGRAM"]
    spec = folder / "sweep.toml"
    spec.write_text(f'machine = "bifrost32"\nworkloads = ["{sample.graphics}"]\n[grid]\nfragment_processor.warps = [2, 8]\n'
                    'network.kind = ["bus", "crossbar"]\n')
    for command in (
        ["run", "bifrost32", sample.graphics, "-o", folder / "other", "--set", "l2.latency=60"],
        ["sweep", spec, "-o", folder / "sweep", "--jobs", "2"],
    ):
        subprocess.run([program, *command], check=True, capture_output=True)
    return {
        "TESSERA_RUN": str(sample.results), "TESSERA_TRACE": str(sample.graphics),
        "TESSERA_OTHER_RUN": str(folder / "other"), "TESSERA_SWEEP": str(folder / "sweep"),
        "IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }


def test_there_are_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["a_sweep", "one_run", "two_runs"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_figures(path, inputs, monkeypatch):
    for name, value in inputs.items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None, "clear the outputs before it is committed"
    place = {"metadata": {"path": path.parent}}
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", resources=place).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("image/png" in data for data in shown) >= 2
    assert sum("text/html" in data for data in shown) >= 2
