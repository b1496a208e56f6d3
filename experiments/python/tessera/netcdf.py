"""Groups of an HDF5 file with dimension scales (netCDF-4) as xarray.Dataset: what xarray.open_dataset() reads with h5netcdf,
which opens every dimension again for every variable and takes ten times as long for results."""

import h5py
import numpy
import xarray

OF_HDF5 = ("CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST")


def _attributes(object: h5py.Dataset | h5py.Group) -> dict[str, object]:
    found = {}
    for name, value in object.attrs.items():
        if name in OF_HDF5 or name.startswith("_Netcdf4"):
            continue
        if isinstance(value, numpy.ndarray) and value.size == 1:
            value = value.item()
        found[name] = value.decode() if isinstance(value, bytes) else value
    return found


def _is_scale(dataset: h5py.Dataset) -> bool:
    return dataset.attrs.get("CLASS") == b"DIMENSION_SCALE"


def _dimensions(dataset: h5py.Dataset, name: str, known: dict[int, str]) -> tuple[str, ...]:
    """Names of its scales; of a scale its own. `known`: names by address in the file, as HDF5 searches the file for one."""
    if _is_scale(dataset):
        return (name,)
    found = []
    for axis in range(dataset.ndim):
        scale = dataset.dims[axis][0]
        address = h5py.h5o.get_info(scale.id).addr
        if address not in known:
            known[address] = scale.name.rpartition("/")[2]
        found.append(known[address])
    return tuple(found)


def read_group(file: h5py.File, group: str) -> xarray.Dataset:
    """All datasets of a group, in memory. Raises KeyError if it is missing."""
    variables, coordinates, known = {}, {}, {}
    for name, dataset in file[group].items():
        if not isinstance(dataset, h5py.Dataset):
            continue
        text = h5py.check_string_dtype(dataset.dtype) is not None
        values = dataset.asstr()[...] if text else dataset[...]
        place = coordinates if _is_scale(dataset) else variables
        place[name] = (_dimensions(dataset, name, known), values, _attributes(dataset))
    return xarray.Dataset(variables, coordinates, _attributes(file[group]))
