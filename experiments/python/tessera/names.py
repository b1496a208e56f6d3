"""Names and positions that a caller gives: what is not there is refused, with what is and what may have been meant."""

import collections
import difflib
import operator
import pathlib
from collections.abc import Callable, Iterable

MOST_NAMED = 40


def unknown(what: str, found: object, known: Iterable[object]) -> KeyError:
    """To be raised. `what`: "out/results.h5: expected a kind of unit"."""
    names = [str(name) for name in known]
    near = difflib.get_close_matches(str(found), names, 1)
    listed = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
    hint = f", did you mean {near[0]!r}?" if near else ""
    return KeyError(f"{what}, one of {listed or 'none'}; found {found!r}{hint}")


def labels(paths: Iterable[str]) -> dict[str, str]:
    """Short names of files, by path: without folder and ending, "game" of "suite/game.vtr.zst"; where several would
    have one name, with as many folders, and if that is not enough the ending, as tell them apart."""
    every = list(dict.fromkeys(paths))
    parts = {path: [part for part in pathlib.PurePath(path).parts if part != "/"] for path in every}
    stems = {path: pathlib.PurePath(path).stem.removesuffix(".vtr") for path in every}
    found: dict[str, str] = {}
    for folders in range(max(map(len, parts.values()), default=0)):
        names = {path: "/".join([*parts[path][:-1][-folders:], stems[path]] if folders else [stems[path]])
                 for path in every if path not in found}
        count = collections.Counter(names.values())
        found.update({path: name for path, name in names.items() if count[name] == 1})
    return {path: found.get(path, path) for path in every}


def check_distinct(what: str, paths: Iterable[object], name_of: Callable[[pathlib.Path], str]) -> None:
    """Raises ValueError if two of the files would have one name: what is made of one would replace the other's."""
    by_name: dict[str, object] = {}
    for path in paths:
        first = by_name.setdefault(name_of(pathlib.Path(str(path))), path)
        if first is not path:
            raise ValueError(f"{what}: expected files of different names, found {first} and {path}")


def position_of(what: str, position: int, count: int) -> int:
    """From 0, as of a list: -1 is the last one. Raises IndexError if there is no such one. `what`: "out: frame"."""
    wanted = operator.index(position)
    if not -count <= wanted < count:
        there = f"there are {count}, at 0 to {count - 1}" if count else "there are none"
        raise IndexError(f"{what}: expected a position, found {wanted}; {there}")
    return wanted % count


def frames_after(what: str, after: int, count: int) -> int:
    """A number of frames at the beginning to be left out. Raises ValueError if there are not so many."""
    if not 0 <= operator.index(after) <= count:
        raise ValueError(f"{what}: expected to leave out 0 to {count} of its {count} frames, found {after}")
    return after
