"""Sweeps, read back: points, figures and speed-ups are those of the runs."""

import os
import pathlib
import subprocess

import pytest

import tessera
from tessera import characterise, contact_sheet, replication
from tessera.names import labels


@pytest.fixture(scope="module")
def sweep(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    spec = folder / "sweep.toml"
    spec.write_text(
        f'machine = "teapot-collector"\nworkloads = ["{sample.graphics}"]\n'
        "[grid]\nfragment_processor.collector.banks = [1, 4]\nnetwork.kind = ['bus', 'crossbar']\n"
    )
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "sweep", spec, "-o", folder / "out"], check=True, stdout=subprocess.PIPE
    )
    return tessera.open_sweep(folder / "out")


def test_points_have_their_settings_as_numbers(sweep):
    assert len(sweep.points) == 4
    assert sweep.settings == ["fragment_processor.collector.banks", "network.kind"]
    assert sorted(set(sweep.points["fragment_processor.collector.banks"])) == [1, 4]
    assert (sweep.points.state == "done").all()
    assert "4 of 4 points done" in repr(sweep)


def test_the_table_has_figures_of_every_point(sweep):
    table = sweep.table(ipc=lambda results: float(results.core_statistics().ipc.mean()))
    assert len(table) == 4
    point = table.index[0]
    results = sweep.results(point)
    assert table.cycles[point] == int(results.frames.cycles.sum())
    assert table.ipc[point] == float(results.core_statistics().ipc.mean())
    assert set(table.workload) == {"graphics"}


def test_speedup_is_that_of_simulated_time_and_one_for_the_baseline(sweep):
    table = sweep.table()
    speedup = sweep.speedup(network_kind="bus")
    for (banks, kind), row in speedup.iterrows():
        same = table[table["fragment_processor.collector.banks"] == banks].set_index("network.kind").seconds_simulated
        assert row["graphics"] == pytest.approx(same["bus"] / same[kind])
        assert row["geometric mean"] == pytest.approx(row["graphics"])
        if kind == "bus":
            assert row["graphics"] == 1
    with pytest.raises(KeyError, match="expected some of"):
        sweep.speedup()
    with pytest.raises(KeyError, match="expected settings, one of .*_kind, machine; found 'network_kinds', did you"):
        sweep.speedup(network_kinds="bus")
    with pytest.raises(KeyError, match="no point that is done has .*; there are network_kind: bus, crossbar"):
        sweep.speedup(network_kind="torus")


def test_a_point_that_leaves_a_setting_as_it_is_has_a_speedup_too(sample, tmp_path):
    spec = tmp_path / "sweep.toml"
    spec.write_text(f'machine = "bifrost32"\nworkloads = ["{sample.graphics}"]\n[[list]]\n[[list]]\nl2.latency = 24\n')
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "sweep", spec, "-o", tmp_path / "out"], check=True, stdout=subprocess.PIPE
    )
    speedup = tessera.open_sweep(tmp_path / "out").speedup(l2_latency="default")
    assert len(speedup) == 2
    assert speedup["graphics"]["default"] == 1 > speedup["graphics"].drop("default").item()


