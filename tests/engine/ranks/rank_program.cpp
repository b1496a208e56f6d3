// A program for MPI launchers, driven by ranks_test.sh: does one thing on all ranks, rank 0 prints what came of it, and
// the exit code is that of the engine's error.
//
//     rank_program [apart] digest THREADS STRIDE LAST [SEED]   busy machine; worker = (process / STRIDE) mod LAST; ties
//     rank_program [apart] moved THREADS STRIDE LAST    the same, longer, with another plan for the second frame
//     rank_program stuck                                asks for processes on another rank that cannot move
//     rank_program [apart] throw PROCESS | stall PROCESS | unfinished PROCESS
//     rank_program [apart] whole | save FILE | restore FILE  THREADS STRIDE LAST
//     rank_program [apart] large THREADS REQUESTS       busy machine of 64 processes, dealt to all workers
//     rank_program [apart] until-signal                 steps until a signal stops it; every rank tells where
//     rank_program services | transport | abort RANK
//     rank_program hang RANK                            outside of a run; the others wait for it
//     rank_program work RANK                            the same, but it gives signs of life and comes in the end
//
// apart: the ranks share no memory. save: stops the busy machine in the middle and writes a checkpoint; restore goes on
// from there, on whatever ranks and threads, and prints what `whole` prints.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/checkpoint.h"
#include "engine/ranks.h"
#include "engine/threads/stop_request.h"
#include "engine/transport/inter_node.h"
#include "engine/transport/outgoing.h"
#include "tests/engine/busy_machine.h"

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

Plan dealt(std::size_t processes, int ranks, int threads, int stride, int workers) {
    Plan plan{ranks, threads, {}};
    for (int i = 0; i < static_cast<int>(processes); ++i) plan.worker.push_back(i / stride % workers);
    return plan;
}

// Of what every process has consumed so far, and of the messages that were kept.
std::uint64_t digest_of_records(const Simulation& simulation) {
    const MessageHashes hashes = simulation.collect_message_hashes();
    const MessageLog log = simulation.collect_message_log();
    std::uint64_t digest = static_cast<std::uint64_t>(hashes.epoch);
    for (const MessageLog::Message& message : log.messages) {
        digest = busy::mix(digest ^ static_cast<std::uint64_t>(message.time));
        for (const char c : log.ports[static_cast<std::size_t>(message.to)])
            digest = busy::mix(digest ^ static_cast<unsigned char>(c));
        for (const std::byte byte : message.payload) digest = busy::mix(digest ^ std::to_integer<std::uint64_t>(byte));
    }
    for (const MessageHashes::Process& process : hashes.processes)
        for (const std::uint64_t sample : process.samples) digest = busy::mix(digest ^ sample);
    return digest;
}

// Two frames: the second run starts where the first ended.
int print_digest(const Ranks& ranks, const RunOptions& options, int threads, int stride, int workers,
                 std::uint64_t tie_seed) {
    busy::Machine machine({});
    machine.simulation.permute_ties(tie_seed);
    machine.simulation.log_messages(100, never, 700);
    const Plan plan = dealt(machine.simulation.processes().size(), ranks.size(), threads, stride, workers);
    const std::uint64_t first = machine.digest(machine.simulation.run(plan, options));
    for (busy::Core* core : machine.cores) core->wake_at(core->index());
    const std::uint64_t second = machine.digest(machine.simulation.run(plan, options));
    const std::uint64_t third = digest_of_records(machine.simulation);
    if (ranks.rank() == 0)
        std::printf("%016llx %016llx %016llx\n", static_cast<unsigned long long>(first),
                    static_cast<unsigned long long>(second), static_cast<unsigned long long>(third));
    return 0;
}

