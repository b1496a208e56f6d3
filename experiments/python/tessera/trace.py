"""Frame traces of `tessera trace`. Layout and codes: io/frame_trace_file.md."""

import contextlib
import functools
import io
import os
import pathlib
from collections.abc import Iterable

import h5py
import numpy
import pandas
import xxhash

from .hdf5 import open_file
from .label import FileError, attribute, check_label
from .names import position_of
from .picture import picture_of

MAGIC = "TESSERA FRAME TRACE"


def open_trace(path: str | pathlib.Path) -> "Trace":
    """A frame trace. Raises tessera.FileError if the file is damaged or something else."""
    return Trace(path)


def unzigzag(coded: numpy.ndarray) -> numpy.ndarray:
    """Small codes of small differences back into wrapping differences."""
    one = coded.dtype.type(1)
    return (coded >> one) ^ (numpy.zeros_like(coded) - (coded & one))


def decode(dataset: h5py.Dataset, begin: int, end: int, columns: dict[str, numpy.ndarray]) -> numpy.ndarray:
    """The values of rows begin..end of a column. `columns`: those of the table decoded so far."""
    coded = dataset[begin:end]
    code, _, partner = dataset.attrs["coding"].partition(" ")
    if code == "plain":
        return coded
    if code == "xor":
        return coded ^ columns[partner]
    differences = unzigzag(coded)
    if code == "run":  # relative to the end of the row before
        differences[1:] += columns[partner][:-1].astype(coded.dtype)
    elif code != "delta":
        raise FileError(f"{dataset.name}: unknown coding '{code}'; this package is older than the file")
    return numpy.cumsum(differences, dtype=coded.dtype)


FILTERS = "nothing fetch nearest bilinear trilinear anisotropic gather size_query lod_query".split()
STAGES = ["vertex", "fragment", "compute"]
CLASSES = "float integer conversion special texture memory control".split()
OPERATIONS = ["read", "write", "atomic"]
SPACES = ["buffer", "image", "shared"]
NONE = 0xFFFFFFFF  # "no row" in a column of rows


