"""Runs and sweeps that are not finished are opened as they stand."""

import os
import pickle
import signal
import subprocess
import time

import pytest

import tessera


def run(*arguments):
    """The exit code of the program."""
    return subprocess.run([os.environ["TESSERA_PROGRAM"], *arguments], capture_output=True).returncode


def test_a_stopped_run_has_the_counters_of_the_frames_done(sample, tmp_path):
    assert run("run", "bifrost32", sample.graphics, "-o", tmp_path / "x", "--stop-after", "2 frames") == 75
    part, whole = tessera.open(tmp_path / "x"), tessera.open(sample.results)
    assert part.status == "partial"
    assert part.frames.number.values.tolist() == whole.frames.number.values.tolist()[:2]
    assert "partial, 2 frames" in repr(part)
    for kind in part.kinds:
        for name, counter in part[kind].data_vars.items():
            if "frame" in counter.dims:
                assert (counter.values == whole[kind][name].values[:2]).all(), f"{kind}.{name}"
    assert part.bottleneck().busiest.max() > 0
    assert part.image(1).shape == whole.image(1).shape
    assert run("run", "--resume", tmp_path / "x") == 0
    done = tessera.open(tmp_path / "x")
    assert (done.status, done.digest) == ("complete", whole.digest)


def test_results_stay_those_of_the_frames_that_were_done_when_they_were_opened(sample, tmp_path):
    assert run("run", "bifrost32", sample.graphics, "-o", tmp_path / "x", "--stop-after", "1 frames") == 75
    part = tessera.open(tmp_path / "x")
    assert part.seconds().sizes["frame"] == 1
    assert pickle.loads(pickle.dumps(part)).dram_bytes().sizes["frame"] == 1
    assert run("run", "--resume", tmp_path / "x") == 0
    assert part.status == "partial"
    assert part.dram_bytes().values.tolist() == tessera.open(sample.results).dram_bytes().values.tolist()[:1]
    assert part["l2_slice"].sizes["frame"] == 1
    assert part.programs().frame.max() == 0


def test_results_that_others_have_replaced_are_refused(sample, tmp_path):
    assert run("run", "bifrost32", sample.graphics, "-o", tmp_path / "x") == 0
    results = tessera.open(tmp_path / "x")
    assert results.seconds().sizes["frame"] == 3
    assert run("run", "bifrost32", sample.graphics, "-o", tmp_path / "x", "--set", "l2.latency=99", "--force") == 0
    with pytest.raises(tessera.FileError, match="other results have replaced those that were opened; open it again"):
        results.dram_bytes()
    results = tessera.open(tmp_path / "x")
    content = (tmp_path / "x/results.h5").read_bytes()
    (tmp_path / "x/results.h5").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(tessera.FileError, match="damaged"):
        results.dram_bytes()


def test_an_interrupted_run_is_opened(sample, tmp_path):
    command = [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", *[sample.graphics] * 100, "-o", tmp_path / "x"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (tmp_path / "x/results.h5").exists() and process.poll() is None:
        time.sleep(0.01)
    going_on = tessera.open(tmp_path / "x")
    assert 0 < len(going_on.frames.frame) <= 300
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 75
    stopped = tessera.open(tmp_path / "x")
    assert stopped.status == "partial"
    assert len(going_on.frames.frame) <= len(stopped.frames.frame) < 300


def test_a_run_without_frames_is_told(sample, tmp_path):
    assert run("run", "bifrost32", sample.graphics, "-o", tmp_path / "x", "--stop-after", "200 cycles") == 75
    with pytest.raises(tessera.FileError, match="a run of which no frame is done yet"):
        tessera.open(tmp_path / "x")
    with pytest.raises(tessera.FileError, match="expected the folder of a run, found no results.h5"):
        tessera.open(tmp_path)


def test_a_sweep_lists_what_is_left(sample, tmp_path):
    spec = tmp_path / "sweep.toml"
    spec.write_text(f'machine = "bifrost32"\nworkloads = ["{sample.graphics}"]\n[grid]\nl2.ways = [8, 16, 32]\n')
    output = tmp_path / "out"
    process = subprocess.Popen([os.environ["TESSERA_PROGRAM"], "sweep", spec, "-o", output], stdout=subprocess.DEVNULL)
    while not (output / "points.csv").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 75
    sweep = tessera.open_sweep(output)
    left = sweep.unfinished()
    assert len(left) > 0 and len(left) + len(sweep.table()) == 3
    assert f"{3 - len(left)} of 3 points done" in repr(sweep)
    assert set(left.state) <= {"waiting", "stopped"} and (left.frames_done < 3).all()
    assert all(isinstance(message, str) for message in left.message)
    # The last one gets as far as its first frame.
    last = left.index[-1]
    settings = f"l2.ways={sweep.points['l2.ways'][last]}"
    assert run("run", "bifrost32", sample.graphics, "-o", output / last, "--set", settings, "--stop-after", "1 frames",
               "--force") == 75
    assert tessera.open_sweep(output).unfinished().frames_done[last] == 1
    assert sweep.results(last).status == "partial"
    assert run("sweep", spec, "-o", output) == 0
    assert tessera.open_sweep(output).unfinished().empty
