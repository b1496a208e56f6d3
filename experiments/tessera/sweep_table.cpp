#include "experiments/tessera/sweep_table.h"

#include <algorithm>
#include <cstdio>

namespace experiments {

namespace {

std::string csv(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : c == '\n' ? std::string(" ") : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

std::string sweep_table(const io::Sweep& sweep, const std::vector<PointState>& states) {
    std::string text = "point,machine,workload,frames";
    for (const std::string& parameter : sweep.varied) text += "," + csv(parameter);
    text += ",state,seconds,exit_code,message\n";
    for (std::size_t i = 0; i < states.size(); ++i) {
        const io::SweepPoint& point = sweep.points[i];
        const PointState& state = states[i];
        text +=
            csv(point.name) + "," + csv(point.machine) + "," + csv(point.workload.string()) + "," + csv(sweep.frames);
        for (const std::string& parameter : sweep.varied) {
            const auto found = std::find_if(point.settings.begin(), point.settings.end(),
                                            [&](const auto& setting) { return setting.first == parameter; });
            text += "," + (found == point.settings.end() ? "" : csv(found->second));
        }
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.3f", state.seconds);
        text += "," + std::string(name_of(state.kind)) + "," + seconds + "," + std::to_string(state.exit_code) + "," +
                csv(state.message) + "\n";
    }
    return text;
}

}  // namespace experiments
