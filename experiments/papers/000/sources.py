"""Source prediction (paper 000, section 3.4) beside an oracle that looks into the texture caches of all processors: how
many requests of the prefetch queue miss, how many of these another texture cache could serve, and how many of those the
queue finds. The first frame of a trace, without time: every request is looked for and served before the next one.

Pixels are not looked for: on this machine a place on the screen is one processor's, so no two pixel caches have the same
line. But the line of each quad's pixels takes an entry of the queue.
"""

import pathlib
from typing import Sequence

import numpy
import pandas

import tessera

SETS, WAYS, PROCESSORS = 16, 2, 4  # 2 KiB in two ways of 64 bytes
ENTRIES, COMPARED = 16, 0xFF  # Table 1 and section 3.4
PIXELS = -1  # in place of a block: the line of a quad's pixels
SQUARE = 2  # quads on a side of what one processor gets: those of a line of four-byte pixels
QUADS_ACROSS_TILE = 16


class Cache:
    """Tags, least recently used first."""

    def __init__(self) -> None:
        self.sets: list[list[int]] = [[] for _ in range(SETS)]

    def holds(self, block: int) -> bool:
        return block in self.sets[block % SETS]

    def take(self, block: int) -> None:
        lines = self.sets[block % SETS]
        if block in lines:
            lines.remove(block)
        elif len(lines) == WAYS:
            lines.pop(0)
        lines.append(block)


class Queue:
    """A circular buffer whose entries are compared until they are written over."""

    def __init__(self, entries: int = ENTRIES, compared: int = COMPARED) -> None:
        self.entries: list[tuple[int, int]] = []
        self.size, self.compared = entries, compared

    def source_of(self, block: int, cache: int) -> int | None:
        """The other cache that the latest entry for the block was for."""
        for other, owner in reversed(self.entries):
            if other != PIXELS and owner != cache and (other ^ block) & self.compared == 0:
                return owner
        return None

    def push(self, block: int, cache: int) -> None:
        if len(self.entries) == self.size:
            self.entries.pop(0)
        self.entries.append((block, cache))


def requests(path: pathlib.Path) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Texture blocks of the first frame in the order of immediate rendering, PIXELS behind those of each quad, and the
    processor of each."""
    with tessera.open_trace(path) as trace:
        frame = trace.frame(0)
        quads, accesses, tiles, passes = frame.quads, frame.accesses, frame.tiles, frame.passes
        blocks = numpy.asarray(frame.blocks)
        programs = frame.draws.fragment_program.to_numpy()[frame.draw_of_quads()]
        is_shaded = frame.shaded_lanes() > 0
        count = accesses_of(trace, programs, quads.path.to_numpy())
    tile = numpy.repeat(numpy.arange(len(tiles)), tiles.quad_count)
    owner = numpy.searchsorted(passes.first_tile.to_numpy(), tile, side="right") - 1
    across = passes.tiles_x.to_numpy()[owner]
    in_pass = tile - passes.first_tile.to_numpy()[owner]
    x = (in_pass % across * QUADS_ACROSS_TILE + quads.x.to_numpy()) // SQUARE
    y = (in_pass // across * QUADS_ACROSS_TILE + quads.y.to_numpy()) // SQUARE
    processor = y % 2 * 2 + x % 2
    first = quads.first_access.to_numpy().astype(numpy.int64)
    order = numpy.argsort(quads.primitive.to_numpy(), kind="stable")
    order = order[is_shaded[order]]
    rows = spans(first[order], count[order])
    blocks_of = accesses.block_count.to_numpy().astype(numpy.int64)[rows]
    read = blocks[spans(accesses.first_block.to_numpy().astype(numpy.int64)[rows], blocks_of)].astype(numpy.int64)
    ends = numpy.concatenate([[0], numpy.cumsum(blocks_of)])[numpy.cumsum(count[order])]  # behind the blocks of each quad
    of_quad = numpy.diff(numpy.concatenate([[0], ends])) + 1
    return numpy.insert(read, ends, PIXELS), numpy.repeat(processor[order], of_quad)


def accesses_of(trace: tessera.trace.Trace, programs: numpy.ndarray, paths: numpy.ndarray) -> numpy.ndarray:
    """Texture instructions on the path of each quad, by its program and path."""
    count = numpy.zeros(len(paths), numpy.int64)
    for program in numpy.unique(programs):
        textures = (trace.instructions(int(program))["class"] == "texture").to_numpy()
        of_path = numpy.array([textures[counters].sum() for counters in trace.paths(int(program))])
        chosen = programs == program
        count[chosen] = of_path[paths[chosen]]
    return count


def spans(first: numpy.ndarray, count: numpy.ndarray) -> numpy.ndarray:
    """first[0], first[0] + 1, ... count[0] of them, then those of first[1]."""
    ends = numpy.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return numpy.arange(total) - numpy.repeat(ends - count, count) + numpy.repeat(first, count)


def study(blocks: Sequence[int], processors: Sequence[int]) -> dict[str, float]:
    """Counts and shares of requests, each for the texture cache of a processor."""
    caches = [Cache() for _ in range(PROCESSORS)]
    queue = Queue()
    count = misses = elsewhere = predicted = right = 0
    for block, processor in zip(blocks, processors):
        if block == PIXELS:
            queue.push(block, processor)
            continue
        if not caches[processor].holds(block):
            misses += 1
            elsewhere += any(cache.holds(block) for number, cache in enumerate(caches) if number != processor)
            source = queue.source_of(block, processor)
            predicted += source is not None
            right += source is not None and caches[source].holds(block)
        count += 1
        caches[processor].take(block)
        queue.push(block, processor)
    return {
        "requests": count,
        "miss_share": misses / max(1, count),
        "held_elsewhere": elsewhere / max(1, misses),
        "found_by_queue": right / max(1, misses),
        "predictions_right": right / max(1, predicted),
    }


def table(traces: Sequence[pathlib.Path], path: pathlib.Path) -> pandas.DataFrame:
    """A row an application, of its trace's first frame; what the file has of this trace is not computed again."""
    done = pandas.read_csv(path, index_col="application") if path.exists() else pandas.DataFrame()
    rows = {name: row.to_dict() for name, row in done.iterrows()}
    for trace in traces:
        with tessera.open_trace(trace) as opened:
            digest = opened.digest
        if rows.get(trace.stem, {}).get("trace") != digest:
            blocks, processors = requests(trace)
            rows[trace.stem] = {"trace": digest, **study(blocks.tolist(), processors.tolist())}
            pandas.DataFrame.from_dict(rows, orient="index").rename_axis("application").to_csv(path)
    table = pandas.DataFrame.from_dict(rows, orient="index").rename_axis("application")
    return table.loc[[trace.stem for trace in traces]].drop(columns="trace").astype(float)
