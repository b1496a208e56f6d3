"""Where accesses to textures find their lines."""

import os
import subprocess

import numpy
import pytest

import tessera
from tessera import figures, textures

POLICIES = ["s_nuca", "d_nuca", "dtm_nuca", "dtm_nuca_distributed"]


@pytest.fixture(scope="module")
def runs(sample, tmp_path_factory):
    """Results by policy."""
    folder = tmp_path_factory.mktemp("textures")
    found = {"private": tessera.open(sample.results)}
    for policy in POLICIES:
        command = [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", folder / policy]
        subprocess.run([*command, "--threads", "1", "--set", f"home.policy={policy}"], check=True, capture_output=True)
        found[policy] = tessera.open(folder / policy)
    return found


def test_places_add_up_to_all_accesses(runs):
    for policy, results in runs.items():
        table = textures.places(results)
        assert len(table) == len(results.frames.frame)
        assert table.accesses.sum() > 0
        assert table[textures.PLACES].sum(axis=1).to_numpy() == pytest.approx(table.accesses.to_numpy()), policy
        assert (table >= 0).all().all()
        shares = textures.shares(results)
        assert shares[textures.PLACES].sum() == pytest.approx(1)


def test_private_caches_have_no_other_places(runs):
    table = textures.places(runs["private"])
    assert table[["remote_hits", "remote_misses"]].to_numpy().sum() == 0
    assert table.l2_reads.tolist() == table.own_misses.tolist()
    assert (textures.way(runs["private"]) == 0).all()


def test_lines_read_of_the_l2_cache_are_those_that_came(runs):
    for policy in POLICIES:
        cluster = runs[policy]["cluster"]
        asked = cluster.home_misses_to_memory + cluster.home_owned_misses + cluster.home_served_misses
        asked = asked + cluster.home_misses_to_directory - cluster.home_redirected
        assert textures.places(runs[policy]).l2_reads.sum() == float(asked.sum()), policy


def test_ways_are_those_of_the_mesh(runs):
    for policy in POLICIES:
        way = textures.way(runs[policy])
        asked = float(runs[policy]["cluster"].home_requests.sum())
        assert (way.remote_latency > way.waiting_at_cores > 0) == (asked > 0)
        assert 0 < way.hops < 10
        assert way.requests_of_busiest >= (1 if asked > 0 else 0)
        assert 0 <= way.table_load <= 1
    assert textures.way(runs["dtm_nuca"]).table_load > 0


def test_changes_of_owners_are_those_of_a_table(sample, tmp_path):
    command = [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", tmp_path / "run", "--threads", "1"]
    subprocess.run([*command, "--set", "home.policy=dtm_nuca_distributed", "--set", "home.epoch_accesses=50"], check=True,
                   capture_output=True)
    results = tessera.open(tmp_path / "run")
    changes = float(results["cluster"].home_owner_changes.sum())
    assert changes > 0
    accesses = float(results["texture_cache"].accesses.sum())
    assert textures.way(results).owner_changes == pytest.approx(1000 * changes / 32 / accesses)


def test_requests_of_all_to_the_l2_cache_are_more_than_lines_read_of_it(runs):
    for results in runs.values():
        table = textures.places(results)
        assert table.l2_requests.sum() == float(results["l2_slice"].requests.sum())
        assert (table.l2_requests > table.l2_reads).all()


def test_frames_that_warm_up_are_left_out(runs):
    results = runs["dtm_nuca"]
    frames = len(results.frames.frame)
    last = textures.places(results).iloc[-1]
    assert textures.shares(results, frames - 1).hits == pytest.approx(last.hits / last.accesses)
    assert numpy.isnan(textures.shares(results, frames).hits)


def test_cores_add_up_to_what_the_machine_did(runs):
    for policy, results in runs.items():
        table, places = textures.by_core(results), textures.places(results).sum()
        assert len(table) == 32
        for column in ("accesses", "hits", "joined", "remote_hits", "remote_misses"):
            assert table[column].sum() == places[column], policy
        assert table.served.sum() == table.remote_hits.sum() + table.remote_misses.sum()
        answers = textures.total(results, "cluster", "memory_replies") - textures.total(results, "cluster", "home_redirected")
        assert table.l2_at_once.sum() + table.l2_waited.sum() == answers.sum(), policy
        assert 0 < table.l2_waited.sum() <= float(results["l2_slice"].waited.sum())
    after = textures.by_core(runs["private"], after=1)
    assert 0 < after.l2_at_once.sum() < textures.by_core(runs["private"]).l2_at_once.sum()


def test_l2_misses_are_lines_fetched_and_joins_of_lines_in_flight_are_hits(runs):
    table = textures.places(runs["private"])
    slices = runs["private"]["l2_slice"]
    assert table.l2_misses.sum() == pytest.approx(float(slices.misses_texture.sum()))
    assert table.l2_hits.sum() == pytest.approx(float((slices.requests_texture - slices.misses_texture).sum()))


def test_what_no_machine_is_without_has_to_be_there(runs):
    private, directory = runs["private"], runs["d_nuca"]
    for kind, counter in (("home_mesh", "link_flits"), ("cluster", "home_served"), ("l2_slice", "directory_sent_on")):
        assert (textures.total(private, kind, counter) == 0).all()
    with pytest.raises(KeyError, match="expected a counter of 'l2_slice'.*found 'request', did you mean 'requests'"):
        textures.total(private, "l2_slice", "request")
    with pytest.raises(KeyError, match="found 'directory_send_on', did you mean 'directory_sent_on'"):
        textures.total(directory, "l2_slice", "directory_send_on")
    with pytest.raises(KeyError, match="expected a kind of unit.*did you mean 'l2_slice'"):
        textures.total(private, "l2_slices", "requests")


def test_owners_of_buckets_are_noted_by_epoch(sample, tmp_path):
    for policy in ("dtm_nuca", "dtm_nuca_distributed"):
        command = [os.environ["TESSERA_PROGRAM"], "run", "bifrost32", sample.graphics, "-o", tmp_path / policy]
        subprocess.run([*command, "--threads", "1", "--set", f"home.policy={policy}", "--set", "home.epoch_accesses=50",
                        "--set", "observe.owners=true"], check=True, capture_output=True)
        table = textures.owners(tessera.open(tmp_path / policy), frame=0)
        assert len(table) > 1 and len(table.columns) == 32
        assert table.max().max() < 32
        figure = figures.owners(table, "owners")
        assert figure.axes[0].images[0].get_array().shape == table.T.shape
        with pytest.raises(IndexError, match="expected a position, found 99"):
            textures.owners(tessera.open(tmp_path / policy), frame=99)


def test_owners_that_were_not_noted_are_refused(runs):
    with pytest.raises(ValueError, match="observe.owners=true"):
        textures.owners(runs["dtm_nuca"], frame=0)
