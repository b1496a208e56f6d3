"""Damaged files are refused before HDF5 sees them."""

import random
import shutil

import h5py
import pytest
import xxhash

import tessera
from tessera.label import LABEL_BYTES


def read_results(path):
    results = tessera.open(path)
    return [results.status, results.digest, len(results.frames.frame), results.messages is None] + [
        float(results[group].sizes["frame"]) for group in ("frames", "l2_slice")
    ]


def read_trace(path):
    with tessera.open_trace(path) as trace:
        return [trace.digest, len(trace.programs)] + [len(trace.frame(i).quads) for i in range(len(trace))]


def write_label(path, magic, version=3):
    content = path.read_bytes()[LABEL_BYTES:]
    digest = xxhash.xxh3_128(content).hexdigest()
    label = f"{magic} {version}\ncontent {len(content)} xxh3-128 {digest}\n".encode()
    path.write_bytes(label.ljust(LABEL_BYTES, b"\0") + content)


@pytest.mark.parametrize("kind", ["results", "trace"])
def test_flipped_bits_are_refused_or_harmless(sample, tmp_path, kind):
    path, read = (sample.results / "results.h5", read_results) if kind == "results" else (sample.trace, read_trace)
    whole, expected = path.read_bytes(), read(path)
    label = whole.index(b"\0")
    numbers = random.Random(1)
    places = [numbers.randrange(label) for _ in range(20)] + [numbers.randrange(len(whole)) for _ in range(40)]
    refused = 0
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << numbers.randrange(8)
        copy = tmp_path / "copy.h5"
        copy.write_bytes(damaged)
        if label <= place < LABEL_BYTES:  # zeros without a meaning
            assert read(copy) == expected
            continue
        with pytest.raises(tessera.FileError, match="copy.h5"):
            read(copy)
        refused += 1
    assert refused > 50


def test_other_kinds_versions_and_lengths_are_told(sample, tmp_path):
    with pytest.raises(tessera.FileError, match="expected results of `tessera run`, found a frame trace"):
        tessera.open(sample.trace)
    with pytest.raises(tessera.FileError, match="expected a frame trace, found results"):
        tessera.open_trace(sample.results / "results.h5")
    copy = tmp_path / "copy.h5"
    copy.write_bytes(b"hello")
    with pytest.raises(tessera.FileError, match="found another kind of file"):
        tessera.open_trace(copy)
    copy.write_bytes(sample.trace.read_bytes()[:-1])
    with pytest.raises(tessera.FileError, match="expected [0-9]+ bytes, found [0-9]+"):
        tessera.open_trace(copy)
    shutil.copy(sample.trace, copy)
    write_label(copy, "TESSERA FRAME TRACE", 6)
    with pytest.raises(tessera.FileError, match="version 6; this package reads version 3 and 4 and 5$"):
        tessera.open_trace(copy)
    write_label(copy, "TESSERA FRAME TRACE", 2)
    with pytest.raises(tessera.FileError, match="version 2; .*; make the file anew: tessera trace RECORDING"):
        tessera.open_trace(copy)
    shutil.copy(sample.results / "results.h5", copy)
    write_label(copy, "TESSERA RESULTS", 6)
    with pytest.raises(tessera.FileError, match="version 6; this package reads version 3 and 4 and 5$"):
        tessera.open(copy)


def test_results_of_version_3_have_the_names_of_today(sample, tmp_path):
    copy = tmp_path / "results.h5"
    shutil.copy(sample.results / "results.h5", copy)
    with h5py.File(copy, "r+") as file:
        file["performance"].move("null_messages", "promises")
        file["performance"].move("reductions", "meetings")
    write_label(copy, "TESSERA RESULTS", 3)
    today, old = tessera.open(sample.results), tessera.open(copy)
    assert old.digest == today.digest
    assert old.performance.null_messages.equals(today.performance.null_messages)
    assert old.performance.reductions.equals(today.performance.reductions)


def test_what_every_file_has_and_this_one_lacks_is_named(sample, tmp_path):
    copy = tmp_path / "results.h5"
    shutil.copy(sample.results / "results.h5", copy)
    with h5py.File(copy, "r+") as file:
        del file.attrs["status"]
    write_label(copy, "TESSERA RESULTS")
    with pytest.raises(tessera.FileError, match="the attribute 'status' is missing"):
        print(tessera.open(tmp_path).status)
    with h5py.File(copy, "r+") as file:
        del file["provenance"]
    write_label(copy, "TESSERA RESULTS")
    with pytest.raises(tessera.FileError, match="the group 'provenance' is missing"):
        tessera.open(tmp_path)
