#include "experiments/tessera/energy_report.h"

#include <algorithm>
#include <numeric>

#include "experiments/tessera/text_format.h"
#include "io/printable.h"

namespace experiments {

namespace {

using energy::Cause;
using energy::Energy;
using energy::Part;
using energy::Range;

constexpr double microjoules = 1e-6;  // of a picojoule

template <class IsIn>
std::string row(const std::string& name, const Energy& energy, double whole, IsIn is_in) {
    std::string text = format("%-24.24s", io::printable(name).c_str());
    for (const Cause cause : {Cause::dynamic, Cause::clock, Cause::leakage, Cause::standby}) {
        const Range part = energy.sum([&](const Part& each) { return is_in(each) && each.cause == cause; });
        text += format(" %9.2f", part.typical * microjoules);
    }
    const Range all = energy.sum(is_in);
    const std::string share = whole > 0 ? format("%5.1f %%", 100 * all.typical / whole) : "      -";
    return text + format(" %10.2f  %9.2f .. %-10.2f %s\n", all.typical * microjoules, all.low * microjoules,
                         all.high * microjoules, share.c_str());
}

std::string power(const char* name, const Range& picojoules, double seconds) {
    const Range watts = picojoules * (seconds > 0 ? 1e-12 / seconds : 0);
    return format("%-24s %.1f mW (%.1f .. %.1f)\n", name, watts.typical * 1e3, watts.low * 1e3, watts.high * 1e3);
}

std::string left_out(const Energy& energy) {
    std::string text;
    for (const auto& [why, kinds] : energy.left_out) {
        text += "not priced (" + io::printable(why) + "):";
        for (const std::string& kind : kinds) text += " " + kind;
        text += "\n";
    }
    return text;
}

std::string dram_line(const Range& memory, const io::Results& results) {
    if (results.find_kind("dram_channel") == nullptr) return "";
    const double bits = 8 * static_cast<double>(results.total("dram_channel", "bytes"));
    if (bits == 0) return "memory, each bit moved    none was\n";
    return format("%-24s %.1f pJ (%.1f .. %.1f)\n", "memory, each bit moved", memory.typical / bits, memory.low / bits,
                  memory.high / bits);
}

}  // namespace

std::string energy_report(const Energy& energy, const energy::Table& table, const io::Results& results) {
    const auto is_gpu = [](const Part& part) { return !part.is_memory; };
    const auto is_memory = [](const Part& part) { return part.is_memory; };
    const Range gpu = energy.sum(is_gpu), memory = energy.sum(is_memory), all = energy.total();
    const double seconds = std::accumulate(energy.seconds.begin(), energy.seconds.end(), 0.0);
    std::string text = format("%s: %g nm, %g V; %zu frames, %.3f ms\n\n", io::printable(table.title).c_str(),
                              table.technology.node_nm, table.technology.voltage, energy.seconds.size(), seconds * 1e3);
    text += format("%-24s %9s %9s %9s %9s %10s  %9s .. %-10s %s\n", "uJ", "dynamic", "clock", "leakage", "standby",
                   "all", "low", "high", "share");
    for (const bool of_memory : {false, true}) {
        for (const energy::Component& component : table.components) {
            const auto is_it = [&](const Part& part) { return part.component == component.name; };
            if (component.is_memory == of_memory && std::any_of(energy.parts.begin(), energy.parts.end(), is_it))
                text += row("  " + component.name, energy, (of_memory ? memory : gpu).typical, is_it);
        }
        text += of_memory ? row("memory", energy, all.typical, is_memory) : row("GPU", energy, all.typical, is_gpu);
    }
    text += row("all", energy, all.typical, [](const Part&) { return true; });
    return text + "\n" + power("GPU", gpu, seconds) + power("memory", memory, seconds) + dram_line(memory, results) +
           left_out(energy);
}

}  // namespace experiments
