#include "experiments/tessera/machine_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "engine/checkpoint.h"
#include "engine/error.h"
#include "engine/threads/stop_request.h"
#include "experiments/tessera/agreement.h"
#include "io/digest.h"
#include "io/results_performance.h"
#include "io/timeline_file.h"
#include "models/machine.h"
#include "partitions/balanced.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

// Calls f with the threads that this frame is worth.
void side_by_side(const io::FrameTraceFile& file, std::size_t position,
                  const std::function<void(const models::ForEach&)>& f) {
    file.side_by_side(position, [&](const models::functional::Workers& workers) {
        f([&](int items, const std::function<void(int)>& work) {
            workers.for_each(items, [&](int item, int /*worker*/) { work(item); });
        });
    });
}

}  // namespace

MachineRun::MachineRun(const RunRequest& request, const engine::Ranks& ranks,
                       const models::MachineParameters& parameters, const Output& output, RunProgress& progress)
    : request_(request),
      ranks_(ranks),
      parameters_(parameters),
      output_(output),
      at_(progress),
      results_(progress.results),
      stop_(request.stop_after, request.began, progress.segments.back().from, parameters.clocks().gpu),
      checkpoint_(request.checkpoint_every, request.began, progress.segments.back().from, parameters.clocks().gpu),
      progress_(ranks.rank() == 0 ? request.progress : io::Progress::Style::none) {}

bool MachineRun::run(const std::vector<OpenWorkload>& workloads) {
    if (ranks_.rank() == 0)
        keeper_ = std::make_unique<RunKeeper>(*output_.folder, output_.identity, at_, workloads.size() > 1);
    results_.determinism.tie_seed = request_.tie_seed;
    results_.determinism.log_from = request_.log.from;
    results_.determinism.log_to = request_.log.to;
    count_totals(workloads);
    bool done = false;
    try {
        const bool begins = at_.segments.size() == 1;
        if (checkpoint_.given() && begins) write_checkpoint(nullptr);  // so that there is one from now on
        done = run_workloads(workloads);
    } catch (...) {
        end_by_error();
        throw;
    }
    progress_.clear();
    on_first_rank(ranks_, [&] { done ? keeper_->commit_complete() : keeper_->end_early(why_); });
    write_timeline();
    return done;
}

void MachineRun::count_totals(const std::vector<OpenWorkload>& workloads) {
    for (std::size_t number = 0; number < workloads.size(); ++number)
        for (std::size_t i = 0; i < workloads[number].frames.size(); ++i) {
            const auto quads = static_cast<double>(workloads[number].trace->quad_count(workloads[number].frames[i]));
            totals_.quads += quads;
            const bool done = number < at_.workload || (number == at_.workload && i < at_.frame);
            if (done) totals_.quads_done += quads;
        }
    for (const io::FrameResult& frame : results_.frames) totals_.cycles_done += static_cast<double>(frame.cycles);
}

bool MachineRun::run_workloads(const std::vector<OpenWorkload>& workloads) {
    while (at_.workload < workloads.size()) {
        if (!run_workload(workloads[at_.workload])) return false;
        if (at_.workload < workloads.size() && pause(nullptr, at_.time)) return false;
    }
    return true;
}

// The error that brought us here is the one to tell.
void MachineRun::end_by_error() noexcept {
    progress_.clear();
    if (keeper_ == nullptr || results_.frames.empty()) return;
    try {
        keeper_->end_early("stopped by an error");
    } catch (const std::exception&) {
        return;
    }
}

void MachineRun::begin_results(const OpenWorkload& workload, const engine::Simulation& simulation,
                               const io::ResultsCollector& collector) {
    results_.graph = simulation.graph();
    results_.ticks_per_second = parameters_.clocks().ticks_per_second;
    if (results_.kinds.empty()) results_.kinds = collector.empty_kinds();
    results_.determinism.processes.clear();
    for (const auto& process : simulation.processes()) results_.determinism.processes.push_back(process->name());
    if (results_.workloads.size() > at_.workload) return;  // the run goes on in it
    io::Digest digest;                                     // of the frames that are run
    for (const std::size_t position : workload.frames) digest.add(workload.trace->digest_of(position));
    results_.workloads.push_back({workload.label, workload.given.string(), digest.hex()});
}

