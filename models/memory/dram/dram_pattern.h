// Synthetic loads of main memory: where the requests of `tessera dram` go and when they come.
#pragma once

#include <cstdint>

#include "models/memory/dram/dram_driver.h"

namespace models {

enum class DramOrder : std::uint8_t { sequential, random, stride };

struct DramPattern {
    DramOrder order = DramOrder::sequential;
    bool is_chase = false;       // each request waits for the answer to the one before
    std::uint64_t stride = 64;   // bytes
    double write_fraction = 0;   // of requests, chosen at random
    std::optional<double> load;  // Poisson arrivals at that share of the peak bandwidth; without: saturated
    std::uint64_t requests = 0;
    std::uint64_t footprint = 0;  // bytes that addresses are in
};

// Random numbers are those of engine::CounterRng: the same load every time.
DramLoad make_load(const DramPattern& pattern, const DramParameters& dram);

}  // namespace models
