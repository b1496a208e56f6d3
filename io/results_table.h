// Table: datasets of one group of results.h5 that share their axes.
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

// The numbers of the axes of a dataset.
struct TableAxes {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t rows = 0, columns = none, depth = none;
};

// Writes the datasets of one group. An axis has a number, in the order in which they are added; that of the
// constructor is 0.
class Table {
  public:
    // `chunk_rows`: of datasets with one axis, where they have as many.
    Table(Hdf5Group group, const std::string& dimension, std::uint64_t rows, std::uint64_t chunk_rows = 64)
        : group_(std::move(group)),
          chunk_rows_(chunk_rows) {
        add_axis(dimension, rows);
    }

    // 0, 1, 2, ... Returns its number.
    std::size_t add_axis(const std::string& dimension, std::uint64_t rows) {
        std::vector<std::uint64_t> positions(rows);
        std::iota(positions.begin(), positions.end(), std::uint64_t{0});
        return add_axis(dimension, positions);
    }
    template <class T>
    std::size_t add_axis(const std::string& dimension, const std::vector<T>& positions) {
        Hdf5Layout layout{{}, chunk_of(positions.size())};
        layout.rows = positions.size();
        Hdf5Dataset scale = group_.create_dataset<T>(dimension, layout);
        scale.write(std::span<const T>(positions));
        scale.make_scale(dimension);
        axes_.push_back(std::move(scale));
        return axes_.size() - 1;
    }
    Hdf5Dataset& axis(std::size_t number) { return axes_[number]; }

    // Along an axis, or along two or three. `attributes`: names and texts, besides unit and doc.
    template <class T>
    void add(const std::string& name, const std::vector<T>& values, const std::string& unit, const std::string& doc,
             TableAxes axes = {}, bool counter = false,
             const std::vector<std::pair<std::string, std::string>>& attributes = {}) {
        const std::uint64_t rows = axes_[axes.rows].rows();
        std::vector<std::size_t> others;  // of each row
        for (const std::size_t axis : {axes.columns, axes.depth})
            if (axis != TableAxes::none) others.push_back(axis);
        const std::uint64_t most = others.empty() ? chunk_rows_ : others.size() == 1 ? 64 : 4;
        Hdf5Layout layout{{}, std::clamp<std::uint64_t>(rows, 1, most), counter};
        layout.rows = rows;
        for (const std::size_t axis : others) layout.row_shape.push_back(axes_[axis].rows());
        Hdf5Dataset dataset = group_.create_dataset<T>(name, layout);
        dataset.write(std::span<const T>(values));
        dataset.attach_scale(axes_[axes.rows], 0);
        for (unsigned i = 0; i < others.size(); ++i) dataset.attach_scale(axes_[others[i]], i + 1);
        dataset.set_attribute("units", unit);
        dataset.set_attribute("long_name", doc);
        if (counter) dataset.set_attribute("cell_methods", "frame: sum");
        for (const auto& [attribute, text] : attributes) dataset.set_attribute(attribute, text);
        dataset.close();
    }

    void add_texts(const std::string& name, const std::vector<std::string>& texts, const std::string& doc,
                   std::size_t axis = 0) {
        group_.write_texts(name, texts);
        Hdf5Dataset dataset = group_.dataset(name);
        dataset.attach_scale(axes_[axis], 0);
        dataset.set_attribute("long_name", doc);
        dataset.close();
    }

    Hdf5Group& group() { return group_; }

    void close() {
        for (Hdf5Dataset& axis : axes_) axis.close();
        group_.close();
    }

  private:
    std::uint64_t chunk_of(std::uint64_t rows) const { return std::clamp<std::uint64_t>(rows, 1, chunk_rows_); }

    Hdf5Group group_;
    std::uint64_t chunk_rows_;
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
