// Memory arrays by capacity and associativity: values of a tool at some points, and what lies between them.
#pragma once

#include <vector>

#include "experiments/energy/range.h"
#include "experiments/energy/technology.h"

namespace energy {

struct ArrayValues {
    Range read_pJ, write_pJ, tag_pJ;  // an access; of the tags alone: zero where the array has none
    Range area_mm2;

    friend bool operator==(const ArrayValues&, const ArrayValues&) = default;
};

class ArrayModel {
  public:
    struct Point {
        double capacity = 0;  // bytes
        double ways = 0;
        ArrayValues values;
    };

    Technology given;
    std::vector<Point> points;  // at least one, in any order

    // Between points a power law of the capacity, then of the ways, as for CACTI's results it errs least; beyond the
    // outermost ones the law of the two nearest goes on. A range stays one: low <= typical <= high.
    ArrayValues at(double capacity, double ways) const;

  private:
    double figure(Range ArrayValues::* quantity, double Range::* end, double capacity, double ways) const;
};

}  // namespace energy
