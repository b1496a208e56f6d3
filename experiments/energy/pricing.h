// Activity times a table: what a finished run cost. Nothing is simulated, so a run can be priced again at any time.
//
//   dynamic   counters x energy of an event
//   clock     (busy cycles + idle cycles x share left by clock gating) x energy of a busy cycle
//   leakage   area x leakage of an area x simulated time
//   standby   of main memory, whatever it does
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/energy/range.h"
#include "experiments/energy/table.h"
#include "io/results.h"

namespace energy {

enum class Cause { dynamic, clock, leakage, standby };
std::string_view name_of(Cause cause);

// What one structure of all units of a kind cost by one cause.
struct Part {
    std::string component;
    bool is_memory = false;
    std::string structure, kind;
    Cause cause = Cause::dynamic;
    std::vector<Range> frames;  // pJ

    Range total() const;
};

struct Energy {
    std::vector<Part> parts;                                   // components as in the table, structures as in the table
    std::vector<double> seconds;                               // of each frame
    std::map<std::string, std::vector<std::string>> left_out;  // why kinds of units are priced without a structure

    // All parts for which `is_in(part)`.
    template <class IsIn>
    Range sum(IsIn is_in) const {
        Range sum;
        for (const Part& part : parts)
            if (is_in(part)) sum += part.total();
        return sum;
    }
    Range total() const {
        return sum([](const Part&) { return true; });
    }
};

// Throws engine::ConfigError of one line if the table does not fit the results: a kind of unit of the machine that it
// does not name, a counter or a parameter that the machine does not have. `called`: what errors call the results.
Energy price(const io::Results& results, const Table& table, const std::string& called);

}  // namespace energy
