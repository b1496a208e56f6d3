#include "experiments/energy/energy_file.h"

#include <cstdio>
#include <span>
#include <string_view>

#include "io/digest.h"
#include "io/printable.h"
#include "io/recording/file.h"

namespace energy {

namespace {

constexpr std::string_view first_line = "# tessera energy 1\n";

bool is_energy(const std::filesystem::path& path) {
    std::string found(first_line.size(), '\0');
    found.resize(io::read_bytes(io::open_for_reading(path), std::as_writable_bytes(std::span(found)), path));
    return found == first_line;
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.12g", value);
    return text;
}

// Texts of a table may be anything.
std::string field(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : io::printable(text)) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

// "texture_cache vertex_cache: why" for each reason.
std::string left_out(const Energy& energy) {
    std::string text;
    for (const auto& [why, kinds] : energy.left_out) {
        text += "# left out";
        for (const std::string& kind : kinds) text += " " + kind;
        text += ": " + io::printable(why) + "\n";
    }
    return text;
}

}  // namespace

const io::OutputKind energy_output{"the energy of a run as Tessera writes it", &is_energy};

std::string digests_of(const io::Results& results) {
    io::Digest machine;
    for (const io::NamedText& entry : results.provenance)
        if (entry.name == "resolved_toml") machine.add_bytes(entry.text.data(), entry.text.size());
    return io::results_digest(results) + " " + machine.hex();
}

std::string energy_csv(const Energy& energy, const Table& table, const std::string& results) {
    std::string text = std::string(first_line) + "# results " + results + "\n# table " +
                       io::printable(std::filesystem::path(table.path).filename().string()) + " " + table.digest +
                       "\n# " + io::printable(table.title) + "\n# technology " + number(table.technology.node_nm) +
                       " nm, " + number(table.technology.voltage) + " V\n" + left_out(energy) +
                       "frame,seconds,component,part,structure,kind,cause,low_pJ,typical_pJ,high_pJ\n";
    for (std::size_t frame = 0; frame < energy.seconds.size(); ++frame)
        for (const Part& part : energy.parts) {
            const Range& range = part.frames[frame];
            text += std::to_string(frame) + "," + number(energy.seconds[frame]) + "," + field(part.component) + "," +
                    (part.is_memory ? "memory" : "gpu") + "," + field(part.structure) + "," + part.kind + "," +
                    std::string(name_of(part.cause)) + "," + number(range.low) + "," + number(range.typical) + "," +
                    number(range.high) + "\n";
        }
    return text;
}

}  // namespace energy