def test_bars_are_drawn(sweep, tmp_path):
    for name in ("speedup.svg", "speedup.png"):
        sweep.plot_speedup(network_kind="bus").savefig(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5000


def test_core_statistics_agree_with_the_laws_of_the_collector(sweep):
    for point in sweep.done():
        statistics = sweep.results(point).core_statistics()
        busy = statistics.ipc.notnull()
        assert busy.any()
        assert (statistics.ipc.where(busy, 0) <= 2).all()
        enough = statistics.collector_time >= statistics.operands + 2 - 1e-9
        assert enough.where(busy, True).all()


def test_of_another_pipeline_there_are_none(sample):
    with pytest.raises(KeyError, match="is not 'collector'"):
        tessera.open(sample.results).core_statistics()


def test_what_is_no_sweep_is_told(tmp_path):
    with pytest.raises(tessera.FileError, match="expected the table of a sweep"):
        tessera.open_sweep(tmp_path)
    (tmp_path / "points.csv").write_text("point,state\na,done\n")
    with pytest.raises(tessera.FileError, match="found no column 'machine'"):
        tessera.open_sweep(tmp_path)
    (tmp_path / "points.csv").write_text("a,b\n1,2,3\n")
    with pytest.raises(tessera.FileError, match="expected the table of a sweep"):
        tessera.open_sweep(tmp_path)


def test_points_and_columns_that_cannot_be_are_refused(sweep):
    point = sweep.points.index[0]
    with pytest.raises(KeyError, match=f"expected the name of a point.*did you mean '{point}'"):
        sweep.results(point + "0")
    with pytest.raises(ValueError, match="expected other names than workload.*found 'cycles'"):
        sweep.table(cycles=lambda results: 0)


def test_workloads_of_one_name_are_told_apart_by_their_folders(sample, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.h5").symlink_to(sample.graphics)
    spec = tmp_path / "sweep.toml"
    spec.write_text(
        'machine = "teapot-collector"\nworkloads = ["a/game.h5", "b/game.h5"]\n'
        "[grid]\nnetwork.kind = ['bus', 'crossbar']\n"
    )
    subprocess.run(
        [os.environ["TESSERA_PROGRAM"], "sweep", spec, "-o", tmp_path / "out"], check=True, stdout=subprocess.PIPE
    )
    sweep = tessera.open_sweep(tmp_path / "out")
    assert sorted(name.rpartition("-")[0] for name in sweep.points.index) == [
        "game-kind=bus", "game-kind=bus", "game-kind=crossbar", "game-kind=crossbar"
    ]
    assert set(sweep.table().workload) == {"a/game", "b/game"}
    assert list(sweep.speedup(network_kind="bus").columns) == ["a/game", "b/game", "geometric mean"]
    # A workload whose baseline is not done is missing, and not left out of the mean of the others.
    of_b = sweep.points.workload.str.contains("/b/") & (sweep.points["network.kind"] == "bus")
    sweep.points.loc[of_b, "state"] = "running"
    speedup = sweep.speedup(network_kind="bus")
    assert list(speedup.columns) == ["a/game", "b/game", "geometric mean"]
    assert speedup["a/game"].notna().all() and speedup[["b/game", "geometric mean"]].isna().all(axis=None)


def test_short_names_are_as_short_as_they_can_be():
    assert labels(["/s/a.h5", "/s/b.vtr.zst"]) == {"/s/a.h5": "a", "/s/b.vtr.zst": "b"}
    assert list(labels(["/x/s/a.h5", "/y/s/a.h5", "/y/a.h5", "/c.h5"]).values()) == ["x/s/a", "y/s/a", "y/a", "c"]
    assert list(labels(["/s/a.h5", "/s/a.vtr.zst"]).values()) == ["/s/a.h5", "/s/a.vtr.zst"]


def test_a_sweep_of_which_no_point_is_done_has_no_speedup(tmp_path):
    (tmp_path / "points.csv").write_text("point,machine,workload,frames,state,seconds,exit_code,message\n"
                                         "a-1,bifrost32,/a.h5,,waiting,0.000,0,\n")
    sweep = tessera.open_sweep(tmp_path)
    assert sweep.table().empty
    assert sweep.unfinished().message.tolist() == [""]
    with pytest.raises(KeyError, match="no point is done yet"):
        sweep.speedup(machine="bifrost32")


@pytest.mark.parametrize("command", [characterise, contact_sheet, replication])
def test_commands_that_name_files_by_their_inputs_refuse_inputs_of_one_name(command, tmp_path, capsys):
    paths = [str(tmp_path / folder / "game.vtr.zst") for folder in ("a", "b")]
    for path in map(pathlib.Path, paths):
        path.parent.mkdir()
        path.write_bytes(b"")
    assert command.main([*paths, "-o", str(tmp_path / "out")]) == 2
    assert f"expected files of different names, found {paths[0]} and {paths[1]}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
