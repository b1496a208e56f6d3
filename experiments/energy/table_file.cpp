#include "experiments/energy/table_file.h"

#include <algorithm>

#include "engine/error.h"
#include "engine/parameter.h"
#include "experiments/energy/table_section.h"
#include "io/digest.h"
#include "io/toml_file.h"

namespace energy {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

Leakage read_leakage(const Section& section) {
    section.knows({"mW_per_mm2", "voltage", "source"}).text("source");
    return {section.range("mW_per_mm2"), section.voltage()};
}

ArrayModel read_array(const Section& section) {
    section.knows({"node_nm", "voltage", "source", "point"}).text("source");
    ArrayModel array{section.technology(), {}};
    for (const Section& point : section.list("point")) {
        point.knows({"capacity", "ways", "read_pJ", "write_pJ", "tag_pJ", "area_mm2"});
        array.points.push_back({point.count("capacity"),
                                point.has("ways") ? point.count("ways") : 1,
                                {point.range("read_pJ"), point.range("write_pJ"), point.range_or_none("tag_pJ"),
                                 point.range("area_mm2")}});
        const ArrayModel::Point& last = array.points.back();
        const auto same = [&](const ArrayModel::Point& other) {
            return &other != &last && other.capacity == last.capacity && other.ways == last.ways;
        };
        if (std::any_of(array.points.begin(), array.points.end(), same))
            point.fail("expected a point for each capacity and number of ways, found a second one for these");
    }
    return array;
}

Component read_component(const Section& section) {
    section.knows({"name", "part", "kinds"});
    const std::string part = section.text("part");
    if (part != "gpu" && part != "memory") section.fail("part: expected \"gpu\" or \"memory\", found '" + part + "'");
    return {section.text("name"), section.where(), part == "memory", section.texts("kinds")};
}

Event read_event(const Section& section, const Structure& structure) {
    section.knows({"counters", "times", "access", "energy_pJ", "source"}).text("source");
    Event event{section.where(), section.texts("counters"), section.product("times", 1), {}, {}};
    if (section.has("access") == section.has("energy_pJ"))
        section.fail("expected either 'access' or 'energy_pJ' in [[event]]");
    if (section.has("energy_pJ")) {
        event.energy_pJ = section.range("energy_pJ");
        return event;
    }
    const std::string access = section.text("access");
    if (structure.array.empty()) section.fail("access: '" + structure.name + "' has no array");
    if (access == "read")
        event.access = Access::read;
    else if (access == "write")
        event.access = Access::write;
    else if (access == "tag")
        event.access = Access::tag;
    else
        section.fail("access: expected \"read\", \"write\" or \"tag\", found '" + access + "'");
    return event;
}

void read_kinds(const Section& section, Structure& structure) {
    structure.kinds = section.texts("kinds");
    for (auto kind = structure.kinds.begin(); kind != structure.kinds.end(); ++kind)
        if (std::find(structure.kinds.begin(), kind, *kind) != kind)
            section.fail("kinds: '" + *kind + "' is named twice, and would be priced twice");
    if (section.has("beside")) structure.beside = section.texts("beside");
    if (section.has("otherwise")) structure.otherwise = section.text("otherwise");
    if (section.has("otherwise") && !section.has("when"))
        section.fail("otherwise: expected a key 'when' beside it, found none");
    if (!section.has("when")) return;
    const Section when = section.section("when");
    for (const std::string& parameter : when.keys())
        structure.conditions.push_back({parameter, when.texts(parameter.c_str())});
}

void read_array_of(const Section& section, const Table& table, Structure& structure) {
    structure.copies = section.product("copies", 1);
    structure.shared_by = section.product("shared_by", 1);
    structure.ways = section.product("ways", 1);
    if (!section.has("array")) return;
    structure.array = section.text("array");
    if (!table.arrays.contains(structure.array)) section.fail("there is no [array." + structure.array + "]");
    if (!section.has("capacity")) section.fail("expected a key 'capacity' beside 'array', found none");
    structure.capacity = section.product("capacity", 1);
}

void read_area(const Section& section, const Table& table, Structure& structure) {
    structure.area_mm2 = section.range_or_none("area_mm2");
    structure.area_times = section.product("area_times", 1);
    const bool has_area = section.has("area_mm2") || section.has("array");
    if (has_area != section.has("leakage"))
        section.fail(has_area ? "expected a key 'leakage' for the area of '" + structure.name + "', found none"
                              : "leakage: '" + structure.name + "' has neither 'area_mm2' nor 'array'");
    if (!has_area) return;
    structure.leakage = section.text("leakage");
    if (!table.leakages.contains(structure.leakage)) section.fail("there is no [leakage." + structure.leakage + "]");
}

// What its own figures are given for, where it has any beside its array's.
void read_technology(const Section& section, const Table& table, Structure& structure) {
    if (section.has("scales") && (section.flag("scales") || section.has("node_nm") || section.has("voltage")))
        section.fail("scales: expected false, and neither 'node_nm' nor 'voltage', or no 'scales'");
    const bool has_figures =
        section.has("area_mm2") || section.has("clock_pJ") ||
        std::any_of(structure.events.begin(), structure.events.end(), [](const Event& event) { return !event.access; });
    if (has_figures) structure.given = section.has("scales") ? table.technology : section.technology();
    if (section.has("fixed_lengths") && (!section.flag("fixed_lengths") || section.has("scales") || !has_figures))
        section.fail("fixed_lengths: expected true, beside figures that scale, or no 'fixed_lengths'");
    structure.fixed_lengths = section.has("fixed_lengths");
}

Structure read_structure(const Section& section, const Table& table) {
    section.knows({"name",    "kinds",    "beside",        "when",        "source",   "node_nm",
                   "voltage", "array",    "capacity",      "shared_by",   "ways",     "copies",
                   "event",   "clock_pJ", "clock_times",   "busy_cycles", "area_mm2", "area_times",
                   "leakage", "scales",   "fixed_lengths", "otherwise"});
    Structure structure;
    structure.name = section.text("name");
    structure.where = section.where();
    section.text("source");
    read_kinds(section, structure);
    read_array_of(section, table, structure);
    for (const Section& event : section.list_or_none("event")) structure.events.push_back(read_event(event, structure));
    if (section.has("clock_pJ")) {
        structure.clock_pJ = section.range("clock_pJ");
        structure.clock_times = section.product("clock_times", 1);
        structure.busy_cycles = section.texts("busy_cycles");
    }
    read_area(section, table, structure);
    read_technology(section, table, structure);
    return structure;
}

// Every kind is in one component or not priced, and has a structure or is not priced.
void check_kinds(const Table& table) {
    std::map<std::string, std::string> component_of;
    for (const Component& component : table.components)
        for (const std::string& kind : component.kinds) {
            if (!component_of.emplace(kind, component.name).second || table.not_priced.contains(kind))
                throw engine::ConfigError(
                    component.where + "'" + kind + "' is named twice: in '" + component.name + "', and in " +
                    (table.not_priced.contains(kind) ? "[not_priced]" : "'" + component_of[kind] + "'"));
            const bool has_structure =
                std::any_of(table.structures.begin(), table.structures.end(), [&](const Structure& structure) {
                    return std::find(structure.kinds.begin(), structure.kinds.end(), kind) != structure.kinds.end();
                });
            if (!has_structure && kind != dram_kind)
                throw engine::ConfigError(component.where + "'" + kind + "' of '" + component.name +
                                          "' has no [[structure]]");
        }
    std::vector<std::string> known;
    known.reserve(component_of.size());
    for (const auto& [kind, component] : component_of) known.push_back(kind);
    for (const Structure& structure : table.structures)
        for (const std::vector<std::string>* const kinds : {&structure.kinds, &structure.beside})
            for (const std::string& kind : *kinds)
                if (!component_of.contains(kind)) {
                    const std::string near = engine::nearest(kind, known);
                    throw engine::ConfigError(structure.where + "'" + kind + "' is in no [[component]]" +
                                              (near.empty() ? "" : ", did you mean '" + near + "'?"));
                }
}

}  // namespace

