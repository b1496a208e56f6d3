"""What `tessera energy` writes, read back."""

import os
import shutil
import subprocess

import numpy
import pytest

import tessera
from tessera import energy


def price(folder, *arguments):
    subprocess.run([os.environ["TESSERA_PROGRAM"], "energy", folder, *arguments], check=True, stdout=subprocess.PIPE)


@pytest.fixture(scope="module")
def priced(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("priced") / "run"
    shutil.copytree(sample.results, folder)
    price(folder)
    return folder


def test_parts_have_a_range_and_add_up(priced):
    results = tessera.open(priced)
    parts = results.energy()
    assert list(parts.columns) == energy.COLUMNS
    assert set(parts.frame) == set(range(len(results.frames.frame)))
    assert set(parts.part) == {"gpu", "memory"}
    assert set(parts.cause) == {"dynamic", "clock", "leakage", "standby"}
    assert (parts.low_pJ <= parts.typical_pJ).all() and (parts.typical_pJ <= parts.high_pJ).all()
    whole = parts.typical_pJ.sum()
    assert energy.by_component(parts).typical_pJ.sum() == pytest.approx(whole)
    assert energy.by_frame(parts).typical_pJ.sum() == pytest.approx(whole)
    assert parts.attrs["technology"] == "22 nm, 1 V"
    assert parts.attrs["table"] == "mobile22.toml"
    assert parts.attrs["results"] == results.digest
    assert parts.attrs["left_out"] == {}


def test_what_is_left_out_is_told(priced, tmp_path):
    text = (priced / "energy.csv").read_text()
    some = tmp_path / "some.csv"
    some.write_text(text.replace("\nframe,", "\n# left out texture_cache l2_slice: perfect, as none is: why\nframe,", 1))
    parts = tessera.open(priced).energy(some)
    assert parts.attrs["left_out"] == dict.fromkeys(["texture_cache", "l2_slice"], "perfect, as none is: why")
    assert len(parts) == len(tessera.open(priced).energy())


def test_counters_times_table(priced):
    results = tessera.open(priced)
    parts = results.energy()
    moved = parts[parts.structure == "interface"].set_index("frame").typical_pJ
    numpy.testing.assert_allclose(moved, results.dram_bytes() * 32, rtol=1e-9)
    seconds = parts.groupby("frame").seconds.first()
    numpy.testing.assert_allclose(seconds, results.seconds(), rtol=1e-9)
    watts = energy.power(parts)
    gpu = parts[parts.part == "gpu"].typical_pJ.sum() * 1e-12
    assert watts.typical_W["gpu"] == pytest.approx(gpu / float(results.seconds().sum()))


def test_shares_are_of_the_gpu_alone(priced):
    shares = energy.shares(tessera.open(priced).energy())
    assert "DRAM" not in shares and "fragment processors" in shares
    assert shares.sum() == pytest.approx(1)
    high = energy.shares(tessera.open(priced).energy(), figure="high_pJ")
    assert high.sum() == pytest.approx(1) and not high.equals(shares)


def test_another_file_is_read_by_its_name(priced, tmp_path):
    price(priced, "-o", tmp_path / "again.csv")
    results = tessera.open(priced)
    assert results.energy(tmp_path / "again.csv").equals(results.energy())


def test_what_is_not_the_energy_of_these_results_is_refused(priced, tmp_path):
    results = tessera.open(priced)
    with pytest.raises(tessera.FileError, match="'tessera energy .* writes it"):
        results.energy(tmp_path / "absent.csv")
    text = (priced / "energy.csv").read_text()
    other = tmp_path / "other.csv"
    other.write_text(text.replace(results.digest, "0" * len(results.digest)))
    with pytest.raises(tessera.FileError, match="of other results"):
        results.energy(other)
    results.provenance["resolved_toml"] += "# of another machine, which counts the same\n"
    with pytest.raises(tessera.FileError, match="of other results"):
        results.energy()
    other.write_text("a,b\n1,2\n")
    with pytest.raises(tessera.FileError, match="something else"):
        results.energy(other)


def test_bars_are_over_the_baseline(priced):
    parts = tessera.open(priced).energy()
    half = parts.assign(**{name: parts[name] / 2 for name in energy.FIGURES})
    table = energy.normalised({"whole": parts, "half": half}, baseline="whole")
    assert table.loc["whole"].sum() == pytest.approx(1)
    assert table.loc["half"].sum() == pytest.approx(0.5)
    memory = parts[parts.part == "memory"].typical_pJ.sum() / parts.typical_pJ.sum()
    assert table.memory["whole"] == pytest.approx(memory)
    with pytest.raises(KeyError, match="none of the runs: whole"):
        energy.normalised({"whole": parts}, "other")
    with pytest.raises(KeyError, match="figure: expected a column of energies, one of low_pJ.*did you mean 'low_pJ'"):
        energy.normalised({"whole": parts}, "whole", "low")
    with pytest.raises(ValueError, match="short: has 2 frames, and the baseline 3"):
        energy.normalised({"whole": parts, "short": parts[parts.frame < 2]}, "whole")
    pytest.importorskip("matplotlib")
    axes = energy.bars({"whole": parts, "half": half}, baseline="whole").axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([memory, memory / 2, 1 - memory, 0.5 - memory / 2])
    assert axes.get_ylabel() == "energy / energy of whole"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["memory", "GPU"]


def test_whiskers_are_ratios_of_ends(priced):
    pytest.importorskip("matplotlib")
    parts = tessera.open(priced).energy()
    leaky = parts.assign(high_pJ=parts.high_pJ * 3)
    axes = energy.bars({"a": parts, "b": leaky}, baseline="a").axes[0]
    low, high = axes.collections[0].get_segments()[1][:, 1]
    assert (low, high) == pytest.approx((1, 3))


def test_shares_of_no_part_are_refused(priced):
    parts = tessera.open(priced).energy()
    with pytest.raises(KeyError, match="expected a part of the machine, one of gpu, memory; found 'gpus'"):
        energy.shares(parts, "gpus")
    with pytest.raises(KeyError, match="expected a column of energies"):
        energy.shares(parts, figure="typical")