// Two frames with different plans: processes move in between.
int print_moved(const Ranks& ranks, const RunOptions& options, int threads, int stride, int workers) {
    busy::Machine machine({.requests = 500});
    machine.simulation.log_messages(1000, never, 700);
    Plan plan = dealt(machine.simulation.processes().size(), ranks.size(), threads, stride, workers);
    const auto run = [&] {
        const RunReport report = machine.simulation.run(plan, options);
        const std::uint64_t digest = machine.digest(report);
        std::uint64_t sent = 0;
        for (const std::uint64_t messages : report.profile.channels) sent += messages;
        if (sent != report.messages) std::printf("%llu messages sent\n", static_cast<unsigned long long>(sent));
        return digest;
    };
    const std::uint64_t first = run();
    for (int& worker : plan.worker) worker = (worker + 1) % workers;
    for (busy::Core* core : machine.cores) core->wake_at(machine.simulation.now());
    const std::uint64_t second = run();
    const std::uint64_t third = digest_of_records(machine.simulation);
    if (ranks.rank() == 0)
        std::printf("%016llx %016llx %016llx\n", static_cast<unsigned long long>(first),
                    static_cast<unsigned long long>(second), static_cast<unsigned long long>(third));
    return 0;
}

void write_checkpoint(const Ranks& ranks, Simulation& simulation, const std::string& path) {
    const std::vector<std::byte> bytes = Checkpoint::write(simulation);
    if (ranks.rank() != 0) return;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void read_checkpoint(Simulation& simulation, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
    Checkpoint::read(simulation, std::as_bytes(std::span(text)));
}

int run_in_parts(const Ranks& ranks, RunOptions options, const std::string& what, const std::string& path, int threads,
                 int stride, int workers) {
    busy::Machine machine({});
    const Plan plan = dealt(machine.simulation.processes().size(), ranks.size(), threads, stride, workers);
    if (what == "restore") read_checkpoint(machine.simulation, path);
    if (what == "save") options.until = 1500;
    RunReport report = machine.simulation.run(plan, options);
    if (what == "save") {
        if (report.stopped_at == never) return 1;
        write_checkpoint(ranks, machine.simulation, path);
        return 0;
    }
    report.messages = report.steps = 0;  // those of this part
    const std::uint64_t digest = machine.digest(report);
    if (ranks.rank() == 0) std::printf("%016llx\n", static_cast<unsigned long long>(digest));
    return 0;
}

int print_large_digest(const Ranks& ranks, const RunOptions& options, int threads, int requests) {
    busy::Machine machine({.cores = 48, .memories = 16, .requests = requests});
    const std::size_t processes = machine.simulation.processes().size();
    std::fprintf(stderr, "ready\n");
    const RunReport report =
        machine.simulation.run(dealt(processes, ranks.size(), threads, 1, ranks.size() * threads), options);
    const std::uint64_t digest = machine.digest(report);
    if (ranks.rank() == 0) std::printf("%016llx\n", static_cast<unsigned long long>(digest));
    return 0;
}

// Steps for ever, and tells its neighbour.
class Pacer : public Clocked<Pacer> {
  public:
    explicit Pacer(int index) : Clocked("pacer", index, 1 + index) { wake_at(0); }
    Time step() {
        to.send({}, 0);
        ++steps;
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) {}
    In<busy::Token> from{this, "from", handler<&Pacer::on_token>};
    Out<busy::Token> to{this, "to"};
    Time steps = 0;
};

int run_until_signal(const Ranks& ranks, RunOptions options) {
    const StopRequest stop;
    options.stop_requested = &StopRequest::requested();
    Simulation simulation;
    std::vector<Pacer*> pacers;
    pacers.reserve(4);
    for (int i = 0; i < 4; ++i) pacers.push_back(&simulation.add<Pacer>(i));
    for (std::size_t i = 0; i < 4; ++i) simulation.connect(pacers[i]->to, pacers[(i + 1) % 4]->from, 3);
    std::fprintf(stderr, "ready\n");
    const Plan plan = dealt(4, ranks.size(), 1, 1, ranks.size());
    const RunReport report = simulation.run(plan, options);
    bool right = report.stopped_by != 0;
    for (std::size_t i = 0; i < 4; ++i)
        if (plan.worker[i] == ranks.rank()) {
            const Time period = 1 + static_cast<Time>(i);
            right &= pacers[i]->steps == (report.stopped_at + period - 1) / period;
        }
    // One write, or the lines of ranks mix.
    const std::string line = "stopped by " + std::to_string(report.stopped_by) + " at " +
                             std::to_string(report.stopped_at) + (right ? " with all steps\n" : " WRONG STEPS\n");
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
    (void)ranks.any(false);  // all have told
    StopRequest::die_of(report.stopped_by);
}

int move_what_cannot_move(const Ranks& ranks) {
    Simulation simulation;
    std::vector<Pacer*> pacers;
    pacers.reserve(2);
    for (int i = 0; i < 2; ++i) pacers.push_back(&simulation.add<Pacer>(i));
    for (std::size_t i = 0; i < 2; ++i) simulation.connect(pacers[i]->to, pacers[1 - i]->from, 3);
    simulation.run({2, 1, {0, 1}}, {.until = 100});
    try {
        simulation.run({2, 1, {1, 0}}, {.until = 200});
    } catch (const Error& error) {
        if (ranks.rank() == 0) std::printf("%s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}

// A process that misbehaves at its fifth step, in a ring of well-behaved ones.
class Suspect : public Clocked<Suspect> {
  public:
    Suspect(int index, std::string crime) : Clocked("suspect", index, 2), crime_(std::move(crime)) { wake_at(0); }
    Time step() {
        if (++steps_ > 200) return never;
        to.send({}, 0);
        if (steps_ < 5) return now() + period();
        if (crime_ == "throw") throw InputError("byte offset 99: expected a draw, found a hat");
        if (crime_ == "stall") std::this_thread::sleep_for(std::chrono::hours(1));
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) {}
    std::string unfinished() const override { return crime_ == "unfinished" ? "3 credits lost" : ""; }

    In<busy::Token> from{this, "from", handler<&Suspect::on_token>};
    Out<busy::Token> to{this, "to"};

  private:
    std::string crime_;
    int steps_ = 0;
};

int commit(const Ranks& ranks, RunOptions options, const std::string& crime, int guilty) {
    Simulation simulation;
    std::vector<Suspect*> suspects;
    suspects.reserve(4);
    for (int i = 0; i < 4; ++i) suspects.push_back(&simulation.add<Suspect>(i, i == guilty ? crime : ""));
    for (std::size_t i = 0; i < 4; ++i) simulation.connect(suspects[i]->to, suspects[(i + 1) % 4]->from, 3);
    if (crime == "stall") options.stall_seconds = 0.5;  // a loaded machine may hold up the others for longer
    try {
        simulation.run(dealt(4, ranks.size(), 1, 1, ranks.size()), options);
    } catch (const Error& error) {
        if (ranks.rank() == 0) std::printf("%s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}

int print_services(const Ranks& ranks) {
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const std::vector<std::uint64_t> mine(rank + 1, rank);
    const auto parts = ranks.gather(mine);
    bool right = parts.size() == (rank == 0 ? static_cast<std::size_t>(ranks.size()) : 0);
    for (std::size_t i = 0; i < parts.size(); ++i) right &= parts[i] == std::vector<std::uint64_t>(i + 1, i);
    std::vector<std::uint64_t> values(rank == 0 ? 3 : 7, rank == 0 ? 42 : 0);
    ranks.broadcast(values);
    right &= values == std::vector<std::uint64_t>{42, 42, 42};
    right &= ranks.any(ranks.rank() == ranks.size() - 1) && !ranks.any(false);
    right = !ranks.any(!right);
    if (ranks.rank() == 0) std::printf("%s\n", right ? "right on all ranks" : "wrong");
    return right ? 0 : 1;
}

// Every rank sends to the next one far more messages than there is room for, and seldom takes out what has
// come. No null message follows the last ones. True if all is right on this rank.
bool carry_much(const Ranks& ranks) {
    constexpr Time last = 30000;
    const int to = (ranks.rank() + 1) % ranks.size(), from = (ranks.rank() + ranks.size() - 1) % ranks.size();
    ReductionMemory reduction;
    std::vector<ReductionSlot> slots(static_cast<std::size_t>(ranks.size()));
    std::vector<int> seat_ranks(slots.size());
    std::iota(seat_ranks.begin(), seat_ranks.end(), 0);
    const auto departure = std::make_unique<transport::LinkMemory>(),
               arrival = std::make_unique<transport::LinkMemory>();
    transport::InterNodeTransport inter_node(reduction, slots, seat_ranks);
    inter_node.carry_to(to, static_cast<std::uint32_t>(ranks.rank()), *departure);
    inter_node.deliver_to(static_cast<std::uint32_t>(from), *arrival);
    transport::Outgoing outgoing(*departure);
    Time sent = 0, received = 0;
    bool right = true;
    bool left = true;
    for (int round = 0; left || received < last; ++round) {
        left = !outgoing.flush() || sent < last;
        if (sent < last && outgoing.flush()) {
            outgoing.set_clock(sent + 1);
            for (int i = 0; i < 700 && sent < last; ++i) outgoing.add(++sent);
        }
        inter_node.progress();
        if (round % 40 != 0) continue;
        const Time clock = arrival->clock.load();
        arrival->ring.consume_all([&](const Envelope& envelope) { right &= envelope.time == ++received; });
        right &= received + 1 >= clock;  // what is sent before a clock is set comes before it
    }
    reduction.raise_requested(static_cast<std::uint64_t>(ranks.rank()) + 1);
    reduction.lower_last_window(100 - ranks.rank());
    reduction.arrived_here.fetch_add(1);
    inter_node.finish();
    right &= reduction.arrived == static_cast<std::uint64_t>(ranks.size()) - 1;  // the others
    right &=
        reduction.requested == static_cast<std::uint64_t>(ranks.size()) && reduction.last_window == 101 - ranks.size();
    return right;
}

int carry_much_on_all(const Ranks& ranks) {
    const bool right = !ranks.any(!carry_much(ranks));
    if (ranks.rank() == 0) std::printf("%s\n", right ? "right on all ranks" : "wrong");
    return right ? 0 : 1;
}

int keep_waiting(const Ranks& ranks, const std::string& what, int late) {
    ranks.limit_waiting(1.5);
    ranks.name_stage("tea");
    (void)ranks.any(false);
    if (ranks.rank() == late && what == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    if (ranks.rank() == late)
        for (int i = 0; i < 80; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            ranks.give_sign();
        }
    std::vector<std::uint64_t> large(ranks.rank() == 0 ? 1'000'000 : 0, 7);
    ranks.broadcast(large);
    const bool right = !ranks.any(large != std::vector<std::uint64_t>(1'000'000, 7));
    if (ranks.rank() == 0) std::printf("%s\n", right ? "right on all ranks" : "wrong");
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const Ranks ranks;
    std::vector<std::string> arguments(argv + 1, argv + argc);
    RunOptions options;
    options.share_memory = arguments.empty() || arguments[0] != "apart";
    if (!options.share_memory) arguments.erase(arguments.begin());
    if (arguments.empty()) return 2;
    const std::string& what = arguments[0];
    const auto number = [&](std::size_t i) { return std::stoi(arguments.at(i)); };
    if (what == "digest")
        return print_digest(ranks, options, number(1), number(2), number(3),
                            arguments.size() > 4 ? static_cast<std::uint64_t>(number(4)) : 0);
    if (what == "moved") return print_moved(ranks, options, number(1), number(2), number(3));
    if (what == "stuck") return move_what_cannot_move(ranks);
    if (what == "whole") return run_in_parts(ranks, options, what, "", number(1), number(2), number(3));
    if (what == "save" || what == "restore")
        return run_in_parts(ranks, options, what, arguments.at(1), number(2), number(3), number(4));
    if (what == "large") return print_large_digest(ranks, options, number(1), number(2));
    if (what == "until-signal") return run_until_signal(ranks, options);
    if (what == "transport") return carry_much_on_all(ranks);
    if (what == "services") return print_services(ranks);
    if (what == "hang" || what == "work") return keep_waiting(ranks, what, number(1));
    if (what == "abort") {
        if (ranks.rank() == number(1)) ranks.abort(ExitCode::io);
        return ranks.any(false) ? 1 : 0;
    }
    return commit(ranks, options, what, number(1));
}
