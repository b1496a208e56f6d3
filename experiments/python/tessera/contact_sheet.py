"""Traces recordings and shows beside each other what we drew, what was recorded, and the difference.

    python3 -m tessera.contact_sheet build/suite/*.vtr.zst -o build/contact_sheet

writes, of every recording, its last frame as NAME.png (ours, reference, 32 times the difference), all of them small as
sheet.png, the frame traces as NAME.h5, and table.csv: how near the images are, what the traces cost.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import numpy
import pandas

from .command import one_line
from .label import FileError
from .names import check_distinct

COLUMNS = (
    "application frames size draws psnr ssim off_by_more_than_2 largest_difference trace_seconds bytes_per_quad "
    "load_seconds recording_mb problem"
).split()
KINDS = ("images", "references", "differences")
SHEET_WIDTH = 480  # pixels of one picture on the sheet


def name_of(recording: pathlib.Path) -> str:
    return recording.name.partition(".")[0]


class ToolError(Exception):
    """The program refused something."""


class Tessera:
    """The program."""

    def __init__(self, program: str | pathlib.Path) -> None:
        self.program = program

    def run(self, *arguments: object) -> str:
        """What was printed. Raises ToolError with the last line about an error."""
        end = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if end.returncode != 0:
            raise ToolError((end.stderr.strip().splitlines() or ["failed"])[-1])
        return end.stdout

    def info(self, *arguments: object) -> dict:
        return json.loads(self.run("info", "--json", *arguments))

    def trace(self, recording: pathlib.Path, trace: pathlib.Path, pictures: pathlib.Path) -> float:
        """Seconds that it took."""
        folders = [word for kind in KINDS for word in (f"--{kind}", pictures / kind)]
        start = time.monotonic()
        self.run("trace", recording, "-o", trace, *folders, "--force", "--progress", "none")
        return time.monotonic() - start


def image_bytes(trace: pathlib.Path) -> int:
    from tessera.hdf5 import open_file

    with open_file(trace) as file:
        return file["images/png"].id.get_storage_size() if "images/png" in file else 0


def measure(tessera: Tessera, recording: pathlib.Path, folder: pathlib.Path) -> dict:
    """A row of the table; leaves the trace and the pictures in the folder."""
    row = dict.fromkeys(COLUMNS) | {"application": name_of(recording), "problem": ""}
    try:
        fill(row, tessera, recording, folder)
    except ToolError as error:
        row["problem"] = str(error)
    return row


def fill(row: dict, tessera: Tessera, recording: pathlib.Path, folder: pathlib.Path) -> None:
    """Fills in the row as far as the program gets."""
    held = tessera.info(recording)
    frames = held["frames"]
    row |= {
        "frames": len(frames),
        "size": f"{frames[-1]['width']}x{frames[-1]['height']}" if frames else "",
        "draws": max((frame["draws"] for frame in frames), default=0),
        "recording_mb": held["file_bytes"] / 1e6,
    }
    trace = folder / f"{row['application']}.h5"
    seconds = tessera.trace(recording, trace, folder / row["application"])
    traced = tessera.info("--load", trace)
    checks = [frame for frame in traced["frames"] if frame["psnr"] != ""]
    row |= {
        "trace_seconds": seconds / len(frames),
        "bytes_per_quad": (traced["file_bytes"] - image_bytes(trace)) / max(traced["quads"], 1),
        "load_seconds": max(frame["seconds"] for frame in traced["loading"]),
    }
    if checks:
        row |= {
            "psnr": min(numpy.inf if frame["psnr"] is None else frame["psnr"] for frame in checks),
            "ssim": min(frame["ssim"] for frame in checks),
            "off_by_more_than_2": max(frame["share_off"] for frame in checks),
            "largest_difference": max(frame["largest_difference"] for frame in checks),
        }


def last_pictures(folder: pathlib.Path) -> list[pathlib.Path] | None:
    """Ours, reference and difference of the last frame that has all three; None if there is none."""
    names = [{path.name for path in (folder / kind).glob("*.png")} for kind in KINDS]
    common = sorted(set.intersection(*names))
    return [folder / kind / common[-1] for kind in KINDS] if common else None


def side_by_side(pictures: list[pathlib.Path], width: int | None = None) -> numpy.ndarray:
    """One array of the three pictures; each at most `width` pixels wide, by leaving pixels out."""
    from matplotlib import image

    parts = []
    for path in pictures:
        pixels = image.imread(path)[..., :3]
        step = 1 if width is None else max(1, -(-pixels.shape[1] // width))
        parts.append(pixels[::step, ::step])
        parts.append(numpy.ones((parts[0].shape[0], 4, 3), pixels.dtype))
    return numpy.concatenate(parts[:-1], axis=1)


def write_sheet(table: pandas.DataFrame, folder: pathlib.Path, output: pathlib.Path) -> list[str]:
    """All applications below each other; the applications shown."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import image, pyplot

    shown = []
    for row in table.to_dict("records"):
        pictures = last_pictures(folder / row["application"])
        if row["problem"] or pictures is None:
            continue
        image.imsave(folder / f"{row['application']}.png", side_by_side(pictures))
        shown.append((row, side_by_side(pictures, SHEET_WIDTH)))
    if not shown:
        return []
    heights = [strip.shape[0] / strip.shape[1] for _, strip in shown]
    width = 3 * SHEET_WIDTH / 100
    figure, axes = pyplot.subplots(
        len(shown), 1, squeeze=False, figsize=(width, width * sum(heights) + 0.35 * len(shown)), height_ratios=heights
    )
    for axis, (row, strip) in zip(axes[:, 0], shown):
        axis.imshow(strip, interpolation="nearest")
        axis.set_axis_off()
        axis.set_title(
            f"{row['application']} {row['size']}: ours, reference, 32 x difference; {row['psnr']:.1f} dB, "
            f"SSIM {row['ssim']:.4f}, largest difference {row['largest_difference']:.0f}; the worst of "
            f"{row['frames']} frames",
            fontsize=9,
            loc="left",
        )
    figure.tight_layout(pad=0.4)
    figure.savefig(output, dpi=100)
    pyplot.close(figure)
    return [row["application"] for row, _ in shown]


