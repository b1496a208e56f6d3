// A table and results small enough to be priced by hand: two cores, and a network that two tables may leave out.
#pragma once

#include <fstream>
#include <string>
#include <utility>

#include "experiments/energy/pricing.h"
#include "experiments/energy/table_file.h"
#include "io/results.h"
#include "tests/io/temporary_folder.h"

namespace tests {

inline const std::string tiny_table = R"(title = "tiny"
technology = {node_nm = 20, voltage = 1.0, source = "s"}
clock_gating = {idle_share = [0, 0.1, 0.5], source = "s"}
dram = {currents = [0.5, 1, 2], source = "s"}
[leakage.logic]
mW_per_mm2 = [1, 10, 100]
voltage = 0.5
source = "s"
[array.ram]
node_nm = 20
voltage = 1.0
source = "s"
point = [
  {capacity = 1024, read_pJ = [1, 2, 4], write_pJ = 3, area_mm2 = 0.25},
  {capacity = 4096, read_pJ = [2, 4, 8], write_pJ = 6, area_mm2 = 1},
]
[[component]]
name = "cores"
part = "gpu"
kinds = ["core"]
[[component]]
name = "wires"
part = "gpu"
kinds = ["bus"]
[not_priced]
dispatcher = "a test"
[[structure]]
name = "arithmetic"
kinds = ["core"]
node_nm = 40
voltage = 2.0
area_mm2 = [1, 2, 3]
area_times = "core.lanes"
leakage = "logic"
clock_pJ = [8, 16, 32]
busy_cycles = ["issued"]
source = "s"
[[structure.event]]
counters = ["added", "multiplied"]
energy_pJ = [8, 16, 24]
source = "s"
[[structure]]
name = "registers"
kinds = ["core"]
array = "ram"
capacity = "core.registers"
shared_by = 2
copies = 2
leakage = "logic"
source = "s"
[[structure.event]]
counters = ["added"]
access = "read"
times = ["core.lanes", 2]
source = "s"
[[structure.event]]
counters = ["added"]
access = "write"
source = "s"
[[structure]]
name = "wires"
kinds = ["bus"]
when = {"core.network" = ["bus", "ring"]}
scales = false
source = "s"
[[structure.event]]
counters = ["flits"]
energy_pJ = [1, 2, 3]
source = "s"
)";

inline const std::string tiny_machine = "[core]\nlanes = 4\nregisters = \"4 KiB\"\nnetwork = \"bus\"\n";

// Two frames of 1 and 2 us, 600 and 1200 cycles.
inline io::Results tiny_results(const std::string& machine = tiny_machine) {
    io::Results results;
    results.ticks_per_second = 1'000'000'000;
    results.workloads = {{"game", "game.h5", "0123456789abcdef0123456789abcdef"}};
    io::FrameResult first, second;
    first.end = 1000;
    first.cycles = 600;
    second.start = 1000;
    second.end = 3000;
    second.cycles = 1200;
    results.frames = {first, second};
    const auto column = [](const char* name, std::vector<std::uint64_t> values) {
        return io::KindResults::Column{name, "1", "", std::move(values)};
    };
    results.kinds = {{"core",
                      false,
                      {0, 1},
                      {column("added", {10, 20, 0, 5}), column("multiplied", {1, 2, 3, 4}),
                       column("issued", {100, 200, 1200, 1300})}},
                     {"bus", true, {0}, {column("flits", {7, 9})}},
                     {"dispatcher", true, {0}, {column("tiles", {1, 1})}}};
    results.provenance = {{"resolved_toml", machine}};
    results.complete = true;
    return results;
}

inline energy::Table read_text(const std::string& text) {
    const TemporaryFolder folder;
    std::ofstream(folder / "t.toml") << text;
    energy::Table table = energy::read_table(folder / "t.toml");
    table.path = "t.toml";
    return table;
}

inline energy::Energy price_tiny(const std::string& table = tiny_table, const io::Results& results = tiny_results()) {
    return energy::price(results, read_text(table), "results.h5");
}

inline std::string replaced(std::string text, const std::string& old, const std::string& with) {
    return text.replace(text.find(old), old.size(), with);
}

}  // namespace tests
