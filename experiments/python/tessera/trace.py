"""Frame traces of `tessera trace`. Layout and codes: io/frame_trace_file.md."""

import functools

import h5py
import numpy
import pandas

from .label import FileError, attribute, check_label

MAGIC = "TESSERA FRAME TRACE"


def open_trace(path):
    """A frame trace. Raises tessera.FileError if the file is damaged or something else."""
    return Trace(path)


def unzigzag(coded):
    """Small codes of small differences back into wrapping differences."""
    one = coded.dtype.type(1)
    return (coded >> one) ^ (numpy.zeros_like(coded) - (coded & one))


def decode(dataset, begin, end, columns):
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


class Frame:
    """One frame: every table is an attribute, a pandas.DataFrame or, with one column, a numpy.ndarray."""

    tables = (
        "passes colours draws attributes vertices fetches vertex_accesses vertex_blocks primitives tiles quads "
        "accesses blocks"
    ).split()

    def __init__(self, file, position):
        self._file = file
        self._position = position
        self.number = int(file["frames/number"][position])
        self.digest = file["frames/digest"][position].tobytes().hex()
        checked = bool(file["frames/image_checked"][position])
        self.image_psnr = float(file["frames/image_psnr"][position]) if checked else None
        self.image_ssim = float(file["frames/image_ssim"][position]) if checked else None

    def __getattr__(self, table):
        if table not in self.tables:
            raise AttributeError(table)
        value = self._read(table)
        setattr(self, table, value)
        return value

    def _read(self, table):
        begin, end = (int(row) for row in self._file[f"frames/{table}_rows"][self._position])
        group = self._file[table]
        columns = {}
        for name in group:
            columns[name] = decode(group[name], begin, end, columns)
        if len(columns) == 1:
            return next(iter(columns.values()))
        return pandas.DataFrame(columns)

    @functools.cached_property
    def png(self):
        """The rendered image as the bytes of a PNG file."""
        begin, end = (int(row) for row in self._file["frames/image_rows"][self._position])
        return self._file["images/png"][begin:end].tobytes()


class Trace:
    def __init__(self, path):
        check_label(path, MAGIC)
        self._path = path
        self._file = h5py.File(path, "r")

    def __len__(self):
        return len(self._file["frames/number"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._file.close()

    @property
    def attributes(self):
        return dict(self._file.attrs)

    @property
    def digest(self):
        return attribute(self._path, self._file.attrs, "digest")

    def frame(self, position):
        """The frame at a position in the file; its number in the recording is frame(i).number."""
        return Frame(self._file, range(len(self))[position])

    @functools.cached_property
    def programs(self):
        """One row per shader program, with its TGSI text."""
        group = self._file["programs"]
        columns = {name: group[name][:] for name in group if name != "text"}
        columns["text"] = group["text"].asstr()[:]
        programs = pandas.DataFrame(columns)
        programs["stage"] = programs.stage.map({0: "vertex", 1: "fragment"})
        return programs

    def paths(self, program):
        """The paths warps took through a program: a list of arrays of program counters."""
        counts = self._file["programs/path_count"][:].astype(int)
        first = counts[:program].sum()
        runs = self._file["paths/run_count"][:].astype(int)
        run_first, run_count = self._file["path_runs/first"][:].astype(int), self._file["path_runs/count"][:].astype(int)
        paths = []
        for path in range(first, first + counts[program]):
            begin = runs[:path].sum()
            pieces = [numpy.arange(run_first[r], run_first[r] + run_count[r]) for r in range(begin, begin + runs[path])]
            paths.append(numpy.concatenate(pieces) if pieces else numpy.array([], int))
        return paths
