// One of our HDF5 files with something wrong inside and a sound label: what a reader has to find out by itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "io/file_label.h"

namespace tests {

class SpoiltFile {
  public:
    using Shape = std::vector<hsize_t>;

    explicit SpoiltFile(const std::filesystem::path& path) : file_(open(path)) {}
    SpoiltFile(const SpoiltFile&) = delete;
    SpoiltFile& operator=(const SpoiltFile&) = delete;
    ~SpoiltFile() { EXPECT_GE(H5Fclose(file_), 0); }

    void remove(const std::string& object) { ASSERT_GE(H5Ldelete(file_, object.c_str(), H5P_DEFAULT), 0) << object; }

    // In place of a dataset. Without a shape: one axis; an empty shape: a scalar.
    template <class T>
    void replace(const std::string& name, const std::vector<T>& values) {
        replace(name, values, Shape{values.size()});
    }
    template <class T>
    void replace(const std::string& name, const std::vector<T>& values, const Shape& shape) {
        replace(name, native<T>(), shape, values.data());
    }
    void replace_texts(const std::string& name, const std::vector<const char*>& texts) {
        const hid_t type = text_type();
        replace(name, type, {texts.size()}, texts.data());
        H5Tclose(type);
    }
    // A dataset of this shape of which nothing is stored.
    void replace_with_nothing(const std::string& name, hid_t type, const Shape& shape) {
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        const Shape chunk(shape.size(), 1);
        H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
        remove(name);
        create(name, type, shape, properties, nullptr);
        H5Pclose(properties);
    }
    void replace_texts_with_nothing(const std::string& name, hsize_t count) {
        const hid_t type = text_type();
        replace_with_nothing(name, type, {count});
        H5Tclose(type);
    }
    // One number of a dataset; a dataset of no numbers stays as it is.
    void set_number(const std::string& name, std::uint64_t value) {
        const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
        if (H5Sget_simple_extent_npoints(space) > 0) {
            const Shape first(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)), 0);
            H5Sselect_elements(space, H5S_SELECT_SET, 1, first.data());
            const hid_t one = H5Screate(H5S_SCALAR);
            EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT64, one, space, H5P_DEFAULT, &value), 0) << name;
            H5Sclose(one);
        }
        H5Sclose(space);
        H5Dclose(dataset);
    }
    struct NumbersOf {
        std::string dataset;  // "/quads/x"
        std::size_t bytes;    // of a number
    };
    std::vector<NumbersOf> integer_datasets() const {
        std::vector<NumbersOf> found;
        H5Ovisit2(
            file_, H5_INDEX_NAME, H5_ITER_INC,
            [](hid_t root, const char* name, const H5O_info_t* info, void* out) -> herr_t {
                if (info->type != H5O_TYPE_DATASET) return 0;
                const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT), type = H5Dget_type(dataset);
                if (H5Tget_class(type) == H5T_INTEGER)
                    static_cast<std::vector<NumbersOf>*>(out)->push_back({std::string("/") + name, H5Tget_size(type)});
                H5Tclose(type);
                H5Dclose(dataset);
                return 0;
            },
            &found, H5O_INFO_BASIC);
        return found;
    }
    void replace_attribute(const std::string& name, std::uint64_t value) {
        replace_attribute(name, H5T_NATIVE_UINT64, &value);
    }
    void replace_attribute(const std::string& name, const char* text) {
        const hid_t type = text_type();
        replace_attribute(name, type, &text);
        H5Tclose(type);
    }
    void remove_attribute(const std::string& name) { ASSERT_GE(H5Adelete(file_, name.c_str()), 0) << name; }
    void add_attribute(const std::string& object, const std::string& name, const char* text) {
        const hid_t type = text_type();
        const hid_t owner = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
        add_attribute(owner, name, type, &text);
        H5Oclose(owner);
        H5Tclose(type);
    }

  private:
    static hid_t open(const std::filesystem::path& path) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
        H5Pclose(access);
        return file;
    }
    template <class T>
    static hid_t native() {
        if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
        if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_NATIVE_UINT16;
        if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
        if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
        if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
        if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
    }
    static hid_t text_type() {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
        return type;
    }
    void replace(const std::string& name, hid_t type, const Shape& shape, const void* values) {
        remove(name);
        create(name, type, shape, H5P_DEFAULT, values);
    }
    void create(const std::string& name, hid_t type, const Shape& shape, hid_t properties, const void* values) {
        const hid_t space = shape.empty() ? H5Screate(H5S_SCALAR)
                                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t dataset = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
        EXPECT_GE(dataset, 0) << name;
        const bool written = values == nullptr || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
        EXPECT_TRUE(written) << name;
        H5Dclose(dataset);
        H5Sclose(space);
    }
    void replace_attribute(const std::string& name, hid_t type, const void* value) {
        ASSERT_GE(H5Adelete(file_, name.c_str()), 0) << name;
        add_attribute(file_, name, type, value);
    }
    static void add_attribute(hid_t owner, const std::string& name, hid_t type, const void* value) {
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t attribute = H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Awrite(attribute, type, value), 0) << name;
        H5Aclose(attribute);
        H5Sclose(space);
    }

    hid_t file_;
};

}  // namespace tests
