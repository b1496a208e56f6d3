"""The label in front of Tessera's files, checked before HDF5 sees them: HDF5 does not survive every flipped bit.

    TESSERA RESULTS 5
    content BYTES xxh3-128 DIGEST

in the first 512 bytes; BYTES and DIGEST are those of the rest of the file (io/file_label.h).
"""

import os
import re
from typing import Any, Mapping

import xxhash

LABEL_BYTES = 512
PIECE_BYTES = 1 << 20
# What they are called, and the versions that are read.
KINDS = {
    "TESSERA RESULTS": ("results of `tessera run`", (3, 4, 5)),
    "TESSERA FRAME TRACE": ("a frame trace", (3, 4, 5)),
}

# What to do about files of older versions.
REMEDIES = {"TESSERA FRAME TRACE": "; make the file anew: tessera trace RECORDING --output FILE"}


class FileError(ValueError):
    """The file is damaged, of another kind or version, or lacks what every such file has."""


def check_label(path: str | os.PathLike, magic: str) -> str:
    """The content's digest. Raises FileError unless the file is of the kind `magic`, of a version read here, and
    undamaged."""
    wanted, versions = KINDS[magic]
    with open(path, "rb") as file:
        label = file.read(LABEL_BYTES)
        found = next((kind for kind in KINDS if label.startswith(kind.encode() + b" ")), None)
        if found != magic:
            raise FileError(f"{path}: expected {wanted}, found {KINDS[found][0] if found else 'another kind of file'}")
        lines = re.match(rb"[A-Z ]+ (\d+)\ncontent (\d+) xxh3-128 ([0-9a-f]{32})\n", label)
        if not lines:
            raise FileError(f"{path}: damaged: its label cannot be read")
        if int(lines[1]) not in versions:
            older = REMEDIES.get(magic, "") if int(lines[1]) < versions[0] else ""
            read = " and ".join(map(str, versions))
            raise FileError(f"{path}: {wanted}, version {int(lines[1])}; this package reads version {read}{older}")
        size = os.fstat(file.fileno()).st_size
        if size != LABEL_BYTES + int(lines[2]):
            raise FileError(f"{path}: expected {LABEL_BYTES + int(lines[2])} bytes, found {size}; copy it again")
        digest = xxhash.xxh3_128()
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    if digest.hexdigest() != lines[3].decode():
        raise FileError(f"{path}: damaged: the content's digest is {digest.hexdigest()}, the label says another")
    return digest.hexdigest()


def attribute(path: str | os.PathLike, attributes: Mapping[str, Any], name: str) -> Any:
    """The attribute of a file, which every file of its kind has."""
    if name not in attributes:
        raise FileError(f"{path}: the attribute '{name}' is missing")
    return attributes[name]
