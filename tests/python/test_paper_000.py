"""The figures and the page of paper 000, of few points; the study of sources by hand."""

import importlib.util
import pathlib
import subprocess

import pandas
import pytest

import paper_page
import tessera

FOLDER = pathlib.Path(__file__).parents[2] / "experiments/papers/000"


def module(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def output(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper") / "000"
    assert paper_page.make(FOLDER / "run.sh", folder, sample.graphics).count("done ") > 0
    return folder


def test_every_figure_is_drawn_and_on_the_page(output):
    paper_page.expect_figures(output, [str(number) for number in range(6, 14)])


def test_every_claim_is_on_the_page_with_what_was_measured(output):
    paper_page.expect_claims(output, "000", 20)


def test_figures_have_the_numbers_of_the_sweep(output):
    schemes = pandas.read_csv(output / "schemes.csv").set_index("scheme")
    drawn = pandas.read_csv(output / "figure_6.csv", index_col=0)
    for scheme in ("none", "access/execute", "perfect"):
        assert drawn[scheme]["graphics"] == pytest.approx(schemes.cycles["GHB"] / schemes.cycles[scheme])


def test_the_frame_that_warms_up_is_left_out(output):
    sweep = tessera.open_sweep(output / "schemes")
    schemes = pandas.read_csv(output / "schemes.csv", index_col="point")
    for point in sweep.done():
        results = sweep.results(point)
        assert len(results.frames.frame) > 1
        assert schemes.cycles[point] == float(results.frames.cycles.values[1:].sum())
        assert schemes.cycles_0[point] == float(results.frames.cycles.values[1])
        assert schemes.accesses[point] == sum(
            float(results[cache].accesses.values[1:].sum()) for cache in ("texture_cache", "pixel_cache"))
        assert schemes.typical_pJ[point] == pytest.approx(
            results.energy().query("part == 'gpu' and frame > 0").typical_pJ.sum())
    assert "the first frame warms caches up and is left out." in (output / "page.md").read_text()


def test_a_trace_of_one_frame_is_told_of_as_cold(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    table = pandas.DataFrame({"workload": ["a", "b"], "warmed_up": [1.0, 0.0]})
    told = module("paper").frames_told
    assert told(table, 1).endswith("is left out, but not of b, which have no others.")
    assert told(table, 0).startswith("All frames count")


def test_a_mistake_is_told_in_a_line(tmp_path):
    end = subprocess.run([FOLDER / "run.sh", "-o", tmp_path / "x", "--warm-up", "-1"], capture_output=True, text=True)
    assert (end.returncode, end.stderr) == (1, "error: --warm-up: expected 0 or more frames, found -1\n")


def test_lines_that_a_frame_leaves_and_the_next_one_asks_for_are_not_useless(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    # Two frames: the first leaves two of its five lines, of which the second uses one and leaves the other again.
    table = pandas.DataFrame([{"workload": "a", "scheme": "GHB", "prefetches": 5, "prefetches_used": 3, "prefetches_late": 1,
                               "prefetches_useless": 0, "prefetches_left": 2 + 1, "prefetches_carried": 0}])
    assert module("drawing").unused(table)["GHB"]["a"] == pytest.approx(1 / 5)
    # Of three lines that a frame left that warmed up one was used.
    table = table.assign(prefetches_used=3 + 1, prefetches_carried=3)
    assert module("drawing").unused(table)["GHB"]["a"] == pytest.approx(3 / 8)


def test_means_over_frames_are_of_frames_that_all_applications_have(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    rows = []
    for workload, gain, frames in (("a", 2.0, 3), ("b", 8.0, 1)):
        for warps in (1, 16):
            cycles = {f"cycles_{number}": 100.0 / (gain if warps == 16 else 1) for number in range(frames)}
            rows.append({"workload": workload, "fragment_processor.warps": warps, "scheme": "none", **cycles})
    table = module("claims").over_frames(pandas.DataFrame(rows), ["none"])
    assert table["none"][16] == "4.000"


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
