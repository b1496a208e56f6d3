#include "experiments/energy/array_model.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace energy {

namespace {

// Log-log through the two points nearest to x; a zero anywhere makes a zero.
double power_law(const std::map<double, double>& points, double x) {
    auto above = points.lower_bound(x);
    if (above != points.end() && above->first == x) return above->second;
    if (points.size() == 1) return points.begin()->second;
    if (above == points.begin()) ++above;
    if (above == points.end()) --above;
    const auto below = std::prev(above);
    if (below->second <= 0 || above->second <= 0) return 0;
    const double slope = std::log(above->second / below->second) / std::log(above->first / below->first);
    return below->second * std::exp(slope * std::log(x / below->first));
}

}  // namespace

double ArrayModel::figure(Range ArrayValues::* quantity, double Range::* end, double capacity, double ways) const {
    std::map<double, std::map<double, double>> by_ways;
    for (const Point& point : points) by_ways[point.ways][point.capacity] = (point.values.*quantity).*end;
    std::map<double, double> of_capacity;
    for (const auto& [each, values] : by_ways) of_capacity[each] = power_law(values, capacity);
    return power_law(of_capacity, ways);
}

ArrayValues ArrayModel::at(double capacity, double ways) const {
    ArrayValues values;
    for (const auto quantity :
         {&ArrayValues::read_pJ, &ArrayValues::write_pJ, &ArrayValues::tag_pJ, &ArrayValues::area_mm2}) {
        Range& range = values.*quantity;
        for (const auto end : {&Range::low, &Range::typical, &Range::high})
            range.*end = figure(quantity, end, capacity, ways);
        range.low = std::min(range.low, range.typical);
        range.high = std::max(range.high, range.typical);
    }
    return values;
}

}  // namespace energy
