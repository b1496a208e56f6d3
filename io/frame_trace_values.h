// The way of a table of a frame trace from the columns of the file to its rows. Internal to io.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/frame_trace_codec.h"
#include "io/hdf5_file.h"
#include "models/functional/workers.h"

namespace io {

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
inline constexpr auto last_of<models::MemorySpace> = models::MemorySpace::shared;

template <class Value>
constexpr std::uint64_t largest_value() {
    if constexpr (std::is_same_v<Value, bool>)
        return 1;
    else if constexpr (std::is_enum_v<Value>)
        return static_cast<std::uint64_t>(last_of<Value>);
    else
        return std::numeric_limits<Value>::max();
}

// The columns of a table on their way from the file to its rows: restored one after the other, then set together.
// Rows are larger than what is stored of a column, and all of them larger than the processor's caches: to set them
// column by column would fetch and write them from memory as often as there are columns.
class TableValues {
  public:
    struct BadValue {
        const char* column;
        std::size_t row;
    };

    // Begins a table; what is restored of the one before is forgotten, its memory used again.
    void begin() { columns_ = 0; }

    // Where the next column is to be read to.
    Hdf5Buffer& next_buffer() {
        if (columns_ == restored_.size()) restored_.emplace_back();
        return restored_[columns_].buffer;
    }
    // Makes values of what was read there, and returns them.
    template <class Rows, class Column, class S>
    std::span<const S> restore(std::span<S> stored, const Column& column, const models::functional::Workers& workers) {
        using Partner = typename PartnerOf<Rows, Column>::Value;
        std::span<const Partner> partner;
        if constexpr (!std::is_same_v<decltype(column.partner), NoPartner>)
            partner = {static_cast<const Partner*>(values_of(column.partner_name)), stored.size()};
        io::restore(stored, column.coding, partner, workers);
        restored_[columns_].name = column.name;
        restored_[columns_++].values = stored.data();
        return stored;
    }

    // So many rows, none of them with values yet. New memory comes page by page, as it is first written to: that takes
    // about as long as to set their values, so the workers do it.
    template <class Rows>
    static void make_room(Rows& rows, std::size_t count, const models::functional::Workers& workers) {
        const Pieces pieces(count, workers);
        if constexpr (std::is_trivially_copyable_v<typename Rows::value_type>) {
            constexpr std::size_t page_rows = 4096 / sizeof(rows[0]);
            static_assert(page_rows > 0);
            rows.reserve(count);
            auto* const memory = reinterpret_cast<std::byte*>(rows.data());
            if (pieces.count() > 1)
                workers.for_each(pieces.count(), [&](int item, int) {
                    for (std::size_t row = pieces[item].first; row < pieces[item].end; row += page_rows)
                        memory[row * sizeof(rows[0])] = std::byte{};
                });
        }
        rows.resize(count);
    }

    // Sets all columns of all rows; the first impossible value of the first column that has one, if any.
    template <class Rows, class Columns>
    std::optional<BadValue> set(Rows& rows, const Columns& columns, const models::functional::Workers& workers) const {
        constexpr std::size_t block_bytes = 16 << 10;  // less than any first-level cache has
        constexpr std::size_t block = block_bytes / sizeof(rows[0]) + 1;
        const Pieces pieces(rows.size(), workers);
        std::vector<std::vector<std::size_t>> bad(static_cast<std::size_t>(pieces.count()),
                                                  std::vector<std::size_t>(columns_, rows.size()));
        workers.for_each(pieces.count(), [&](int item, int) {
            const Piece piece = pieces[item];
            for (std::size_t first = piece.first; first < piece.end; first += block) {
                std::size_t number = 0;
                columns([&](const auto& column) {
                    std::size_t& worst = bad[static_cast<std::size_t>(item)][number];
                    const Piece part{first, std::min(first + block, piece.end)};
                    worst = std::min(worst, set_column(rows, part, column, restored_[number++].values));
                });
            }
        });
        for (std::size_t c = 0; c < columns_; ++c)
            for (const std::vector<std::size_t>& piece : bad)
                if (piece[c] < rows.size()) return BadValue{restored_[c].name, piece[c]};
        return std::nullopt;
    }

  private:
    struct Restored {
        const char* name = "";
        Hdf5Buffer buffer;
        const void* values = nullptr;
    };

    const void* values_of(std::string_view name) const {
        return std::find_if(restored_.begin(), restored_.end(), [&](const Restored& r) { return r.name == name; })
            ->values;
    }

    // The first row with an impossible value, the number of all rows if there is none.
    template <class Rows, class Column>
    static std::size_t set_column(Rows& rows, Piece piece, const Column& column, const void* values) {
        using Value = ColumnValue<Rows, Column>;
        using S = Stored<Value>;
        const S* const from = static_cast<const S*>(values);
        std::size_t bad = rows.size();
        for (std::size_t i = piece.end; i-- > piece.first;) {
            if (from[i] > largest_value<Value>()) bad = i;
            column.get(rows[i]) = static_cast<Value>(from[i]);
        }
        return bad;
    }

    std::vector<Restored> restored_;
    std::size_t columns_ = 0;  // of this table, so far
};

}  // namespace io