class Frame:
    """One frame: every table is an attribute, a pandas.DataFrame or, with one column, a numpy.ndarray.

    Of its tables (io/frame_trace_file.md) these are worth a word:
    draws            depth_test, stencil_test, depth_write, stencil_write, early_depth, early_test, discards, samples;
                     colour_mask with four bits a target, blend and partial with one
    colours          targets of passes; compressed where a texel is a compressed block (not in files before version 5)
    quads            masks of lanes: coverage, early_pass, early_test, visible, written, shaded, reconstructed
    accesses         of texture instructions: block_count, samples (bilinear), lod in 1/256, filter (a number of FILTERS),
                     texel_bytes as the filter takes them (in files of version 3, of compressed formats, of a block);
                     vertex_accesses and kernel_accesses alike
    tiles            input_hash; colour_hashes has the final colours, a row for each target of a pass
    constants        stage (of STAGES), slot, address, bytes; constant_accesses are of indirect operands
    uploads          before_draw, before_kernel, address, bytes
    kernels          grid and block; thread_groups of 32 threads, memory_accesses with operation (of OPERATIONS) and space
                     (of SPACES), whose addresses thread_addresses_of() gives
    presented        the surface that is shown, with sums of its colours and of their squares
    """

    tables = (
        "passes colours draws attributes vertices fetches vertex_accesses vertex_blocks primitives tiles quads "
        "accesses blocks colour_hashes constants constant_accesses constant_indices uploads kernels thread_groups "
        "memory_accesses thread_addresses kernel_accesses kernel_blocks presented"
    ).split()

    def __init__(self, file: h5py.File, position: int) -> None:
        self._file = file
        self._position = position
        self.number = int(file["frames/number"][position])
        self.digest = file["frames/digest"][position].tobytes().hex()
        checked = bool(file["frames/image_checked"][position])
        self.image_psnr = float(file["frames/image_psnr"][position]) if checked else None
        self.image_ssim = float(file["frames/image_ssim"][position]) if checked else None

    def __getattr__(self, table: str) -> pandas.DataFrame | numpy.ndarray:
        if table not in self.tables:
            raise AttributeError(table)
        value = self._read(table)
        setattr(self, table, value)
        return value

    def _read(self, table: str) -> pandas.DataFrame | numpy.ndarray:
        begin, end = (int(row) for row in self._file[f"frames/{table}_rows"][self._position])
        group = self._file[table]
        columns = {}
        for name in group:
            columns[name] = decode(group[name], begin, end, columns)
        if len(columns) == 1:
            return next(iter(columns.values()))
        return pandas.DataFrame(columns)

    def thread_addresses_of(self, access: int) -> dict[int, int]:
        """The addresses of a row of memory_accesses: a dict from thread, 0 to 31, to address."""
        accesses = self.memory_accesses
        row = accesses.iloc[position_of(f"frame {self.number}: row of memory_accesses", access, len(accesses))]
        threads = [thread for thread in range(32) if int(row.threads) >> thread & 1]
        if row.first_address != NONE:
            first = int(row.first_address)
            return dict(zip(threads, self.thread_addresses[first : first + len(threads)].tolist()))
        return {thread: int(row.base) + int(row.stride) * (thread - threads[0]) for thread in threads}

    def draw_of_quads(self) -> numpy.ndarray:
        """Of each row of quads, the row of draws."""
        return self.primitives.draw.to_numpy()[self.quads.primitive.to_numpy()]

    def shaded_lanes(self, hidden_surface_removal: bool = False) -> numpy.ndarray:
        """Of each row of quads, the lanes that a machine shades (a mask, 0 to 15): `shaded`, and of these only `visible`
        ones where hidden surfaces are removed first; none of draws whose depth is all that is wanted, and known before.
        """
        lanes = self.quads.shaded.to_numpy()
        if hidden_surface_removal:
            lanes = lanes & self.quads.visible.to_numpy()
        depth_only = (self.draws.early_depth.to_numpy() != 0) & (self.draws.colour_mask.to_numpy() == 0)
        return numpy.where(depth_only[self.draw_of_quads()], 0, lanes)

    @functools.cached_property
    def png(self) -> bytes:
        """The rendered image as the bytes of a PNG file; empty if the frame shows none."""
        begin, end = (int(row) for row in self._file["frames/image_rows"][self._position])
        return self._file["images/png"][begin:end].tobytes()

    def image(self) -> numpy.ndarray:
        """The rendered image: [row, column, colour] of red, green and blue, 0 to 255. Raises ValueError without one."""
        if not self.png:
            raise ValueError(f"frame {self.number} shows no picture")
        return picture_of(io.BytesIO(self.png))


