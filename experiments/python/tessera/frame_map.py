"""Where on the frame the work is: sums over the quads of every tile of a frame trace.

    import tessera
    from tessera import figures
    trace = tessera.open_trace("game.h5")
    values = tessera.tile_map(trace, 0, "texture_blocks")
    figures.heat_map(values, trace.frame(0).image()).savefig("blocks.png")

It is work that the frame asks for, whatever the machine; results of a run have no counters by tile.
"""

import pathlib

import numpy
import xarray

from .trace import NONE, Frame, Trace, trace_of

TILE = 32  # pixels a side
LANES = numpy.array([bin(mask).count("1") for mask in range(16)])
MEASURES = {
    "quads": ("quads that cover the tile", "quad"),
    "overdraw": ("fragments shaded for each pixel", "1"),
    "overdraw_visible": ("fragments shaded for each pixel after the removal of hidden surfaces", "1"),
    "instructions": ("instructions of shaded quads", "instruction"),
    "texture_blocks": ("texture blocks of 64 bytes that shaded quads read", "block"),
}


def _passes(frame: Frame) -> list[int]:
    """Those that draw to the surface that is shown, or to one of its size: positions in frame.passes."""
    if len(frame.presented) == 0:
        raise ValueError(f"frame {frame.number} shows no picture, so there are no tiles to map")
    shown = frame.presented.iloc[0]
    owner = numpy.repeat(numpy.arange(len(frame.passes)), frame.passes.colour_count)
    to_it = owner[frame.colours.address.to_numpy() == shown.address].tolist()
    alike = (frame.passes.width == shown.width) & (frame.passes.height == shown.height)
    return sorted({*to_it, *numpy.flatnonzero(alike).tolist()})


def _path_lengths(trace: Trace, frame: Frame, wanted: numpy.ndarray, textures: bool = False) -> numpy.ndarray:
    """Instructions of the paths that the quads `wanted` (a mask) take, or the texture instructions alone; 0 for the
    others and without a program."""
    program = frame.draws.fragment_program.to_numpy()[frame.draw_of_quads()]
    path = frame.quads.path.to_numpy()
    lengths = numpy.zeros(len(path), numpy.int64)
    for number in numpy.unique(program[wanted]):
        if number == NONE:
            continue
        of_program = wanted & (program == number)
        counts = trace.instructions(int(number))["class"].to_numpy() == "texture" if textures else None
        by_path = [len(counters) if counts is None else counts[counters].sum() for counters in trace.paths(int(number))]
        lengths[of_program] = numpy.array(by_path)[path[of_program]]
    return lengths


def _texture_blocks(trace: Trace, frame: Frame, wanted: numpy.ndarray) -> numpy.ndarray:
    """Blocks that the quads `wanted` read: of as many accesses as there are texture instructions on their paths."""
    blocks = numpy.concatenate([[0], numpy.cumsum(frame.accesses.block_count.to_numpy(numpy.int64))])
    first = numpy.where(wanted, frame.quads.first_access.to_numpy(numpy.int64), 0)
    return blocks[first + _path_lengths(trace, frame, wanted, textures=True)] - blocks[first]


def tile_map(trace: Trace | str | pathlib.Path, position: int, measure: str = "overdraw") -> xarray.DataArray:
    """Of the frame at a position of the trace: [y, x], a value a tile, summed over the passes that draw to the
    surface that is shown, or to another of its size. `trace` is open, or a path.

    `measure` is one of MEASURES; units and meaning are attributes. Coordinates are pixels of the tiles' top left corners.
    Raises ValueError if the measure is another, or the frame only computes.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(MEASURES)}, found '{measure}'")
    with trace_of(trace) as opened:
        return _map_of(opened, opened.frame(position), measure)


def _map_of(trace: Trace, frame: Frame, measure: str) -> xarray.DataArray:
    passes = _passes(frame)
    quads = frame.quads
    shaded = frame.shaded_lanes()
    if measure == "quads":
        value = numpy.ones(len(quads))
    elif measure == "overdraw":
        value = LANES[shaded]
    elif measure == "overdraw_visible":
        value = LANES[frame.shaded_lanes(hidden_surface_removal=True)]
    elif measure == "instructions":
        value = _path_lengths(trace, frame, shaded != 0)
    else:
        value = _texture_blocks(trace, frame, shaded != 0)
    up_to = numpy.concatenate([[0], numpy.cumsum(value)])
    first, count = (frame.tiles[name].to_numpy(numpy.int64) for name in ("first_quad", "quad_count"))
    of_tile = up_to[first + count] - up_to[first]
    width, height = int(frame.presented.width[0]), int(frame.presented.height[0])
    shape = (-(-height // TILE), -(-width // TILE))
    total = numpy.zeros(shape)
    for drawn in passes:
        begin, down, right = (int(frame.passes[name][drawn]) for name in ("first_tile", "tiles_y", "tiles_x"))
        part = of_tile[begin : begin + down * right].reshape(down, right)[: shape[0], : shape[1]]
        total[: part.shape[0], : part.shape[1]] += part
    y, x = (numpy.arange(length) * TILE for length in shape)
    if measure.startswith("overdraw"):  # tiles at the edges have fewer pixels
        total /= numpy.outer(numpy.minimum(TILE, height - y), numpy.minimum(TILE, width - x))
    name, units = MEASURES[measure]
    return xarray.DataArray(
        total, dims=("y", "x"), name=measure,
        coords={"y": ("y", y, {"units": "pixel"}), "x": ("x", x, {"units": "pixel"})},
        attrs={"long_name": name, "units": units, "tile": TILE, "width": width, "height": height},
    )
