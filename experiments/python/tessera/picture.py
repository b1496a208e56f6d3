"""Pictures of frames as arrays."""

import pathlib
from typing import BinaryIO

import numpy


def picture_of(file: pathlib.Path | BinaryIO) -> numpy.ndarray:
    """Of a PNG file: [row, column, colour] of red, green and blue, 0 to 255."""
    from matplotlib import image

    return numpy.rint(image.imread(file, format="png")[..., :3] * 255).astype(numpy.uint8)
