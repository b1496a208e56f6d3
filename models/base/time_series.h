// What a frame shows over time, in intervals, put together from what its processes noted (engine/series.h). Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/units.h"

namespace models {

struct TimeSeries {
    struct Column {
        std::string name, unit, doc;
        std::vector<std::uint64_t> values;  // [interval * units + unit]
    };
    std::string name, doc;
    std::string axis;                    // what the units are: "dram_channel"
    std::vector<std::uint32_t> indices;  // of the units, ascending
    std::vector<engine::Time> edges;     // of the intervals, ticks: one more than there are
    std::vector<Column> columns;

    std::size_t intervals() const { return edges.empty() ? 0 : edges.size() - 1; }
};

}  // namespace models