bool MachineRun::run_workload(const OpenWorkload& workload) {
    engine::Simulation simulation;
    models::Machine machine(simulation, parameters_);
    io::ResultsCollector collector(simulation.processes());
    if (!at_.counters.empty()) collector.go_on_from(at_.counters);
    begin_results(workload, simulation, collector);
    simulation.permute_ties(request_.tie_seed);
    log_messages(simulation);
    if (!at_.under_way) restore(simulation);

    models::FrameTrace trace;
    trace.programs = workload.trace->programs();
    if (machine.remembers_frames())
        for (std::size_t i = 0; i < at_.frame; ++i)
            on_all_ranks(ranks_, [&] {
                side_by_side(*workload.trace, workload.frames[i], [&](const models::ForEach& for_each) {
                    machine.pass_over(trace, workload.trace->load(workload.frames[i]), for_each);
                });
            });
    const Target target{workload, simulation, machine, trace};
    while (at_.frame < workload.frames.size()) {
        plan(simulation);
        if (!run_frame(target, collector)) return false;
        const bool more = at_.frame < workload.frames.size();
        if (more && pause(&simulation, at_.time + simulation.now())) return false;
    }
    add_log(simulation);
    at_.time += simulation.now();
    ++at_.workload;
    at_.frame = 0;
    at_.counters.clear();
    return true;
}

// The machine as the checkpoint has it. Between frames before the next one is loaded, else when it has been: loading is
// what begins a frame.
void MachineRun::restore(engine::Simulation& simulation) {
    if (at_.machine.empty()) return;
    on_all_ranks(ranks_, [&] { engine::Checkpoint::read(simulation, at_.machine); });
    at_.machine = {};
}

void MachineRun::load(const Target& target, models::Frame& frame) {
    const std::size_t position = target.workload.frames[at_.frame];
    ranks_.name_stage(target.workload.label + " frame " +
                      std::to_string(target.workload.trace->frame_number(position)));
    on_all_ranks(ranks_, [&] {
        const io::FrameTraceFile& file = *target.workload.trace;
        side_by_side(file, position, [&](const models::ForEach& for_each) {
            frame = file.load(position);
            target.machine.load_frame(target.trace, frame, for_each);
        });
    });
    if (at_.under_way) return restore(target.simulation);
    target.machine.start();
    at_.under_way = true;
    at_.start = target.simulation.now();
    at_.report = {};
}

// False: the run stops before the frame is done.
bool MachineRun::run_frame(const Target& target, io::ResultsCollector& collector) {
    models::Frame frame;
    load(target, frame);
    if (!run_to_end(target, frame)) return false;
    finish_frame(target, frame, collector);
    return true;
}

bool MachineRun::run_to_end(const Target& target, const models::Frame& frame) {
    for (;;) {
        engine::RunOptions options = run_options();
        options.progress = [&](engine::Time now) {
            show_progress(target.workload, frame, target.machine.cycles(now - at_.start));
        };
        if (!request_.profile.empty()) options.timeline = &timeline_;
        std::optional<engine::StopAlarm> alarm;
        if (const double left = std::min(stop_.seconds_left(), checkpoint_.seconds_left()); std::isfinite(left))
            alarm.emplace(left);
        const engine::RunReport part = target.simulation.run(plan_, options);
        alarm.reset();
        at_.report.append(part);
        profile_.add(part.profile);
        if (part.stopped_at == engine::never) return true;
        const bool by_time = part.stopped_by == 0;
        const engine::Time reached = at_.time + (by_time ? options.until : part.stopped_at);
        if (by_time && reached == request_.end_of_time) throw_out_of_time(target.workload, frame.number);
        if (pause(&target.simulation, reached, part.stopped_by)) return false;
    }
}

void MachineRun::finish_frame(const Target& target, const models::Frame& frame, io::ResultsCollector& collector) {
    target.machine.end_frame();
    std::vector<std::uint64_t> counters = target.simulation.collect_counters();
    const engine::MessageHashes hashes = target.simulation.collect_message_hashes();
    models::Machine::Observations observed = target.machine.take_observations(target.simulation);
    const engine::Time end = at_.report.end;
    const std::uint64_t cycles = target.machine.cycles(end - at_.start);
    totals_.quads_done += static_cast<double>(frame.quads.size());
    totals_.cycles_done += static_cast<double>(cycles);
    at_.under_way = false;
    const std::size_t position = target.workload.frames[at_.frame++];
    on_first_rank(ranks_, [&] {
        const models::Ledger ledger(target.simulation.processes(), counters, at_.counters);
        check_laws(target, position, ledger, observed.records.at(0), end);
        collector.add_frame(counters, results_.kinds);
        results_.determinism.set_hashes(at_.workload, at_.time, hashes);
        results_.frames.push_back(
            {at_.workload, frame.number, at_.time + at_.start, at_.time + end, cycles, frame.check});
        io::add_series(observed.series, at_.time, results_);
        io::add_records(std::move(observed.records), results_);
        results_.profile.add(std::exchange(at_.report.profile, {}));
        results_.performance.push_back(std::exchange(at_.report, {}));
        at_.counters = std::move(counters);
        at_.segments.back().to = at_.time + end;
        keeper_->keep_frame(target.workload, position);
    });
    stop_.count_frame();
    checkpoint_.count_frame();
    progress_.update(totals_.quads > 0 ? totals_.quads_done / totals_.quads : -1,
                     target.workload.label + " frame " + std::to_string(frame.number) + " done");
}

