#include "experiments/tessera/machine_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "engine/error.h"
#include "engine/stop_request.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/summary.h"
#include "experiments/tessera/tracing.h"
#include "experiments/tessera/trial_run.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/image_file.h"
#include "io/results_file.h"
#include "io/results_performance.h"
#include "io/timeline_file.h"
#include "models/machine.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

constexpr double commit_share = 0.05;  // of the wall time may go into committing results

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

MachineRun::MachineRun(const RunRequest& request, const engine::Ranks& ranks,
                       const models::MachineParameters& parameters, const Output& output, io::Results& results)
    : request_(request),
      ranks_(ranks),
      parameters_(parameters),
      output_(output),
      results_(results),
      progress_(ranks.rank() == 0 ? request.progress : io::Progress::Style::none) {}

int MachineRun::run(const std::vector<OpenWorkload>& workloads) {
    several_ = workloads.size() > 1;
    results_.determinism.tie_seed = request_.tie_seed;
    results_.determinism.log_from = request_.log.from;
    results_.determinism.log_to = request_.log.to;
    for (const OpenWorkload& workload : workloads)
        for (const std::size_t position : workload.frames)
            totals_.quads += static_cast<double>(workload.trace->quad_count(position));
    int signal = 0;
    try {
        signal = run_workloads(workloads);
    } catch (...) {
        end_by_error();
        throw;
    }
    progress_.clear();
    on_first_rank(ranks_, [&] {
        if (signal != 0) return end_early(std::string("stopped by SIG") + sigabbrev_np(signal));
        results_.complete = true;
        commit();
        output_.folder->complete();
    });
    write_timeline();
    return signal;
}

int MachineRun::run_workloads(const std::vector<OpenWorkload>& workloads) {
    int signal = 0;
    for (std::uint32_t number = 0; number < workloads.size() && signal == 0; ++number)
        signal = run_workload(workloads[number], number);
    return signal;
}

void MachineRun::end_early(const std::string& why) {
    if (results_.frames.empty()) {
        std::fprintf(stderr, "%s before the first frame was done: there are no results\n", why.c_str());
        return;
    }
    if (committed_ < results_.frames.size()) commit();
    const io::FrameResult& last = results_.frames.back();
    const std::string frame = several_ ? results_.workloads[last.workload].label + " frame " : "frame ";
    std::fprintf(stderr, "%s after %s%d: %s holds the frames done so far\n", why.c_str(), frame.c_str(),
                 static_cast<int>(last.number), output_.folder->results().c_str());
}

// The error that brought us here is the one to tell.
void MachineRun::end_by_error() noexcept {
    progress_.clear();
    if (ranks_.rank() != 0 || results_.frames.empty()) return;
    try {
        end_early("stopped by an error");
    } catch (const std::exception&) {
        return;
    }
}

void MachineRun::add_workload(const OpenWorkload& workload) {
    io::Digest digest;  // of the frames that are run
    for (const std::size_t position : workload.frames) digest.add(workload.trace->digest_of(position));
    results_.workloads.push_back({workload.label, workload.given.string(), digest.hex()});
}

int MachineRun::run_workload(const OpenWorkload& workload, std::uint32_t number) {
    engine::Simulation simulation;
    models::Machine machine(simulation, parameters_);
    const engine::Plan plan = plan_for(simulation, workload);
    results_.graph = simulation.graph();
    io::ResultsCollector collector(simulation.processes());
    if (results_.kinds.empty()) results_.kinds = collector.empty_kinds();
    results_.ticks_per_second = machine.clocks().ticks_per_second;
    add_workload(workload);
    simulation.permute_ties(request_.tie_seed);
    log_messages(simulation);
    results_.determinism.processes.clear();
    for (const auto& process : simulation.processes()) results_.determinism.processes.push_back(process->name());

    models::FrameTrace trace;
    trace.programs = workload.trace->programs();
    std::vector<std::uint64_t> before;  // the counters at the end of the frame before
    for (const std::size_t position : workload.frames) {
        models::Frame frame;
        ranks_.name_stage(workload.label + " frame " + std::to_string(workload.trace->frame_number(position)));
        on_all_ranks(ranks_, [&] {
            frame = workload.trace->load(position);
            machine.load_frame(trace, frame);
        });
        machine.start();
        const engine::Time start = simulation.now();
        engine::RunOptions options = run_options();
        options.progress = [&](engine::Time now) { show_progress(workload, frame, machine.cycles(now - start)); };
        if (!request_.profile.empty()) options.timeline = &timeline_;
        engine::RunReport report = simulation.run(plan, options);
        if (report.stopped_by != 0) return report.stopped_by;
        if (report.stopped_at != engine::never) throw_out_of_time(workload, frame.number);
        machine.end_frame();
        const std::vector<std::uint64_t> counters = simulation.collect_counters();
        const engine::MessageHashes hashes = simulation.collect_message_hashes();
        const std::uint64_t cycles = machine.cycles(report.end - start);
        totals_.quads_done += static_cast<double>(frame.quads.size());
        totals_.cycles_done += static_cast<double>(cycles);
        on_first_rank(ranks_, [&] {
            check_laws(machine, models::Ledger(simulation.processes(), counters, before), trace, frame.number, start,
                       report.end);
            before = counters;
            collector.add_frame(counters, results_.kinds);
            results_.determinism.set_hashes(number, time_, hashes);
            results_.frames.push_back({number, frame.number, time_ + start, time_ + report.end, cycles, frame.check});
            results_.profile.add(std::exchange(report.profile, {}));
            results_.performance.push_back(std::move(report));
            pictures_.push_back({&workload, position});
            if (seconds_since(last_commit_) * commit_share >= commit_seconds_) commit();
        });
        progress_.update(totals_.quads > 0 ? totals_.quads_done / totals_.quads : -1,
                         workload.label + " frame " + std::to_string(frame.number) + " done");
    }
    add_log(simulation);
    time_ += simulation.now();
    return 0;
}

