// Table: datasets of one group of results.h5 that share their first axis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5_file.h"

namespace io {

// Writes the datasets of one group, all with the group's first axis.
class Table {
  public:
    Table(Hdf5Group group, const std::string& dimension, std::uint64_t rows) : group_(std::move(group)), rows_(rows) {
        std::vector<std::uint64_t> positions(rows);
        std::iota(positions.begin(), positions.end(), std::uint64_t{0});
        add_axis(dimension, positions);
    }

    template <class T>
    void add_axis(const std::string& dimension, const std::vector<T>& positions) {
        Hdf5Dataset scale = group_.create_dataset<T>(dimension, {{}, chunk_of(positions.size()), false});
        scale.append(std::span<const T>(positions));
        scale.make_scale(dimension);
        axes_.push_back(std::move(scale));
    }

    // Along the first axis, or along the first and the one added as number `second_axis`.
    template <class T>
    void add(const std::string& name, const std::vector<T>& values, const std::string& unit, const std::string& doc,
             bool counter = false, std::size_t second_axis = 0) {
        Hdf5Layout layout{{}, chunk_of(rows_), counter};
        if (second_axis != 0) layout.row_shape = {axes_[second_axis].rows()};
        Hdf5Dataset dataset = group_.create_dataset<T>(name, layout);
        dataset.append(std::span<const T>(values));
        dataset.attach_scale(axes_[0], 0);
        if (second_axis != 0) dataset.attach_scale(axes_[second_axis], 1);
        dataset.set_attribute("units", unit);
        dataset.set_attribute("long_name", doc);
        if (counter) dataset.set_attribute("cell_methods", "frame: sum");
        dataset.close();
    }

    void add_texts(const std::string& name, const std::vector<std::string>& texts, const std::string& doc) {
        group_.write_texts(name, texts);
        Hdf5Dataset dataset = group_.dataset(name);
        dataset.attach_scale(axes_[0], 0);
        dataset.set_attribute("long_name", doc);
        dataset.close();
    }

    Hdf5Group& group() { return group_; }

    void close() {
        for (Hdf5Dataset& axis : axes_) axis.close();
        group_.close();
    }

  private:
    static constexpr std::uint64_t chunk_rows = 64;
    static std::uint64_t chunk_of(std::uint64_t rows) { return std::clamp<std::uint64_t>(rows, 1, chunk_rows); }

    Hdf5Group group_;
    std::uint64_t rows_;
    std::vector<Hdf5Dataset> axes_;
};

template <class T, class Row, class Get>
std::vector<T> column_of(const std::vector<Row>& rows, Get get) {
    std::vector<T> values;
    values.reserve(rows.size());
    for (const Row& row : rows) values.push_back(static_cast<T>(get(row)));
    return values;
}

}  // namespace io
