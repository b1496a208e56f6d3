// Encoding and decoding of one column of a frame trace, by the rules of frame_trace_column.h. Internal to io.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/digest.h"
#include "io/frame_trace_columns.h"
#include "io/hdf5_file.h"

namespace io {

template <class Rows, class Column>
using ColumnValue = std::remove_cvref_t<decltype(std::declval<Column>().get(std::declval<Rows&>()[0]))>;

template <class S>
constexpr S zigzag(S difference) {
    const bool negative = (difference >> (std::numeric_limits<S>::digits - 1)) != 0;
    const S doubled = static_cast<S>(difference << 1);
    return negative ? static_cast<S>(~doubled) : doubled;
}

template <class S>
constexpr S unzigzag(S coded) {
    const S half = static_cast<S>(coded >> 1);
    return (coded & 1) != 0 ? static_cast<S>(~half) : half;
}

// What the value of row i is told relative to.
template <class S, class Rows, class Column>
S prediction(const Rows& rows, std::size_t i, const Column& column) {
    if (i == 0) return 0;
    auto predicted = static_cast<S>(column.get(rows[i - 1]));
    if constexpr (!std::is_same_v<decltype(column.partner), NoPartner>)
        predicted = static_cast<S>(predicted + static_cast<S>(column.partner(rows[i - 1])));
    return predicted;
}

template <class S, class Rows, class Column>
S partner_value(const Rows& rows, std::size_t i, const Column& column) {
    if constexpr (std::is_same_v<decltype(column.partner), NoPartner>)
        return 0;
    else
        return static_cast<S>(column.partner(rows[i]));
}

// In memory that is used again and again; valid until the next call with it.
template <class Rows, class Column>
auto encode(const Rows& rows, const Column& column, Hdf5Buffer& buffer) {
    using S = Stored<ColumnValue<const Rows, Column>>;
    const std::span<S> coded(static_cast<S*>(buffer.of_bytes(rows.size() * sizeof(S))), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto value = static_cast<S>(column.get(rows[i]));
        switch (column.coding) {
            case Coding::plain:
                coded[i] = value;
                break;
            case Coding::delta:
            case Coding::run:
                coded[i] = zigzag(static_cast<S>(value - prediction<S>(rows, i, column)));
                break;
            case Coding::exclusive_or:
                coded[i] = static_cast<S>(value ^ partner_value<S>(rows, i, column));
                break;
        }
    }
    return std::span<const S>(coded);
}

// The largest number a column may hold: booleans and enumerations are narrower than the byte they are stored in.
template <class Enumeration>
inline constexpr Enumeration last_of{};
template <>
inline constexpr auto last_of<models::DrawKind> = models::DrawKind::transfer;
template <>
inline constexpr auto last_of<models::TextureFilter> = models::TextureFilter::lod_query;
template <>
inline constexpr auto last_of<models::ShaderStage> = models::ShaderStage::compute;
template <>
inline constexpr auto last_of<models::AccessOperation> = models::AccessOperation::atomic;
template <>
inline constexpr auto last_of<models::MemorySpace> = models::MemorySpace::uniform;

template <class Value>
constexpr std::uint64_t largest_value() {
    if constexpr (std::is_same_v<Value, bool>)
        return 1;
    else if constexpr (std::is_enum_v<Value>)
        return static_cast<std::uint64_t>(last_of<Value>);
    else
        return std::numeric_limits<Value>::max();
}

// Makes the values of what is stored, in its place, and sets the column of all rows; the row that holds an impossible
// value, if any.
template <class S, class Rows, class Column>
std::optional<std::size_t> decode(std::span<S> stored, Rows& rows, const Column& column) {
    using Value = ColumnValue<Rows, Column>;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        S& value = stored[i];
        switch (column.coding) {
            case Coding::plain:
                break;
            case Coding::delta:
            case Coding::run:
                value = static_cast<S>(unzigzag(value) + prediction<S>(rows, i, column));
                break;
            case Coding::exclusive_or:
                value = static_cast<S>(value ^ partner_value<S>(rows, i, column));
                break;
        }
        if (value > largest_value<Value>()) return i;
        column.get(rows[i]) = static_cast<Value>(value);
    }
    return std::nullopt;
}

// Adds the values themselves, as if they were one span.
template <class Rows, class Column>
void add_values(Digest& digest, const Rows& rows, const Column& column) {
    using S = Stored<ColumnValue<const Rows, Column>>;
    std::array<S, 4096> piece;  // columns are long: a copy of a whole one would cost more than its digest
    digest.add(static_cast<std::uint64_t>(rows.size()));
    for (std::size_t begin = 0; begin < rows.size(); begin += piece.size()) {
        const std::size_t count = std::min(piece.size(), rows.size() - begin);
        for (std::size_t i = 0; i < count; ++i) piece[i] = static_cast<S>(column.get(rows[begin + i]));
        digest.add_bytes(piece.data(), count * sizeof(S));
    }
}

// The text of the attribute "coding" of a dataset.
template <class Column>
std::string coding_text(const Column& column) {
    switch (column.coding) {
        case Coding::plain:
            return "plain";
        case Coding::delta:
            return "delta";
        case Coding::run:
            return std::string("run ") + column.partner_name;
        case Coding::exclusive_or:
            return std::string("xor ") + column.partner_name;
    }
    return {};
}

}  // namespace io
