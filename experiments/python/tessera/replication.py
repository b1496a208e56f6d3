"""Replication in the texture caches of four cores, beside paper 004 (figure 1): runs the recordings and tells.

    python3 -m tessera.replication RECORDING... -o DIR [--frames A-B] [--every CYCLES] [--set NAME=VALUE]...

Every recording is run on bifrost32 with four fragment processors and a census of the texture caches every CYCLES. A
frame trace may be given as well. The program: TESSERA, or `tessera` from PATH. A recording with fewer than 1000 texture
lookups is in the table without shares; of the mean, all others count the same. One that cannot be run is named, after what
the program said of it, and left out; the exit code is then 1.
"""

import argparse
import os
import pathlib
import subprocess
import sys

import pandas

from .command import one_line
from .names import check_distinct, frames_after
from .results import Run, open_results, results_of

PUBLISHED = 0.846  # nuca.replicated_4fp of data/published.csv
LEAST_LOOKUPS = 1000


def name_of(recording: pathlib.Path) -> str:
    return recording.name.removesuffix(".zst").removesuffix(".vtr").removesuffix(".h5")


def run(recording: pathlib.Path, folder: pathlib.Path, frames: str | None, every: int, more: list[str]) -> bool:
    """Whether the run succeeded; the program says what was wrong."""
    command = [os.environ.get("TESSERA", "tessera"), "run", "bifrost32", recording, "-o", folder, "--force"]
    command += ["--progress", "none"]
    command += ["--set", "fragment_processor.count=4", "--set", f"observe.census_every={every}"]
    command += ["--frames", frames] if frames else []
    return subprocess.run(command + more, stdout=subprocess.DEVNULL).returncode == 0


def row_of(results: Run, least: int = LEAST_LOOKUPS, after: int = 0) -> dict[str, float]:
    """Of all frames but the first `after` together, the figures as Results.replication(); of fewer than `least` lookups
    only their number."""
    results = results_of(results)
    after = frames_after(f"{results.path}: after", after, len(results.frames.frame))
    census = results["series/texture_replication"]
    census = census.isel(interval=census.frame.values >= after)
    lines, lookups = census.lines.sum("interval"), census.lookups.sum("interval")
    sharers = census.sharers
    copies = lines * sharers
    several = sharers >= 2
    total = float(lookups.sum())
    if total < least:
        return {"lookups": total}
    shares = {f"in {int(n)}": float(lookups.sel(sharers=n).sum()) / total for n in sharers}
    return {
        "lookups": total,
        "replicated": float(lookups.where(several, 0).sum()) / total,
        **shares,
        "lines": float(lines.where(several, 0).sum() / lines.sum()),
        "copies": float(copies.where(several, 0).sum() / copies.sum()),
        "sharers": float(copies.sum() / lines.sum()),
    }


@one_line("tessera.replication")
def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tessera.replication", description=__doc__.splitlines()[0])
    parser.add_argument("recordings", nargs="+", type=pathlib.Path, metavar="RECORDING")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="made if missing")
    parser.add_argument("--frames", metavar="A-B", help="as of tessera run")
    parser.add_argument("--every", type=int, default=500, metavar="CYCLES", help="from census to census [500]")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="as of tessera run")
    options = parser.parse_args(arguments)
    check_distinct("RECORDING", options.recordings, name_of)
    if options.every < 1:
        raise ValueError(f"--every: expected a number of cycles of at least 1, found {options.every}")
    more = [word for setting in options.set for word in ("--set", setting)]
    rows, failed = {}, []
    options.output.mkdir(parents=True, exist_ok=True)
    for recording in options.recordings:
        name = name_of(recording)
        if not run(recording, options.output / name, options.frames, options.every, more):
            failed.append(name)
            continue
        rows[name] = row_of(open_results(options.output / name))
    table = pandas.DataFrame.from_dict(rows, orient="index")
    table.to_csv(options.output / "replication.csv", float_format="%.6g")
    with pandas.option_context("display.width", 200, "display.max_columns", None):
        print(table.to_string(float_format="%.3f"))
    for name in failed:
        print(f"{name}: could not be run")
    counted = table.dropna() if "replicated" in table else table[:0]
    if len(counted) == 0:
        print("no recording with textures")
        return 1
    print(f"\nmean of {len(counted)} recordings: {counted['replicated'].mean():.1%} of lookups are of replicated lines; "
          f"paper 004, figure 1: {PUBLISHED:.1%}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