class Trace:
    """A frame trace: len() frames, their shader programs, and the paths through those."""

    def __init__(self, path: str | pathlib.Path) -> None:
        check_label(path, MAGIC)
        self._path = path
        self._file = open_file(path)

    def __len__(self) -> int:
        return len(self._file["frames/number"])

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    @property
    def attributes(self) -> dict[str, object]:
        return dict(self._file.attrs)

    @property
    def digest(self) -> str:
        return attribute(self._path, self._file.attrs, "digest")

    def digest_of(self, numbers: Iterable[int]) -> str:
        """Of the frames with these numbers in the recording, as a run of them has it for its workload."""
        wanted = set(int(number) for number in numbers)
        held = self._file["frames/number"][:].tolist()
        if missing := sorted(wanted.difference(held)):
            raise ValueError(f"{self._path}: has no frame with the number {missing[0]}, only {held[0]} to {held[-1]}")
        digest = xxhash.xxh3_128()
        for position, number in enumerate(self._file["frames/number"][:]):
            if int(number) in wanted:
                text = self._file["frames/digest"][position].tobytes().hex().encode()
                digest.update(len(text).to_bytes(8, "little") + text)
        return digest.hexdigest()

    def frame(self, position: int) -> Frame:
        """The frame at a position in the file; its number in the recording is frame(i).number. Raises IndexError if
        there is none."""
        return Frame(self._file, position_of(f"{self._path}: frame", position, len(self)))

    @functools.cached_property
    def programs(self) -> pandas.DataFrame:
        """One row per shader program, with its TGSI text."""
        group = self._file["programs"]
        columns = {name: group[name][:] for name in group if name != "text"}
        columns["text"] = group["text"].asstr()[:]
        programs = pandas.DataFrame(columns)
        programs["stage"] = programs.stage.map(dict(enumerate(STAGES)))
        return programs

    def instructions(self, program: int) -> pandas.DataFrame:
        """One row per instruction of a program: opcode, class (of CLASSES), texture_unit, whether a texture instruction is
        dependent, and of destination and sources the register file, components and swizzle ("xyzw")."""
        group = self._file["instructions"]
        counts = self._file["programs/instruction_count"][:].astype(int)
        program = position_of(f"{self._path}: program", program, len(counts))
        rows = slice(counts[:program].sum(), counts[: program + 1].sum())
        opcodes, files = group["opcode_names"].asstr()[:], group["register_files"].asstr()[:]
        table = pandas.DataFrame({"opcode": opcodes[group["opcode"][rows]]})
        table["class"] = numpy.array(CLASSES)[group["class"][rows]]
        table["dependent"] = group["dependent"][rows].astype(bool)
        table["texture_unit"] = group["texture_unit"][rows].astype(numpy.int16)
        for position, name in enumerate(["destination", "source_0", "source_1", "source_2", "source_3"]):
            table[name] = files[group["operand_file"][rows, position]]
            table[name + "_components"] = group["operand_components"][rows, position]
            table[name + "_swizzle"] = [
                "".join("xyzw"[code >> 2 * place & 3] for place in range(4))
                for code in group["operand_swizzle"][rows, position].tolist()
            ]
        return table

    def paths(self, program: int) -> list[numpy.ndarray]:
        """The paths warps took through a program: a list of arrays of program counters."""
        return [pcs for pcs, _ in self._paths(program)]

    def path_lanes(self, program: int) -> list[numpy.ndarray]:
        """For each path, the mask of the lanes that executed each of its instructions."""
        return [lanes for _, lanes in self._paths(program)]

    def _paths(self, program: int) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
        counts = self._file["programs/path_count"][:].astype(int)
        program = position_of(f"{self._path}: program", program, len(counts))
        first = counts[:program].sum()
        runs = self._file["paths/run_count"][:].astype(int)
        run_first, run_count = self._file["path_runs/first"][:].astype(int), self._file["path_runs/count"][:].astype(int)
        run_lanes = self._file["path_runs/lanes"][:]
        paths = []
        for path in range(first, first + counts[program]):
            begin = runs[:path].sum()
            of_path = range(begin, begin + runs[path])
            pieces = [numpy.arange(run_first[r], run_first[r] + run_count[r]) for r in of_path]
            counters = numpy.concatenate(pieces) if pieces else numpy.array([], int)
            paths.append((counters, numpy.repeat(run_lanes[begin : begin + runs[path]], run_count[list(of_path)])))
        return paths


def trace_of(trace: Trace | str | pathlib.Path) -> contextlib.AbstractContextManager[Trace]:
    """For `with`: opens and closes what is at a path, leaves what is open as it is."""
    if isinstance(trace, Trace):
        return contextlib.nullcontext(trace)
    if not isinstance(trace, (str, os.PathLike)):
        raise TypeError(f"expected a frame trace, or its path, found {type(trace).__name__}")
    return open_trace(trace)
