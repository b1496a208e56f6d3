#include "experiments/tessera/sweep_check.h"

#include <string>
#include <vector>

#include "engine/error.h"
#include "experiments/tessera/frame_range.h"
#include "experiments/tessera/machine_file.h"
#include "experiments/tessera/open_recording.h"
#include "experiments/tessera/run_length.h"
#include "io/config_file.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/results_file.h"
#include "models/machine_parameters.h"

namespace experiments {

namespace {

constexpr std::size_t most_bytes = 16U << 20U;  // of a machine's parameters

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& what, const std::string& now,
                         const std::string& then) {
    throw engine::ConfigError(folder.string() + ": expected results of " + what + " " + now +
                              ", as the sweep has it now, found " + then +
                              "; remove that folder, or give another one for the sweep");
}

// "--frames: expected ..." of an option is "frames: expected ..." here.
std::string of_key(const std::string& message) {
    return message.starts_with("--") ? message.substr(2) : message;
}

void check_other(const io::SweepText& text) {
    try {
        if (text.key == "frames")
            (void)parse_frame_range(text.text);
        else if (text.key == "checkpoint_every")
            (void)parse_run_length("checkpoint_every", text.text);
        else
            (void)machine_path(text.text);
    } catch (const engine::ConfigError& error) {
        throw engine::ConfigError(text.where + of_key(error.what()));
    }
}

}  // namespace

void check_sweep(const io::Sweep& sweep) {
    for (const io::SweepText& text : sweep.others) check_other(text);
    models::MachineParameters scratch;
    for (const io::SweepText& setting : sweep.settings)
        io::set_parameter(setting.where, setting.key, setting.text, scratch);
}

void SweepCheck::check(const io::SweepPoint& point, const std::filesystem::path& folder) {
    const std::filesystem::path resolved = folder / "resolved.toml";
    if (io::exists(resolved)) {
        models::MachineParameters now, then;
        std::vector<std::string> settings;
        for (const auto& [parameter, value] : point.settings) settings.push_back(parameter + "=" + value);
        (void)read_machine(point.machine, settings, now);
        io::read_resolved(io::read_file(resolved, most_bytes), resolved, then);
        if (const auto difference = io::first_difference(now, then))
            refuse(folder, difference->parameter + " =", difference->value, difference->other);
    }
    const std::filesystem::path results = folder / "results.h5";
    if (!io::exists(results) || !io::exists(point.workload)) return;
    const std::vector<io::WorkloadResult> workloads = io::read_workloads(results);
    if (workloads.size() != 1) return;
    if (!io::FrameTraceFile::recognises(point.workload)) {
        const std::string then = digest_of_traced_recording(folder / "traces" / (workloads[0].label + ".h5"));
        if (!then.empty() && then != digest_of(point.workload))
            refuse(folder, "the recording " + point.workload.string() + " with the digest", digest_of(point.workload),
                   then);
        return;
    }
    if (workloads[0].digest != digest_of(point.workload))
        refuse(folder, "frames of " + point.workload.string() + " with the digest", digest_of(point.workload),
               workloads[0].digest);
}

const std::string& SweepCheck::digest_of(const std::filesystem::path& workload) {
    const auto known = digests_.find(workload);
    if (known != digests_.end()) return known->second;
    if (!io::FrameTraceFile::recognises(workload))
        return digests_[workload] = digest_of_recording(open_recording(workload));
    const io::FrameTraceFile file(workload);
    const FrameRange frames = frames_.empty() ? FrameRange{} : parse_frame_range(frames_);
    io::Digest digest;
    for (std::size_t i = 0; i < file.frame_count(); ++i)
        if (frames.contains(file.frame_number(i))) digest.add(file.digest_of(i));
    return digests_[workload] = digest.hex();
}

}  // namespace experiments