def find_program(given: str | None) -> str | pathlib.Path:
    built = pathlib.Path(__file__).parents[3] / "build/default/experiments/tessera/tessera"
    program = given or os.environ.get("TESSERA") or (built if built.exists() else None) or shutil.which("tessera")
    if program is None:
        sys.exit("contact_sheet: no program `tessera`: build it, or give --tessera PROGRAM")
    return program


@one_line("tessera.contact_sheet")
def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tessera.contact_sheet", description=__doc__.splitlines()[0])
    parser.add_argument("recordings", nargs="+", type=pathlib.Path, metavar="RECORDING.vtr.zst")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="made if missing")
    parser.add_argument("--tessera", metavar="PROGRAM", help="[$TESSERA, the one built here, or the one in PATH]")
    options = parser.parse_args(arguments)
    missing = [path for path in options.recordings if not path.is_file()]
    if missing:
        parser.error(f"{missing[0]}: no such file")
    check_distinct("RECORDING.vtr.zst", options.recordings, name_of)
    for path in options.recordings:
        with open(path, "rb") as file:
            if file.read(8) == b"TESSERA ":
                raise FileError(f"{path}: expected a recording, found another of Tessera's files")
    tessera = Tessera(find_program(options.tessera))
    options.output.mkdir(parents=True, exist_ok=True)
    rows = []
    for recording in options.recordings:
        rows.append(measure(tessera, recording, options.output))
        print(f"{rows[-1]['application']}: {rows[-1]['problem'] or str(rows[-1]['psnr']) + ' dB'}", flush=True)
    table = pandas.DataFrame(rows, columns=COLUMNS)
    table.to_csv(options.output / "table.csv", index=False, float_format="%.6g")
    with pandas.option_context("display.width", 250, "display.max_columns", None, "display.max_colwidth", 80):
        print(table.to_string(index=False, float_format="%.4g"))
    if write_sheet(table, options.output, options.output / "sheet.png"):
        print(options.output / "sheet.png")
    return 1 if any(table.problem) else 0


if __name__ == "__main__":
    sys.exit(main())
