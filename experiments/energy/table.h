// An energy table: what an event of each structure of a machine costs. table_file.h reads it, pricing.h applies it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/energy/array_model.h"
#include "experiments/energy/range.h"
#include "experiments/energy/technology.h"

namespace energy {

// Whose array is priced by the commands of its device, wherever the machine has such a one (dram_pricing.h).
inline constexpr const char* dram_kind = "dram_channel";

// Numbers and parameters of the machine, multiplied. In the name of a parameter KIND stands for the kind of unit that
// is priced: "KIND.warps" is fragment_processor.warps of a fragment processor.
struct Product {
    double factor = 1;
    std::vector<std::string> parameters;
};

enum class Access { read, write, tag };  // of a structure's array

// What is counted, and what each costs.
struct Event {
    std::string where;                  // "table.toml:7:3: ", for errors
    std::vector<std::string> counters;  // added up
    Product times;                      // events for each that is counted
    std::optional<Access> access;       // of the structure's array; else:
    Range energy_pJ;
};

// Part of a unit. A unit of a kind may have several structures, and a structure may be in units of several kinds.
struct Structure {
    std::string name, where;
    std::vector<std::string> kinds;
    struct Condition {
        std::string parameter;
        std::vector<std::string> values;
    };
    std::vector<Condition> conditions;  // of the machine; it has the structure only if all are met
    std::string otherwise;              // why it costs nothing in a machine that does not meet them; empty: it has none
    std::vector<std::string> beside;    // kinds of units without which it does not have it either
    Technology given;                   // for energies, area and clock, but those of the array
    bool fixed_lengths = false;         // its energies are those of wires that are as long in any process

    std::string array;  // in Table::arrays; empty: none
    Product capacity;   // bytes of one array
    Product shared_by;  // of as many arrays the capacity is that of all
    Product ways;
    Product copies;  // arrays in a unit

    std::vector<Event> events;
    Range clock_pJ;  // of a busy cycle
    Product clock_times;
    std::vector<std::string> busy_cycles;  // counters that add up to them
    Range area_mm2;                        // beside the array's
    Product area_times;
    std::string leakage;  // in Table::leakages, for the area of both; empty: it has no area
};

struct Leakage {
    Range mW_per_mm2;
    double voltage = 0;  // for which it is given
};

// In which part of a machine units are counted.
struct Component {
    std::string name, where;
    bool is_memory = false;  // else it is part of the GPU
    std::vector<std::string> kinds;
};

struct Table {
    std::string path;
    std::string digest;  // of its text
    std::string title;
    Technology technology;  // what is priced is made in
    Range idle_clock;       // share of a busy cycle's clock energy that an idle cycle costs
    Range dram_currents;    // real ones as a share of the data sheet's
    std::map<std::string, Leakage> leakages;
    std::map<std::string, ArrayModel> arrays;
    std::vector<Component> components;  // as in the file
    std::vector<Structure> structures;
    std::map<std::string, std::string> not_priced;  // kind to reason
};

}  // namespace energy