// Where the run may stop: writes a checkpoint if one is due, or if it is to stop. True: it is. `reached`: in simulated
// time; `signal`: that ended the run of the machine, or the alarm.
bool MachineRun::pause(const engine::Simulation* simulation, engine::Time reached, int signal) {
    const bool by_signal = signal != 0 && signal != engine::StopRequest::alarm;
    const bool stops = by_signal || (stop_.given() && ranks_.any(stop_.is_reached(reached)));
    const bool due = checkpoint_.given() && ranks_.any(checkpoint_.is_reached(reached));
    if (!stops && !due) return false;
    write_checkpoint(simulation);
    if (due) checkpoint_.go_on();
    if (stops) why_ = by_signal ? std::string("stopped by SIG") + sigabbrev_np(signal) : "stopped by --stop-after";
    return stops;
}

// Without a simulation: between workloads.
void MachineRun::write_checkpoint(const engine::Simulation* simulation) {
    engine::MessageLog log;
    engine::Time now = at_.time;
    if (simulation != nullptr) {
        at_.machine = engine::Checkpoint::write(*simulation);
        log = simulation->collect_message_log();
        now += simulation->now();
    }
    at_.segments.back().to = now;
    on_first_rank(ranks_, [&] { keeper_->write_checkpoint(log); });
    at_.machine = {};
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
    options.fuzz_seed = request_.fuzz_seed;
    options.pin = request_.pin;
    options.share_memory = request_.share_memory;
    options.stop_requested = &engine::StopRequest::requested();
    options.stall_seconds = request_.watchdog;
    options.until = std::min({request_.end_of_time, stop_.time(), checkpoint_.time()}) - at_.time;
    return options;
}

// What is left of the range and of the limit: the time of a simulation begins at 0, that of results goes on.
void MachineRun::log_messages(engine::Simulation& simulation) const {
    if (request_.log.empty() || request_.log.to <= at_.time) return;
    simulation.log_messages(std::max(request_.log.from - at_.time, engine::Time{0}), request_.log.to - at_.time,
                            most_logged_messages - results_.determinism.log.messages.size());
}

void MachineRun::add_log(const engine::Simulation& simulation) {
    const engine::MessageLog log = simulation.collect_message_log();
    on_first_rank(ranks_, [&] { results_.determinism.add_log(at_.time, log); });
}

// By what the processes cost: in an earlier run if one is given, in the frames before, or as their kinds say. A plan is
// kept as long as it is nearly as good as the new one: processes that go to another rank take their state along.
void MachineRun::plan(const engine::Simulation& simulation) {
    constexpr double nearly = 1.02;
    on_all_ranks(ranks_, [&] {
        engine::Graph graph = simulation.graph();
        if (!request_.profile_from.empty())
            engine::weigh(graph, io::read_profile(request_.profile_from, graph));
        else if (!profile_.processes.empty())
            engine::weigh(graph, profile_);
        engine::Plan next = partitions::make_plan(request_.partition, graph, ranks_.size(), request_.threads);
        const int workers = next.ranks * next.threads;
        if (plan_.worker.empty() || partitions::heaviest_share(graph, plan_.worker, workers) >
                                        nearly * partitions::heaviest_share(graph, next.worker, workers))
            plan_ = std::move(next);
    });
}

void MachineRun::write_timeline() const {
    if (request_.profile.empty()) return;
    const std::vector<engine::Timeline> timelines = timeline_.over_ranks(ranks_);
    on_first_rank(
        ranks_, [&] { io::write_timeline(request_.profile, timelines, results_.graph, output_.timeline->existing()); });
}

void MachineRun::check_laws(const Target& target, std::size_t position, const models::Ledger& ledger,
                            const models::Records& programs, engine::Time end) const {
    const models::Machine& machine = target.machine;
    const io::FrameTraceFile& file = *target.workload.trace;
    std::vector<models::Violation> violations = ledger.violations(machine.laws()), of_work;
    side_by_side(file, position, [&](const models::ForEach& for_each) {
        of_work = machine.check_work(ledger, target.trace, for_each);
    });
    for (std::vector<models::Violation> more : {std::move(of_work), machine.check_programs(ledger, programs),
                                                ledger.violations(machine.laws(), at_.start, end)})
        violations.insert(violations.end(), more.begin(), more.end());
    if (violations.empty()) return;
    throw engine::InternalError(
        "frame " + std::to_string(file.frame_number(position)) + " breaks a conservation law: " + violations[0].text() +
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

}  // namespace experiments
