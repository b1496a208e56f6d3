"""Files of clusters, whose file systems may have no locks."""

import errno

import h5py
import pytest

import tessera
from tessera import hdf5


def refuse_locks(monkeypatch, number):
    """As h5py does where the file system does."""

    def open_with_lock(path, mode, locking=None):
        if locking is not False:
            raise OSError(number, "Unable to open file (unable to lock file)")
        return real(path, mode, locking=locking)

    real = h5py.File
    monkeypatch.setattr(hdf5.h5py, "File", open_with_lock)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_files_are_read_where_there_are_no_locks(sample, monkeypatch, number):
    refuse_locks(monkeypatch, number)
    assert len(tessera.open(sample.results).frames.frame) > 0
    with tessera.open_trace(sample.trace) as trace:
        assert len(trace) > 0


def test_a_lock_of_somebody_who_writes_counts(sample, monkeypatch):
    refuse_locks(monkeypatch, errno.EAGAIN)
    with pytest.raises(OSError, match="lock"):
        tessera.open(sample.results)
