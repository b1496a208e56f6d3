#include "experiments/energy/pricing.h"

#include <algorithm>
#include <array>

#include "engine/error.h"
#include "engine/parameter.h"
#include "experiments/energy/dram_pricing.h"
#include "experiments/energy/machine_values.h"

namespace energy {

namespace {

using engine::ConfigError;
using io::KindResults;

bool contains(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

std::string with_kind(const std::string& parameter, const std::string& kind) {
    constexpr std::string_view any_kind = "KIND.";
    return parameter.starts_with(any_kind) ? kind + parameter.substr(any_kind.size() - 1) : parameter;
}

class Pricing {
  public:
    Pricing(const io::Results& results, const Table& table, const MachineValues& machine)
        : results_(results),
          table_(table),
          machine_(machine) {}

    Energy price() {
        check_complete();
        for (const io::FrameResult& frame : results_.frames)
            energy_.seconds.push_back(static_cast<double>(frame.end - frame.start) /
                                      static_cast<double>(results_.ticks_per_second));
        for (const Component& component : table_.components) {
            for (const Structure& structure : table_.structures)
                for (const std::string& name : structure.kinds) {
                    const KindResults* const kind = results_.find_kind(name);
                    if (kind == nullptr || !contains(component.kinds, name)) continue;
                    if (is_there(structure, name))
                        add(component, structure, *kind);
                    else if (!structure.otherwise.empty())
                        leave_out(structure, name);
                }
            if (contains(component.kinds, dram_kind)) add_dram(component);
        }
        return std::move(energy_);
    }

  private:
    void check_complete() const {
        for (const KindResults& kind : results_.kinds) {
            const bool is_named =
                table_.not_priced.contains(kind.kind) ||
                std::any_of(table_.components.begin(), table_.components.end(),
                            [&](const Component& component) { return contains(component.kinds, kind.kind); });
            if (!is_named)
                throw ConfigError(table_.path + ": misses a structure of the machine: '" + kind.kind +
                                  "' is in no [[component]], nor in [not_priced]");
        }
    }

    // Calls of the machine's values, with the place in the table in front of what they say.
    template <class F>
    auto at(const std::string& where, F f) const {
        try {
            return f();
        } catch (const ConfigError& error) {
            throw ConfigError(where + error.what());
        }
    }
    double value(const Product& product, const std::string& kind, const std::string& where) const {
        double value = product.factor;
        for (const std::string& parameter : product.parameters)
            value *= at(where, [&] { return machine_.number(with_kind(parameter, kind)); });
        return value;
    }
    bool is_there(const Structure& structure, const std::string& kind) const {
        const auto is_met = [&](const Structure::Condition& condition) {
            return contains(condition.values,
                            at(structure.where, [&] { return machine_.text(with_kind(condition.parameter, kind)); }));
        };
        const auto has_units = [&](const std::string& other) { return results_.find_kind(other) != nullptr; };
        return std::all_of(structure.beside.begin(), structure.beside.end(), has_units) &&
               std::all_of(structure.conditions.begin(), structure.conditions.end(), is_met);
    }

    // In every frame, of all units.
    std::vector<double> counted(const KindResults& kind, const std::vector<std::string>& counters,
                                const std::string& where) const {
        std::vector<double> sums(results_.frames.size());
        for (const std::string& name : counters) {
            const auto column = std::find_if(kind.counters.begin(), kind.counters.end(),
                                             [&](const auto& each) { return each.name == name && each.axis.empty(); });
            if (column == kind.counters.end()) fail_for_counter(kind, name, where);
            for (std::size_t frame = 0; frame < sums.size(); ++frame)
                sums[frame] += static_cast<double>(results_.total(kind.kind, name, frame));
        }
        return sums;
    }
    [[noreturn]] static void fail_for_counter(const KindResults& kind, const std::string& name,
                                              const std::string& where) {
        std::vector<std::string> known;
        for (const KindResults::Column& column : kind.counters)
            if (column.axis.empty()) known.push_back(column.name);
        const std::string near = engine::nearest(name, known);
        throw ConfigError(where + "'" + kind.kind + "' has no counter '" + name + "'" +
                          (near.empty() ? "" : ", did you mean '" + near + "'?"));
    }

    void leave_out(const Structure& structure, const std::string& kind) {
        std::vector<std::string>& kinds = energy_.left_out[structure.otherwise];
        if (!contains(kinds, kind)) kinds.push_back(kind);
    }
    void add(const Component& component, const Structure& structure, const KindResults& kind) {
        const Technology& wanted = table_.technology;
        ArrayValues array;
        if (!structure.array.empty()) array = array_of(structure, kind.kind);
        std::vector<Range> dynamic(results_.frames.size());
        for (const Event& event : structure.events) {
            const double times = value(event.times, kind.kind, event.where);
            const Range each =
                (event.access ? access(array, *event.access) : event.energy_pJ * factor(structure)) * times;
            const std::vector<double> counts = counted(kind, event.counters, event.where);
            for (std::size_t frame = 0; frame < counts.size(); ++frame) dynamic[frame] += each * counts[frame];
        }
        if (!structure.events.empty()) add(component, structure, kind.kind, Cause::dynamic, std::move(dynamic));
        if (!structure.busy_cycles.empty()) add(component, structure, kind.kind, Cause::clock, clock(structure, kind));
        if (!structure.leakage.empty()) {
            Range area = array.area_mm2 * value(structure.copies, kind.kind, structure.where);
            area += structure.area_mm2 * (area_factor(structure.given.node_nm > 0 ? structure.given : wanted, wanted) *
                                          value(structure.area_times, kind.kind, structure.where));
            add(component, structure, kind.kind, Cause::leakage,
                leakage(area * static_cast<double>(kind.indices.size()), table_.leakages.at(structure.leakage)));
        }
    }

    // Of its own figures of energy.
    double factor(const Structure& structure) const {
        return structure.fixed_lengths ? wire_factor(structure.given, table_.technology)
                                       : energy_factor(structure.given, table_.technology);
    }
    // Of one array, in the technology that is priced.
    ArrayValues array_of(const Structure& structure, const std::string& kind) const {
        const ArrayModel& model = table_.arrays.at(structure.array);
        const double all = value(structure.capacity, kind, structure.where),
                     arrays = value(structure.shared_by, kind, structure.where),
                     ways = value(structure.ways, kind, structure.where);
        if (all <= 0 || arrays <= 0 || ways <= 0)
            throw ConfigError(structure.where + "'" + structure.name + "' of '" + kind +
                              "' has no capacity in this machine: its 'when' should say so");
        ArrayValues values = model.at(all / arrays, ways);
        const double factor = energy_factor(model.given, table_.technology);
        values.read_pJ *= factor;
        values.write_pJ *= factor;
        values.tag_pJ *= factor;
        values.area_mm2 *= area_factor(model.given, table_.technology);
        return values;
    }
    static Range access(const ArrayValues& array, Access access) {
        return access == Access::read ? array.read_pJ : access == Access::write ? array.write_pJ : array.tag_pJ;
    }

    std::vector<Range> clock(const Structure& structure, const KindResults& kind) const {
        const std::vector<double> busy = counted(kind, structure.busy_cycles, structure.where);
        const Range each =
            structure.clock_pJ * (factor(structure) * value(structure.clock_times, kind.kind, structure.where));
        std::vector<Range> frames;
        for (std::size_t frame = 0; frame < busy.size(); ++frame) {
            const double all = static_cast<double>(results_.frames[frame].cycles * kind.indices.size());
            const double active = std::min(busy[frame], all);
            frames.push_back(each * active + each * table_.idle_clock * (all - active));
        }
        return frames;
    }
    // mW for seconds: 1e9 pJ each.
    std::vector<Range> leakage(const Range& area, const Leakage& leakage) const {
        const Range power =
            area * leakage.mW_per_mm2 * leakage_factor({table_.technology.node_nm, leakage.voltage}, table_.technology);
        std::vector<Range> frames;
        for (const double seconds : energy_.seconds) frames.push_back(power * (seconds * 1e9));
        return frames;
    }

    void add_dram(const Component& component) {
        for (const DramPart& part : price_dram(results_, machine_)) {
            std::vector<Range> frames;
            for (const double typical : part.frames_pJ) frames.push_back(table_.dram_currents * typical);
            energy_.parts.push_back({component.name, component.is_memory, "DRAM " + part.name, dram_kind,
                                     part.is_standby ? Cause::standby : Cause::dynamic, std::move(frames)});
        }
    }
    void add(const Component& component, const Structure& structure, const std::string& kind, Cause cause,
             std::vector<Range> frames) {
        energy_.parts.push_back({component.name, component.is_memory, structure.name, kind, cause, std::move(frames)});
    }

    const io::Results& results_;
    const Table& table_;
    const MachineValues& machine_;
    Energy energy_;
};

}  // namespace

std::string_view name_of(Cause cause) {
    constexpr std::array<std::string_view, 4> names{"dynamic", "clock", "leakage", "standby"};
    return names[static_cast<std::size_t>(cause)];
}

Range Part::total() const {
    Range total;
    for (const Range& frame : frames) total += frame;
    return total;
}

Energy price(const io::Results& results, const Table& table, const std::string& called) {
    const auto machine = std::find_if(results.provenance.begin(), results.provenance.end(),
                                      [](const io::NamedText& entry) { return entry.name == "resolved_toml"; });
    if (machine == results.provenance.end())
        throw engine::InputError(called + ": does not say which machine was simulated (provenance, resolved_toml)");
    return Pricing(results, table, MachineValues(machine->text, called + ": resolved_toml")).price();
}

}  // namespace energy
