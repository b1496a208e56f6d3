"""Characterises a suite of frame traces: what kind of work its applications are, machine left aside.

    python3 -m tessera.characterise build/suite/*.h5 -o build/characterisation

writes applications.csv, of which the first columns are a table like paper 004's Table II, and figures 4.1 to 4.5 of
paper 002 as SVG, PNG and CSV: registers and instructions of a program, instructions of a frame, operands of an
instruction. Programs count once each where a program is meant, and as often as they ran where a frame is: a vertex program
once for a vertex, a fragment program once for a quad. Applications are described by the titles of experiments/workloads.
"""

import argparse
import errno
import pathlib
import sys
import tomllib
from typing import Sequence

import numpy
import pandas

from .command import one_line
from .hdf5 import open_file
from .label import check_label
from .names import check_distinct
from .trace import MAGIC, Frame, Trace, open_trace

TESSERA_NONE = 0xFFFFFFFF
REGISTER_FILES = ("input", "output", "temporary")
MOST_OPERANDS = 4
WORKLOADS = pathlib.Path(__file__).parents[2] / "workloads"
TABLE = {  # columns of the printed table and how they are headed
    "description": "description",
    "draws_per_frame": "draws",
    "vertex_instructions_per_frame": "vertex shader instr. (mill.)",
    "fragment_instructions_per_frame": "fragment shader instr. (mill.)",
}


Runs = dict[tuple[int, int], int]  # of a program's path: how often


class Instructions:
    """What every program consists of: arrays over instructions, and where each program's begin."""

    def __init__(self, path: pathlib.Path) -> None:
        check_label(path, MAGIC)
        with open_file(path) as file:
            group = file["instructions"]
            files = [name.decode() for name in group["register_files"][:]]
            self.sources = group["source_count"][:].astype(int)
            self.file = group["operand_file"][:]
            self.index = group["operand_index"][:].astype(numpy.int64)
            self.register = numpy.isin(self.file, [files.index(name) for name in REGISTER_FILES])
            counts = file["programs/instruction_count"][:].astype(int)
        self.begin = numpy.concatenate([[0], numpy.cumsum(counts)])

    def of(self, program: int) -> slice:
        return slice(self.begin[program], self.begin[program + 1])

    def registers(self, program: int) -> int:
        """Input, output and temporary registers that the program's instructions name."""
        part = self.of(program)
        used = self.register[part]
        names = numpy.stack([self.file[part][used].astype(numpy.int64), self.index[part][used]])
        return len(numpy.unique(names, axis=1).T)


def program_table(trace: Trace, instructions: Instructions) -> pandas.DataFrame:
    """One row per program: stage, registers, instructions, mean operands of an instruction."""
    rows = []
    for program, stage in enumerate(trace.programs.stage):
        sources = instructions.sources[instructions.of(program)]
        rows.append(
            {
                "stage": stage,
                "registers": instructions.registers(program),
                "instructions": len(sources),
                "operands": sources.mean() if len(sources) else 0.0,
            }
        )
    return pandas.DataFrame(rows, columns=["stage", "registers", "instructions", "operands"])


def count_runs(program: numpy.ndarray, path: numpy.ndarray, wanted: numpy.ndarray) -> Runs:
    """How often each path of each program ran: {(program, path): times}."""
    pairs = numpy.stack([program[wanted].astype(numpy.int64), path[wanted].astype(numpy.int64)])
    kinds, times = numpy.unique(pairs, axis=1, return_counts=True)
    return {(int(p), int(q)): int(n) for p, q, n in zip(*kinds, times)}


def runs_of(frame: Frame) -> tuple[Runs, Runs]:
    """Paths run by the vertices and by the shaded quads of a frame: two of `count_runs`."""
    draws, vertices, quads = frame.draws, frame.vertices, frame.quads
    counts = draws.vertex_count.to_numpy().astype(numpy.int64)
    first = draws.first_vertex.to_numpy().astype(numpy.int64)
    owner = numpy.repeat(numpy.arange(len(draws)), counts)
    row = numpy.arange(len(owner)) + (first - (numpy.cumsum(counts) - counts))[owner]
    program = draws.vertex_program.to_numpy()[owner]
    vertex_runs = count_runs(program, vertices.path.to_numpy()[row], program != TESSERA_NONE)
    fragment_runs = count_runs(
        draws.fragment_program.to_numpy()[frame.draw_of_quads()], quads.path.to_numpy(), frame.shaded_lanes() != 0
    )
    return vertex_runs, fragment_runs


def executed(trace: Trace, instructions: Instructions, runs: Runs) -> numpy.ndarray:
    """Instructions run, by number of operands: an array of MOST_OPERANDS + 1 counts."""
    total = numpy.zeros(MOST_OPERANDS + 1, int)
    paths = {}
    for (program, path), times in runs.items():
        if program not in paths:
            paths[program] = trace.paths(program)
        sources = instructions.sources[instructions.begin[program] + paths[program][path]]
        total += times * numpy.bincount(sources, minlength=MOST_OPERANDS + 1)
    return total


