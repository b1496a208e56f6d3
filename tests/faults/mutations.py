#!/usr/bin/python3
"""Changes recordings in the ways of mutations.csv and lets the program read them.

    mutations.py PROGRAM RECORDINGS [EVERY]

Every changed recording (each EVERYth of the list) must be traced (exit 0) or refused (exit 3, one line), by `trace` and
by `info`, within a minute and without anything left behind. Exit 77 without the recordings.

The list names, of each recording, bytes of the decompressed stream; of the file for trunc and flipz:

    trunc N, trunc_raw N        cut off after N bytes
    flip N, flipz N             the lowest bit of byte N inverted
    reclen N OLD NEW            the length of the record at byte N
    word N OLD NEW, word_small  a 32-bit word of a message
    swap I J, dup I J, del I J  records I and J exchanged, I put before J as well, I taken away
"""
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile

SECONDS = 60


def records(stream):
    """The records of a stream, each with its header; the first four bytes are "VTR0"."""
    at, found = 4, []
    while at + 5 <= len(stream):
        end = at + 5 + struct.unpack_from("<I", stream, at + 1)[0]
        found.append(bytes(stream[at:end]))
        at = end
    return found


def mutate_records(stream, kind, i, j):
    parts = records(stream)
    if kind == "swap":
        parts[i], parts[j] = parts[j], parts[i]
    elif kind == "dup":
        parts.insert(j, parts[i])
    else:
        del parts[i]
    return b"VTR0" + b"".join(parts)


def mutate(packed, kind, arguments):
    """The changed file and the suffix that its name needs."""
    stream = bytearray()
    if kind in ("trunc", "flipz"):
        stream += packed
    else:
        stream += subprocess.run(["zstd", "-dcq"], input=packed, stdout=subprocess.PIPE, check=True).stdout
    first = arguments[0]
    if kind in ("trunc", "trunc_raw"):
        del stream[first:]
    elif kind in ("flip", "flipz"):
        stream[first] ^= 1
    elif kind == "reclen":
        assert struct.unpack_from("<I", stream, first + 1)[0] == arguments[1]
        struct.pack_into("<I", stream, first + 1, arguments[2])
    elif kind in ("word", "word_small"):
        assert struct.unpack_from("<I", stream, first)[0] == arguments[1]
        struct.pack_into("<I", stream, first, arguments[2])
    else:
        stream = mutate_records(stream, kind, *arguments)
    return bytes(stream), ".vtr.zst" if kind in ("trunc", "flipz") else ".vtr"


def complaint(program, folder, name):
    """What is wrong with how the program takes the file; empty: nothing."""
    for arguments in (["trace", name, "-o", "out.h5"], ["info", name]):
        try:
            end = subprocess.run([program, *arguments], cwd=folder, timeout=SECONDS, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return f"{arguments[0]}: no end within {SECONDS} s"
        errors = [line for line in end.stderr.decode(errors="replace").splitlines() if line.startswith("error: ")]
        if end.returncode not in (0, 3):
            return f"{arguments[0]}: exit {end.returncode}: {end.stderr.decode(errors='replace')[-2000:]}"
        if (end.returncode == 3) != (len(errors) == 1):
            return f"{arguments[0]}: exit {end.returncode} with {len(errors)} errors told"
        left = sorted(entry.name for entry in folder.iterdir() if entry.name != name)
        if left != (["out.h5"] if arguments[0] == "trace" and end.returncode == 0 else []):
            return f"{arguments[0]}: exit {end.returncode} leaves {left}"
        (folder / "out.h5").unlink(missing_ok=True)
    return ""


def main():
    program, recordings = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if not recordings.is_dir():
        print("no recordings beside the tree")
        return 77
    with open(pathlib.Path(__file__).with_name("mutations.csv"), encoding="utf-8") as table:
        mutations = list(csv.DictReader(table))[::every]
    failed = 0
    for mutation in mutations:
        packed = (recordings / (mutation["recording"] + ".vtr.zst")).read_bytes()
        changed, suffix = mutate(packed, mutation["kind"], [int(n) for n in mutation["arguments"].split()])
        with tempfile.TemporaryDirectory() as folder:
            name = "changed" + suffix
            (pathlib.Path(folder) / name).write_bytes(changed)
            wrong = complaint(program, pathlib.Path(folder), name)
        if wrong:
            failed += 1
            print(mutation["recording"], mutation["kind"], mutation["arguments"], "->", wrong)
    print(f"{len(mutations)} changed recordings, {failed} taken wrongly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
