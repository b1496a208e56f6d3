"""What the frames of the suite are: size, work, how near the pictures are to those recorded, and what an OLED display
takes to show them."""

import pathlib
from typing import Mapping, Sequence

import numpy
import pandas

import tessera
from tessera import characterise, display

EXPLANATION = [
    "PSNR (dB) and SSIM are those of our picture beside the one that was recorded. OLED: mW while the frame is shown, by",
    "PowerTutor's model of a Nexus One at full brightness, and by light that is linear in the same coefficients; mJ is of",
    "1/60 s (`tessera.display`). Quads: those shaded. Overdraw: fragments shaded for each pixel. In the figure, what the",
    "model takes off for the mixture of colours is taken off each colour in proportion.",
]
SHOWN = ["kind", "size", "quads", "overdraw", "PSNR", "SSIM", "OLED mW", "OLED mW, linear", "OLED mJ"]
FRAME_SECONDS = 1 / 60


def row(path: pathlib.Path, kinds: Mapping[str, str]) -> dict[str, object]:
    """Of the first frame of a trace."""
    with tessera.open_trace(path) as trace:
        frame = trace.frame(0)
        picture = frame.image()
        shown = frame.presented.iloc[0]
        overdraw = tessera.tile_map(trace, 0)
        power = display.power(picture)
        quads = int((frame.shaded_lanes() > 0).sum())
        instructions = characterise.executed(trace, characterise.Instructions(path), characterise.runs_of(frame)[1]).sum()
    tiles = numpy.outer(numpy.diff([*overdraw.y.values, shown.height]), numpy.diff([*overdraw.x.values, shown.width]))
    return {
        "kind": kinds.get(path.stem, ""),
        "size": f"{shown.width}x{shown.height}",
        "quads": quads,
        "instructions": int(instructions),
        "overdraw": float((overdraw.values * tiles).sum() / tiles.sum()),
        "PSNR": numpy.nan if frame.image_psnr is None else frame.image_psnr,
        "SSIM": numpy.nan if frame.image_ssim is None else frame.image_ssim,
        **{f"OLED {part}": float(value) for part, value in power.items()},
        "OLED mW": float(power.sum()),
        "OLED mW, linear": float(display.power(picture, display.NEXUS_ONE_LINEAR).sum()),
        "OLED mJ": display.energy(picture, FRAME_SECONDS),
    }


def table(traces: Sequence[pathlib.Path], kinds: Mapping[str, str]) -> pandas.DataFrame:
    """A row an application; `kinds` says which are 2D and which 3D."""
    return pandas.DataFrame({path.stem: row(path, kinds) for path in traces}).T.infer_objects().rename_axis("application")
