"""How the commands of this package end where something is wrong: in one line, with the exit codes of the program."""

import functools
import sys
from collections.abc import Callable, Sequence

from .label import FileError

Main = Callable[[Sequence[str] | None], int]


def one_line(name: str) -> Callable[[Main], Main]:
    """For a main(): 2 what was asked for cannot be, 3 a file is damaged or something else, 4 it cannot be read or
    written."""

    def decorate(main: Main) -> Main:
        @functools.wraps(main)
        def told(arguments: Sequence[str] | None = None) -> int:
            try:
                return main(arguments)
            except FileError as error:
                code, text = 3, str(error)
            except (IndexError, ValueError) as error:
                code, text = 2, str(error)
            except OSError as error:
                code, text = 4, f"{error.filename}: {error.strerror}" if error.filename else str(error)
            print(f"{name}: error: {text}", file=sys.stderr)
            return code

        return told

    return decorate
