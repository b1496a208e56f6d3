// Encoding and decoding of one column of a frame trace, by the rules of frame_trace_column.h. Internal to io.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/digest.h"
#include "io/frame_trace_columns.h"
#include "io/hdf5_file.h"
#include "models/functional/workers.h"

namespace io {

template <class Rows, class Column>
using ColumnValue = std::remove_cvref_t<decltype(std::declval<Column>().get(std::declval<Rows&>()[0]))>;

// Rows [first, end) of a column.
struct Piece {
    std::size_t first, end;
};

// The pieces of a column that workers encode and decode side by side.
class Pieces {
  public:
    Pieces(std::size_t rows, const models::functional::Workers& workers)
        : rows_(rows),
          count_(workers.count() == 1 ? 1 : rows / least + 1) {}
    int count() const { return static_cast<int>(count_); }
    Piece operator[](int number) const {
        const auto i = static_cast<std::size_t>(number);
        return {rows_ * i / count_, rows_ * (i + 1) / count_};
    }

  private:
    static constexpr std::size_t least = std::size_t{1} << 17;  // rows
    std::size_t rows_, count_;
};

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

// Of these rows.
template <class Rows, class Column, class S>
void encode(const Rows& rows, Piece piece, const Column& column, std::span<S> coded) {
    for (std::size_t i = piece.first; i < piece.end; ++i) {
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
}

// Of all rows, in memory that is used again and again; valid until the next call with it.
template <class Rows, class Column>
auto encode(const Rows& rows, const Column& column, Hdf5Buffer& buffer, const models::functional::Workers& workers) {
    using S = Stored<ColumnValue<const Rows, Column>>;
    const std::span<S> coded(static_cast<S*>(buffer.of_bytes(rows.size() * sizeof(S))), rows.size());
    const Pieces pieces(rows.size(), workers);
    workers.for_each(pieces.count(), [&](int item, int) { encode(rows, pieces[item], column, coded); });
    return std::span<const S>(coded);
}

// Between what is stored of a column and its values stand the values of its partner, if it has one.
template <class Rows, class Column>
struct PartnerOf {
    using Value = std::uint8_t;  // of nothing
};
template <class Rows, class Column>
requires(!std::is_same_v<decltype(Column::partner), NoPartner>)
struct PartnerOf<Rows, Column> {
    using Value = Stored<std::remove_cvref_t<decltype(std::declval<Column>().partner(std::declval<Rows&>()[0]))>>;
};

// What the value of the last row is more than that of the row before the first one, so that pieces that tell
// differences can be restored side by side. `partner`: empty for none.
template <class S, class P>
S rise(std::span<const S> stored, Piece piece, std::span<const P> partner) {
    S sum = 0;
    for (std::size_t i = piece.first; i < piece.end; ++i) sum = static_cast<S>(sum + unzigzag(stored[i]));
    if (partner.empty()) return sum;
    for (std::size_t i = std::max<std::size_t>(piece.first, 1); i < piece.end; ++i)
        sum = static_cast<S>(sum + static_cast<S>(partner[i - 1]));
    return sum;
}

// Makes the values of what is stored of these rows, in its place. `before`: the value of the row before.
template <class S, class P>
void restore(std::span<S> stored, Piece piece, S before, Coding coding, std::span<const P> partner) {
    switch (coding) {
        case Coding::plain:
            return;
        case Coding::delta:
        case Coding::run:
            for (std::size_t i = piece.first; i < piece.end; ++i) {
                before = static_cast<S>(before + unzigzag(stored[i]));
                if (i > 0 && !partner.empty()) before = static_cast<S>(before + static_cast<S>(partner[i - 1]));
                stored[i] = before;
            }
            return;
        case Coding::exclusive_or:
            for (std::size_t i = piece.first; i < piece.end; ++i)
                stored[i] = static_cast<S>(stored[i] ^ static_cast<S>(partner[i]));
            return;
    }
}

// The same for all rows.
template <class S, class P>
void restore(std::span<S> stored, Coding coding, std::span<const P> partner,
             const models::functional::Workers& workers) {
    const Pieces pieces(stored.size(), workers);
    const auto count = static_cast<std::size_t>(pieces.count());
    std::vector<S> before(count);
    if (count > 1 && (coding == Coding::delta || coding == Coding::run)) {  // of the last one nobody asks
        workers.for_each(pieces.count() - 1, [&](int item, int) {
            before[static_cast<std::size_t>(item) + 1] = rise(std::span<const S>(stored), pieces[item], partner);
        });
        for (std::size_t i = 1; i < count; ++i) before[i] = static_cast<S>(before[i] + before[i - 1]);
    }
    workers.for_each(pieces.count(), [&](int item, int) {
        restore(stored, pieces[item], before[static_cast<std::size_t>(item)], coding, partner);
    });
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