Table read_table(const std::filesystem::path& path) {
    const std::string text = io::read_toml_file(path, most_bytes);
    const toml::table parsed = io::parse_toml_file(path, text);
    Table table;
    table.path = path.string();
    io::Digest digest;
    digest.add(text);
    table.digest = digest.hex();
    const Section root(table.path, parsed, "the file");
    root.knows(
        {"title", "technology", "clock_gating", "dram", "leakage", "array", "component", "structure", "not_priced"});
    table.title = root.text("title");
    const Section technology = root.section("technology");
    technology.knows({"node_nm", "voltage", "source"}).text("source");
    table.technology = technology.technology();
    const Section gating = root.section("clock_gating");
    gating.knows({"idle_share", "source"}).text("source");
    table.idle_clock = gating.share("idle_share");
    const Section dram = root.section("dram");
    dram.knows({"currents", "source"}).text("source");
    table.dram_currents = dram.range("currents");
    for (const auto& [name, section] : root.sections("leakage")) table.leakages[name] = read_leakage(section);
    for (const auto& [name, section] : root.sections("array")) table.arrays[name] = read_array(section);
    for (const Section& section : root.list("component")) table.components.push_back(read_component(section));
    for (const Section& section : root.list("structure")) table.structures.push_back(read_structure(section, table));
    if (root.has("not_priced")) {
        const Section reasons = root.section("not_priced");
        for (const std::string& kind : reasons.keys()) table.not_priced[kind] = reasons.text(kind.c_str());
    }
    check_kinds(table);
    return table;
}

}  // namespace energy
