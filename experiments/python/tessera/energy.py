"""What runs cost: the parts that `tessera energy` writes beside results, and figures of them.

    parts = tessera.open("out").energy()         # a row a frame and part, pJ
    energy.by_component(parts)                   # low, typical and high of every component
    energy.shares(parts)                         # of the GPU's energy
    energy.bars({"private": a, "mesh": b}, baseline="private")
"""

import pathlib
from typing import TYPE_CHECKING, Mapping

import pandas
import xxhash

from .label import FileError
from .names import unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST_LINE = "# tessera energy 1"
LEFT_OUT = "# left out "
FIGURES = ["low_pJ", "typical_pJ", "high_pJ"]
COLUMNS = ["frame", "seconds", "component", "part", "structure", "kind", "cause", *FIGURES]


def read(path: str | pathlib.Path, digest: str | None = None, machine: str | None = None) -> pandas.DataFrame:
    """The parts of a run, a row a frame and part.

    `attrs` has the table, the technology, the results' digest and, as `left_out`, why kinds of units are priced without
    a structure, by kind: energies of runs that leave out different ones are not those of comparable machines.

    Raises tessera.FileError if the file is something else or, where `digest` is given, of other results, or of another
    machine than the one whose resolved TOML is `machine`.
    """
    path = pathlib.Path(path)
    try:
        with open(path, encoding="utf-8") as file:
            head = [file.readline().rstrip("\n") for _ in range(5)]
            left_out: dict[str, str] = {}
            while (line := file.readline().rstrip("\n")).startswith(LEFT_OUT):
                kinds, _, why = line.removeprefix(LEFT_OUT).partition(": ")
                left_out |= {kind: why for kind in kinds.split()}
            if head[0] != FIRST_LINE or line != ",".join(COLUMNS):
                raise FileError(f"{path}: expected what 'tessera energy' writes, found something else")
            parts = pandas.read_csv(file, names=COLUMNS)
    except FileNotFoundError:
        raise FileError(f"{path}: not there; 'tessera energy {path.parent}' writes it") from None
    except (UnicodeDecodeError, pandas.errors.ParserError) as error:
        raise FileError(f"{path}: damaged: {error}") from None
    results, *of_machine = head[1].removeprefix("# results ").split(" ")
    if (digest is not None and results != digest) or (
            machine is not None and of_machine and of_machine[0] != xxhash.xxh3_128_hexdigest(machine)):
        raise FileError(f"{path}: of other results; 'tessera energy {path.parent} --force' prices these")
    name, table_digest = head[2].removeprefix("# table ").rsplit(" ", 1)
    technology = head[4].removeprefix("# technology ")
    parts.attrs = {"results": results, "table": name, "table_digest": table_digest, "technology": technology,
                   "left_out": left_out}
    return parts


def _check_parts(parts: pandas.DataFrame) -> None:
    if not isinstance(parts, pandas.DataFrame):
        raise TypeError(f"parts: expected what Results.energy() gives, found {type(parts).__name__}")


def _check_figure(figure: str) -> None:
    if figure not in FIGURES:
        raise unknown("figure: expected a column of energies", figure, FIGURES)


def by_component(parts: pandas.DataFrame) -> pandas.DataFrame:
    """Energy of all frames, pJ: a row a component, in the order of the table, with its part ("gpu" or "memory")."""
    _check_parts(parts)
    return parts.groupby(["component", "part"], sort=False)[FIGURES].sum().reset_index("part")


def by_frame(parts: pandas.DataFrame) -> pandas.DataFrame:
    """Energy of every frame, pJ, of GPU and memory apart."""
    _check_parts(parts)
    return parts.groupby(["frame", "part"])[FIGURES].sum()


def shares(parts: pandas.DataFrame, part: str = "gpu", figure: str = "typical_pJ") -> pandas.Series:
    """Each component as a fraction of its part, all with one figure: low_pJ, typical_pJ or high_pJ."""
    _check_parts(parts)
    _check_figure(figure)
    if part not in set(parts.part):
        raise unknown("part: expected a part of the machine", part, sorted(set(parts.part)))
    components = by_component(parts)
    components = components[components.part == part]
    return (components[figure] / components[figure].sum()).rename("share")


def power(parts: pandas.DataFrame) -> pandas.DataFrame:
    """Mean power in W of GPU and memory: low, typical, high."""
    _check_parts(parts)
    seconds = parts.groupby("frame").seconds.first().sum()
    watts = parts.groupby("part")[FIGURES].sum() * 1e-12 / seconds
    return watts.rename(columns=lambda name: name.replace("_pJ", "_W"))


def normalised(runs: Mapping[str, pandas.DataFrame], baseline: str, figure: str = "typical_pJ") -> pandas.DataFrame:
    """GPU and memory energy of runs over all energy of the baseline, all with one figure: a row a run.

    `runs`: parts by name; `baseline`: the name of one of them. Raises ValueError if one has another number of frames.
    """
    _check_figure(figure)
    if baseline not in runs:
        raise KeyError(f"the baseline {baseline!r} is none of the runs: {', '.join(map(str, runs))}")
    for parts in runs.values():
        _check_parts(parts)
    expected = runs[baseline].frame.nunique()
    for name, parts in runs.items():
        if (found := parts.frame.nunique()) != expected:
            raise ValueError(f"{name}: has {found} frames, and the baseline {expected}: their energies cannot be compared")
    whole = runs[baseline][figure].sum()
    rows = {name: parts.groupby("part")[figure].sum() / whole for name, parts in runs.items()}
    return pandas.DataFrame(rows).T.reindex(columns=["memory", "gpu"]).fillna(0)


def bars(runs: Mapping[str, pandas.DataFrame], baseline: str) -> "Figure":
    """Stacked bars, a bar a run: memory below, the GPU above, over the baseline's energy (as figure 10 of paper 004).

    Whiskers reach to the same ratios with all figures low and with all high: what is uncertain in the same way in both
    runs does not make their ratio uncertain.
    """
    from . import figures

    table = normalised(runs, baseline).rename(columns={"gpu": "GPU"})
    ratios = pandas.DataFrame({name: normalised(runs, baseline, name).sum(axis=1) for name in FIGURES})
    drawn = figures.bars(table, f"energy / energy of {figures.label(baseline)}", one=1, stacked=True)
    height = ratios.typical_pJ
    reach = [height - ratios.min(axis=1), ratios.max(axis=1) - height]
    axes = drawn.axes[0]
    axes.errorbar(range(len(table)), height, yerr=reach, fmt="none", ecolor="#444444", elinewidth=0.8, capsize=3)
    axes.set_ylim(bottom=0)
    return drawn
