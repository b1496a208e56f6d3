"""Names and positions that a caller gives: what is not there is refused, with what is there and what may have been meant."""

import difflib
import operator
from collections.abc import Iterable

MOST_NAMED = 40


def unknown(what: str, found: object, known: Iterable[object]) -> KeyError:
    """To be raised. `what`: "out/results.h5: expected a kind of unit"."""
    names = [str(name) for name in known]
    near = difflib.get_close_matches(str(found), names, 1)
    listed = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
    return KeyError(f"{what}, one of {listed or 'none'}; found {found!r}" + (f", did you mean {near[0]!r}?" if near else ""))


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
