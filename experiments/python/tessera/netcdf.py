"""Groups of an HDF5 file with dimension scales (netCDF-4) as xarray.Dataset: what xarray.open_dataset() reads with h5netcdf,
which opens every dimension again for every variable and takes far longer for results. A sweep has a hundred thousand
datasets: each is opened once, and read by the functions of HDF5, which cost a fraction of h5py's objects."""

from collections.abc import Iterable

import h5py
import numpy
import xarray
from h5py import h5a, h5d, h5ds, h5g, h5i, h5o, h5r, h5s, h5t

OF_HDF5 = ("CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST")
TEXT = h5t.py_create(h5py.string_dtype())


def _is_text(attribute: h5a.AttrID) -> bool:
    """One string of any length."""
    stored = attribute.get_type()
    return attribute.shape == () and isinstance(stored, h5t.TypeStringID) and stored.is_variable_str()


def _attributes(object: h5d.DatasetID | h5g.GroupID) -> dict[str, object]:
    found = {}
    for number in range(h5a.get_num_attrs(object)):
        attribute = h5a.open(object, index=number)
        name = attribute.name.decode()
        if name in OF_HDF5 or name.startswith("_Netcdf4"):
            continue
        if _is_text(attribute):
            value = numpy.empty((), numpy.object_)
            attribute.read(value, TEXT)
            value = value.item()
        else:
            value = (h5py.Dataset if isinstance(object, h5d.DatasetID) else h5py.Group)(object).attrs[name]
            if isinstance(value, numpy.ndarray) and value.size == 1:
                value = value.item()
        found[name] = value.decode() if isinstance(value, bytes) else value
    return found


def _values(dataset: h5d.DatasetID) -> numpy.ndarray:
    kind = dataset.dtype
    if h5py.check_string_dtype(kind) is not None:
        return h5py.Dataset(dataset).asstr()[...]
    values = numpy.empty(dataset.shape, kind)
    dataset.read(h5s.ALL, h5s.ALL, values)
    return values


def _address(object: h5d.DatasetID | h5g.GroupID) -> int:
    return h5o.get_info(object).addr


def _name_of(scale: h5d.DatasetID, group: h5g.GroupID) -> str:
    """As the group calls it: the attribute NAME; if that is something else, HDF5 searches the file, for milliseconds."""
    name = h5py.Dataset(scale).attrs["NAME"]
    if name in group and _address(h5o.open(group, name)) == _address(scale):
        return name.decode()
    return h5i.get_name(scale).decode().rpartition("/")[2]


def _dimensions(dataset: h5d.DatasetID, group: h5g.GroupID, known: dict[int, tuple[str, h5d.DatasetID]]) -> tuple[str, ...]:
    """Names of its scales. `known`: those by address in the file, left open, as opening them once more is then cheap."""
    if not dataset.shape:
        return ()
    list_of_axes = h5a.open(dataset, b"DIMENSION_LIST")
    axes = numpy.empty(list_of_axes.shape, list_of_axes.dtype)
    list_of_axes.read(axes)
    found = []
    for references in axes:
        scale = h5r.dereference(references[0], dataset)
        address = _address(scale)
        if address not in known:
            known[address] = _name_of(scale, group), scale
        found.append(known[address][0])
    return tuple(found)


def read_group(file: h5py.File, group: str, names: Iterable[str] | None = None) -> xarray.Dataset:
    """All datasets of a group, or those of these names and the scales of their dimensions, in memory. Raises KeyError if
    the group or one of them is missing."""
    within = file[group].id
    variables, coordinates, known = {}, {}, {}
    left = list(file[group] if names is None else names)
    while left:
        name = left.pop(0)
        dataset = h5o.open(within, name.encode())
        if not isinstance(dataset, h5d.DatasetID):
            continue
        if h5ds.is_scale(dataset):
            coordinates[name] = ((name,), _values(dataset), _attributes(dataset))
            continue
        dimensions = _dimensions(dataset, within, known)
        variables[name] = (dimensions, _values(dataset), _attributes(dataset))
        if names is not None:
            left += [name for name in dimensions if name not in coordinates and name not in left and name in within]
    return xarray.Dataset(variables, coordinates, _attributes(within))