void MachineRun::throw_out_of_time(const OpenWorkload& workload, std::uint32_t frame) const {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.6g",
                  static_cast<double>(request_.end_of_time) / static_cast<double>(results_.ticks_per_second));
    throw engine::ConfigError(workload.label + " frame " + std::to_string(frame) + ": simulated time ends at " +
                              std::to_string(request_.end_of_time) + " ticks, which are " + seconds +
                              " s; simulate fewer frames in one run, or give the clocks frequencies with a greater "
                              "common divisor");
}

engine::RunOptions MachineRun::run_options() const {
    engine::RunOptions options;
    options.chaos = request_.chaos;
    options.pin = request_.pin;
    if (request_.all_workers) options.trial_seconds = -1;
    options.share_memory = request_.share_memory;
    options.stop_requested = &engine::StopRequest::requested();
    options.stall_seconds = request_.watchdog;
    options.until = request_.end_of_time - time_;
    return options;
}

// What is left of the range and of the limit: the time of a simulation begins at 0, that of results goes on.
void MachineRun::log_messages(engine::Simulation& simulation) const {
    if (request_.log.empty() || request_.log.to <= time_) return;
    simulation.log_messages(std::max(request_.log.from - time_, engine::Time{0}), request_.log.to - time_,
                            most_logged_messages - results_.determinism.log.messages.size());
}

void MachineRun::add_log(const engine::Simulation& simulation) {
    const engine::MessageLog log = simulation.collect_message_log();
    on_first_rank(ranks_, [&] { results_.determinism.add_log(time_, log); });
}

engine::Plan MachineRun::plan_for(const engine::Simulation& simulation, const OpenWorkload& workload) const {
    engine::Graph graph = simulation.graph();
    const bool measured = !request_.profile_from.empty();
    if (!measured && request_.partition == "balanced" && ranks_.size() * request_.threads > 1)
        graph = weighed_graph({parameters_, *workload.trace, workload.frames.front()}, ranks_, run_options());
    engine::Plan plan;
    on_all_ranks(ranks_, [&] {
        if (measured) engine::weigh(graph, io::read_profile(request_.profile_from, graph));
        plan = partitions::make_plan(request_.partition, graph, ranks_.size(), request_.threads);
    });
    return plan;
}

void MachineRun::write_timeline() const {
    if (request_.profile.empty()) return;
    const std::vector<engine::Timeline> timelines = timeline_.over_ranks(ranks_);
    on_first_rank(
        ranks_, [&] { io::write_timeline(request_.profile, timelines, results_.graph, output_.timeline->existing()); });
}

void MachineRun::check_laws(const models::Machine& machine, const models::Ledger& ledger,
                            const models::FrameTrace& trace, std::uint32_t frame, engine::Time begin,
                            engine::Time end) {
    std::vector<models::Violation> violations = ledger.violations(machine.laws());
    for (std::vector<models::Violation> more :
         {machine.check_work(ledger, trace), ledger.violations(machine.laws(), begin, end)})
        violations.insert(violations.end(), more.begin(), more.end());
    if (violations.empty()) return;
    throw engine::InternalError(
        "frame " + std::to_string(frame) + " breaks a conservation law: " + violations[0].text() +
        (violations.size() == 1 ? "" : " (and " + std::to_string(violations.size() - 1) + " more)"));
}

void MachineRun::show_progress(const OpenWorkload& workload, const models::Frame& frame, std::uint64_t cycles) {
    // Cycles per quad of the frames before say how far this one is; of the first frame nothing is known.
    const auto quads = static_cast<double>(frame.quads.size());
    double done = 0;
    if (totals_.cycles_done > 0 && totals_.quads_done > 0)
        done = std::min(0.95 * quads, static_cast<double>(cycles) * totals_.quads_done / totals_.cycles_done);
    const double fraction = totals_.quads > 0 ? (totals_.quads_done + done) / totals_.quads : -1;
    progress_.update(fraction,
                     workload.label + " frame " + std::to_string(frame.number) + ", cycle " + std::to_string(cycles));
}

void MachineRun::write_image(const OpenWorkload& workload, std::size_t position) const {
    const std::string png = workload.trace->png(position);
    if (png.empty()) return;
    const std::filesystem::path folder =
        several_ ? output_.folder->images() / workload.label : output_.folder->images();
    io::create_folder(folder);
    io::write_image_file(io::image_path(folder, workload.trace->frame_number(position)), png, io::Existing::replace);
}

// Nothing in the folder before there is something to keep.
void MachineRun::commit() {
    const auto start = std::chrono::steady_clock::now();
    results_.totals = performance_totals(results_);
    output_.folder->make_room();
    if (committed_ == 0) io::write_file(output_.folder->machine(), output_.machine);
    for (const Picture& picture : pictures_) write_image(*picture.workload, picture.position);
    pictures_.clear();
    io::write_results(output_.folder->results(), results_);
    output_.folder->keep();
    committed_ = results_.frames.size();
    last_commit_ = std::chrono::steady_clock::now();
    commit_seconds_ = seconds_since(start);
}

}  // namespace experiments
