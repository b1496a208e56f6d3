// HDF5's identifiers for as long as a function needs them. For the sources of io/hdf5_file.h alone, which name no HDF5.
#pragma once

#include <hdf5.h>

#include "io/hdf5_file.h"

namespace io {

inline hid_t type_of(Element element) {
    switch (element) {
        case Element::u8:
            return H5T_STD_U8LE;
        case Element::u16:
            return H5T_STD_U16LE;
        case Element::u32:
            return H5T_STD_U32LE;
        case Element::u64:
            return H5T_STD_U64LE;
        case Element::i64:
            return H5T_STD_I64LE;
        case Element::f64:
            return H5T_IEEE_F64LE;
    }
    return H5I_INVALID_HID;
}

// A short-lived HDF5 identifier: a data space, type or property list.
class Temporary {
  public:
    Temporary(hid_t id, herr_t (*closer)(hid_t)) : id_(id), closer_(closer) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (id_ >= 0) closer_(id_);
    }
    operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): stands for the identifier

  private:
    hid_t id_;
    herr_t (*closer_)(hid_t);
};

inline Temporary text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0) {
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
    }
    return {type, H5Tclose};
}

}  // namespace io
