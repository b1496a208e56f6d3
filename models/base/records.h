// Rows that a frame leaves beside its counters and what it shows over time (time_series.h): of which there are as many
// as there happen to be. Plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace models {

struct Records {
    struct Column {
        std::string name, unit, doc;
        std::vector<std::string> meanings = {};  // of the values 0, 1, ... if they stand for names
        std::vector<std::uint64_t> values = {};  // by row
        void serialize(engine::Archive& archive) { archive(name, unit, doc, meanings, values); }
    };
    static constexpr std::uint64_t missing = ~std::uint64_t{0};  // there is no such value

    std::string name, doc;
    std::vector<Column> columns;  // as long as each other

    std::size_t rows() const { return columns.empty() ? 0 : columns[0].values.size(); }
    // Null if there is none.
    const Column* find(std::string_view column) const {
        for (const Column& one : columns)
            if (one.name == column) return &one;
        return nullptr;
    }
    // A value for each column.
    void append(std::span<const std::uint64_t> row) {
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].values.push_back(row[i]);
    }
};

}  // namespace models
