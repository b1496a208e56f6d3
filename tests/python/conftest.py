"""A small trace and a run of it, made by the real program."""

import json
import os
import pathlib
import subprocess
import types

import pytest


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    folder = pathlib.Path(tmp_path_factory.mktemp("sample"))
    trace, expected, results = folder / "sample.h5", folder / "expected.json", folder / "out"
    graphics = folder / "graphics.h5"  # without compute kernels
    subprocess.run([os.environ["TESSERA_SAMPLE_WRITER"], trace, expected, graphics], check=True)
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", graphics, "-o", results, "--threads", "1"],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    observed = folder / "observed"
    everything = "latency=true occupancy=true reuse=true census_every=200 bandwidth_every=500"
    everything += " pipeline_cores=2 pipeline_to=1000000"
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", graphics, "-o", observed, "--threads", "2"]
        + [word for setting in everything.split() for word in ("--set", f"observe.{setting}")],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return types.SimpleNamespace(
        trace=trace,
        graphics=graphics,
        expected=json.loads(expected.read_text()),
        results=results,
        observed=observed,
    )
