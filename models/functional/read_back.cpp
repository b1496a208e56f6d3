#include "models/functional/read_back.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace models::functional {

namespace {

constexpr std::size_t word_bytes = 4;

float word_at(Bytes bytes, std::size_t word) {
    float value = 0;
    const std::size_t first = word * word_bytes;
    std::memcpy(&value, bytes.data() + first, std::min(word_bytes, bytes.size() - first));
    return value;
}

// Small integers look like denormal floats.
bool may_be_float(float value) {
    return value == 0 || std::isnormal(value);
}

}  // namespace

ReadBackCheck compare_read_back(Bytes made, Bytes recorded) {
    ReadBackCheck check;
    check.bytes = made.size();
    check.words = (made.size() + word_bytes - 1) / word_bytes;
    check.present = recorded.size() >= made.size();
    if (!check.present) return check;
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < check.words; ++i) {
        const std::size_t first = i * word_bytes;
        const std::size_t size = std::min(word_bytes, made.size() - first);
        const float ours = word_at(made, i), theirs = word_at(recorded, i);
        if (std::isfinite(theirs)) largest = std::max(largest, std::abs(static_cast<double>(theirs)));
        if (std::memcmp(made.data() + first, recorded.data() + first, size) == 0) continue;
        ++check.different;
        if (!may_be_float(ours) || !may_be_float(theirs) || size < word_bytes)
            difference = std::numeric_limits<double>::infinity();
        difference = std::max(difference, std::abs(static_cast<double>(ours) - static_cast<double>(theirs)));
    }
    if (check.different > 0)
        check.largest_difference = largest > 0 ? difference / largest : std::numeric_limits<double>::infinity();
    return check;
}

}  // namespace models::functional
