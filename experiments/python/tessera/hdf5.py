"""Tessera's HDF5 files, opened for reading."""

import errno
import os

import h5py

NO_LOCKS_HERE = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)


def open_file(path: str | os.PathLike) -> h5py.File:
    """Without a lock where the file system has none, as on clusters: files are complete before they get their name."""
    try:
        return h5py.File(path, "r")
    except OSError as error:
        if error.errno not in NO_LOCKS_HERE:
            raise
    return h5py.File(path, "r", locking=False)