def describe(application: str) -> str:
    """The title of a workload; empty if it is none."""
    recipe = WORKLOADS / f"{application}.toml"
    return tomllib.loads(recipe.read_text())["title"] if recipe.is_file() else ""


def characterise(path: pathlib.Path) -> dict[str, object]:
    """One application: a dictionary of what the table and the figures show; per frame, where it says so."""
    instructions = Instructions(path)
    with open_trace(path) as trace:
        programs = program_table(trace, instructions)
        vertex = numpy.zeros(MOST_OPERANDS + 1, int)
        fragment = numpy.zeros(MOST_OPERANDS + 1, int)
        counted = dict.fromkeys(("draws", "primitives", "vertices", "quads"), 0)
        frames = len(trace)
        for position in range(frames):
            frame = trace.frame(position)
            vertex_runs, fragment_runs = runs_of(frame)
            vertex += executed(trace, instructions, vertex_runs)
            fragment += executed(trace, instructions, fragment_runs)
            for table in counted:
                counted[table] += len(getattr(frame, table))
    both = vertex + fragment
    application = pathlib.Path(path).stem
    result = {
        "application": application,
        "description": describe(application),
        "vertex_instructions_per_frame": vertex.sum() / max(frames, 1),
        "fragment_instructions_per_frame": fragment.sum() / max(frames, 1),
        "frames": frames,
    }
    result |= {f"{table}_per_frame": count / max(frames, 1) for table, count in counted.items()}
    result |= {
        "programs": len(programs),
        "registers_per_program": programs.registers.mean(),
        "instructions_per_program": programs.instructions.mean(),
        "operands_per_instruction": both @ numpy.arange(MOST_OPERANDS + 1) / max(both.sum(), 1),
    }
    result |= {f"share_{n}_operands": both[n] / max(both.sum(), 1) for n in range(MOST_OPERANDS + 1)}
    return result


def characterise_suite(paths: Sequence[pathlib.Path]) -> pandas.DataFrame:
    """One row per application."""
    return pandas.DataFrame([characterise(path) for path in paths]).set_index("application")


def application_table(table: pandas.DataFrame) -> pandas.DataFrame:
    """What paper 004's Table II shows, of one frame: no popularity, and no cycles, which depend on the machine."""
    shown = table[list(TABLE)].copy()
    for stage in ("vertex", "fragment"):
        shown[f"{stage}_instructions_per_frame"] *= 1e-6
    return shown.rename(columns=TABLE)


FIGURES = {
    "figure_4.1": ("registers_per_program", "average registers per shader program", 1),
    "figure_4.2": ("instructions_per_program", "average instructions per shader program", 1),
    "figure_4.3": ("fragment_instructions_per_frame", "fragment instructions of a frame (million)", 1e-6),
    "figure_4.5": ("operands_per_instruction", "average operands per executed instruction", 1),
}


def draw_figures(table: pandas.DataFrame, folder: pathlib.Path) -> list[pathlib.Path]:
    """The figures as SVG, PNG and, what they show, CSV files in the folder; paths of the PNG files."""
    from . import figures

    for name, (column, value, scale) in FIGURES.items():
        shown = table[[column]] * scale
        shown.loc["average"] = shown.mean()
        figures.write(figures.bars(shown, value, summary=True), shown, folder, name)
    shares = 100 * table[[f"share_{n}_operands" for n in range(MOST_OPERANDS + 1)]]
    shares.columns = [str(n) for n in range(MOST_OPERANDS + 1)]
    shares.loc["average"] = shares.mean()
    drawn = figures.bars(shares, "executed instructions (%)", stacked=True, summary=True, legend="operands")
    figures.write(drawn, shares, folder, "figure_4.4")
    return [folder / f"{name}.png" for name in sorted([*FIGURES, "figure_4.4"])]


@one_line("tessera.characterise")
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tessera.characterise", description=__doc__.splitlines()[0])
    parser.add_argument("traces", nargs="+", type=pathlib.Path, metavar="TRACE.h5")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="made if missing")
    parser.add_argument("--no-figures", action="store_true", help="only the table; needs no matplotlib")
    options = parser.parse_args(arguments)
    check_distinct("TRACE.h5", options.traces, lambda path: path.stem)
    missing = [path for path in options.traces if not path.is_file()]
    if missing:
        parser.error(f"{missing[0]}: no such file")
    if options.output.exists() and not options.output.is_dir():
        raise FileExistsError(errno.EEXIST, "File exists, and is no folder", str(options.output))
    table = characterise_suite(options.traces)
    options.output.mkdir(parents=True, exist_ok=True)
    table.to_csv(options.output / "applications.csv", float_format="%.6g")
    with pandas.option_context("display.width", 200, "display.max_columns", None, "display.max_colwidth", 60):
        print(application_table(table).to_string(float_format="%.2f"))
    if not options.no_figures:
        for path in draw_figures(table, options.output):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
