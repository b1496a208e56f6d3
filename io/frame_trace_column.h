// One column of a table of a frame trace file, and how it is coded. Internal to io.
//
// A table is a vector of rows; each column is one number of a row, stored as one dataset. A column is coded so that it
// compresses well; every code starts afresh in each frame:
//   plain      as it is
//   delta      zigzag(value - value of the row before)
//   run        zigzag(value - (value + count of the row before)): zero where ranges follow each other
//   xor        value XOR another column of the same row
// All arithmetic wraps at the width of the column. zigzag(d) = (d << 1) XOR (d >> width-1): small for small |d|.
#pragma once

#include <cstdint>
#include <type_traits>

namespace io {

enum class Coding { plain, delta, run, exclusive_or };

struct NoPartner {};

template <class Get, class Partner = NoPartner>
struct Column {
    const char* name;
    Get get;  // row -> reference to the number
    const char* unit;
    const char* doc;
    Coding coding = Coding::plain;
    const char* partner_name = "";  // the column that `run` and `exclusive_or` refer to, listed before this one
    Partner partner = {};
    bool sparse = false;  // the stored numbers are nearly all the same
};

// Booleans and enumerations are stored as bytes.
template <class Value>
using Stored = std::conditional_t<std::is_enum_v<Value> || std::is_same_v<Value, bool>, std::uint8_t, Value>;

// Hands columns to `add`, one after the other. Units are "1" where none is named.
template <class Add>
class ColumnMaker {
  public:
    explicit ColumnMaker(Add& add) : add_(add) {}

    template <class Get>
    void plain(const char* name, Get get, const char* unit, const char* doc) const {
        add_(Column<Get>{name, get, unit, doc});
    }
    // The same, of a number that hardly ever changes.
    template <class Get>
    void steady(const char* name, Get get, const char* unit, const char* doc) const {
        add_(Column<Get>{name, get, unit, doc, Coding::plain, "", {}, true});
    }
    template <class Get>
    void steady_delta(const char* name, Get get, const char* unit, const char* doc) const {
        add_(Column<Get>{name, get, unit, doc, Coding::delta, "", {}, true});
    }
    template <class Get>
    void delta(const char* name, Get get, const char* unit, const char* doc) const {
        add_(Column<Get>{name, get, unit, doc, Coding::delta});
    }
    // The first row of a range whose length is the column `count`.
    template <class Get, class Count>
    void run(const char* name, Get get, const char* count_name, Count count, const char* doc) const {
        add_(Column<Get, Count>{name, get, "1", doc, Coding::run, count_name, count});
    }
    template <class Get, class Other>
    void exclusive_or(const char* name, Get get, const char* other_name, Other other, const char* doc) const {
        add_(Column<Get, Other>{name, get, "1", doc, Coding::exclusive_or, other_name, other, true});
    }

  private:
    Add& add_;
};

}  // namespace io
