// A quantity that is not known exactly: a low, a typical and a high figure.
//
// Sums add low to low and high to high. So the ends of a sum are bounds that no combination of its parts leaves, not a
// confidence interval: most causes of uncertainty (the process, the tools) are common to all parts.
#pragma once

#include <algorithm>

namespace energy {

struct Range {
    double low = 0, typical = 0, high = 0;

    Range& operator+=(const Range& other) {
        low += other.low;
        typical += other.typical;
        high += other.high;
        return *this;
    }
    Range& operator*=(double factor) {
        low *= factor;
        typical *= factor;
        high *= factor;
        return *this;
    }
    friend Range operator+(Range a, const Range& b) { return a += b; }
    friend Range operator*(Range a, double factor) { return a *= factor; }
    friend Range operator*(const Range& a, const Range& b) {
        return {a.low * b.low, a.typical * b.typical, a.high * b.high};
    }
    friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace energy
