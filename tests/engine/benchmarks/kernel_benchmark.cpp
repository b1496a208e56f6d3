// What the kernel itself costs: the work of the processes is next to nothing.
//
// The arguments are threads of each rank and ranks (start it with mpirun); one worker is measured in its processor
// time, several in wall time.
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/ranks.h"
#include "engine/simulation.h"

namespace engine {
namespace {

// Consecutive processes to one worker.
Plan block_plan(int processes, const benchmark::State& state) {
    Plan plan{static_cast<int>(state.range(1)), static_cast<int>(state.range(0)), {}};
    for (int i = 0; i < processes; ++i) plan.worker.push_back(i * plan.ranks * plan.threads / processes);
    return plan;
}

// Adds the wall or processor time per one of `count` things.
void report_time_per(benchmark::State& state, const char* thing, std::uint64_t count) {
    state.counters[thing] =
        benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

struct Pulse {
    std::int64_t value;
};

// Works a little every cycle (-1: not at all) and sends a pulse through every output every `interval` cycles (0:
// never).
class Station : public Clocked<Station> {
  public:
    Station(int index, int inputs, int outputs, int interval, Time lookahead)
        : Clocked("station", index, 1),
          interval_(interval),
          in(this, "in", inputs, handler<&Station::on_pulse>),
          out(this, "out", outputs, lookahead - 1) {}
    Time step() {
        if (now() > end_) return never;
        if (interval_ < 0) return now() + 1;
        sum_ = sum_ * 3 % 1000003 + 1;
        if (interval_ > 0 && now() % interval_ == index() % interval_)
            for (int i = 0; i < out.size(); ++i) out[i].send({sum_ > 0 ? 1 : 2}, out[i].lookahead() - 1);
        return now() + 1;
    }
    void on_pulse(const Pulse& pulse, int link) { sum_ += pulse.value + link; }
    void run_until(Time end) {
        end_ = end;
        wake_at(now() + 1);
    }

  private:
    int interval_;
    Time end_ = 0;
    std::int64_t sum_ = 1;

  public:
    Row<In<Pulse>> in;
    Row<Out<Pulse>> out;
};

struct Stations {
    Stations(int count, int links, int interval, Time lookahead) {
        for (int i = 0; i < count; ++i) all.push_back(&simulation.add<Station>(i, links, links, interval, lookahead));
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < links; ++j)
                simulation.connect(all[static_cast<std::size_t>(i)]->out[j],
                                   all[static_cast<std::size_t>((i + 7 * j + 1) % count)]->in[j], 1);
    }
    RunReport run(Time cycles, const benchmark::State& state) {
        for (Station* station : all) station->run_until(simulation.now() + cycles);
        return simulation.run(block_plan(static_cast<int>(all.size()), state));
    }
    Simulation simulation;
    std::vector<Station*> all;
};

constexpr int stations = 64;
constexpr Time cycles = 20000;

// 64 clocked blocks that step every cycle and find nothing to do; windows of 8 cycles; no messages.
void idle_cycle(benchmark::State& state) {
    Stations machine(stations, 8, -1, 8);
    std::uint64_t steps = 0;
    while (state.KeepRunning()) steps += machine.run(cycles, state).steps;
    report_time_per(state, "per_cycle", steps);
}

// The same, and they work a little.
void clock_cycle(benchmark::State& state) {
    Stations machine(stations, 8, 0, 8);
    std::uint64_t steps = 0;
    while (state.KeepRunning()) steps += machine.run(cycles, state).steps;
    report_time_per(state, "per_cycle", steps);
}

// The same, and every block sends 8 messages every 4 cycles: the difference to clock_cycle is the price of a message.
void cycles_with_messages(benchmark::State& state) {
    Stations machine(stations, 8, 4, 8);
    std::uint64_t messages = 0;
    while (state.KeepRunning()) messages += machine.run(cycles, state).messages;
    report_time_per(state, "per_message", messages);
}

// One of 64 blocks is awake and a window is one cycle: what a window costs in itself.
void idle_window(benchmark::State& state) {
    Stations machine(stations, 1, 0, 1);
    std::uint64_t windows = 0;
    while (state.KeepRunning()) {
        machine.all[0]->run_until(machine.simulation.now() + cycles);
        windows += machine.simulation.run(block_plan(stations, state)).windows;
    }
    report_time_per(state, "per_window", windows);
}

// A ball between two sleeping blocks: message, wake-up and window.
class Player : public Clocked<Player> {
  public:
    explicit Player(int index) : Clocked("player", index, 1) {}
    Time step() {
        if (left_-- > 0) out.send({1});
        return never;
    }
    void on_pulse(const Pulse& /*pulse*/) {}
    void serve(int rallies) {
        left_ = rallies;
        wake_at(now() + 1);
    }
    In<Pulse> in{this, "in", handler<&Player::on_pulse>};
    Out<Pulse> out{this, "out"};

  private:
    int left_ = 0;
};

void wake_up_hop(benchmark::State& state) {
    Simulation simulation;
    auto& a = simulation.add<Player>(0);
    auto& b = simulation.add<Player>(1);
    simulation.connect(a.out, b.in, 4);
    simulation.connect(b.out, a.in, 4);
    std::uint64_t hops = 0;
    while (state.KeepRunning()) {
        b.serve(0);
        a.serve(10000);
        b.serve(10000);
        hops += simulation.run(block_plan(2, state)).messages;
    }
    report_time_per(state, "per_hop", hops);
}

// Returns a ball at once, until it has crossed the net so often as it was served for.
class Returner : public EventDriven<Returner> {
  public:
    explicit Returner(int index) : EventDriven("returner", index) {}
    void on_wake() { out.send({crossings_}); }
    void on_pulse(const Pulse& ball) {
        if (ball.value > 1) out.send({ball.value - 1});
    }
    void serve(int crossings) {
        crossings_ = crossings;
        wake_at(now() + 1);
    }
    In<Pulse> in{this, "in", handler<&Returner::on_pulse>};
    Out<Pulse> out{this, "out"};

  private:
    std::int64_t crossings_ = 0;
};

// One message back and forth between two event-driven blocks: the latency of a message through window and reduction.
void ping_pong(benchmark::State& state) {
    Simulation simulation;
    auto& a = simulation.add<Returner>(0);
    auto& b = simulation.add<Returner>(1);
    simulation.connect(a.out, b.in, 1);
    simulation.connect(b.out, a.in, 1);
    std::uint64_t messages = 0;
    while (state.KeepRunning()) {
        a.serve(20000);
        messages += simulation.run(block_plan(2, state)).messages;
    }
    report_time_per(state, "per_message", messages);
}

class Funnel : public EventDriven<Funnel> {
  public:
    explicit Funnel(int senders) : EventDriven("funnel", -1), in(this, "in", senders, handler<&Funnel::on_pulse>) {}
    void on_pulse(const Pulse& pulse, int sender) { sum_ = sum_ * 3 % 1000003 + pulse.value + sender; }

  private:
    std::int64_t sum_ = 0;

  public:
    Row<In<Pulse>> in;
};

// 64 blocks send a message to one block in every cycle; windows of 8 cycles.
void fan_in(benchmark::State& state) {
    Simulation simulation;
    auto& funnel = simulation.add<Funnel>(stations);
    std::vector<Station*> senders(stations);
    for (int i = 0; i < stations; ++i) {
        Station*& sender = senders[static_cast<std::size_t>(i)];
        sender = &simulation.add<Station>(i, 0, 1, 1, Time{8});
        simulation.connect(sender->out[0], funnel.in[i], 1);
    }
    std::uint64_t messages = 0;
    while (state.KeepRunning()) {
        for (Station* sender : senders) sender->run_until(simulation.now() + cycles);
        messages += simulation.run(block_plan(stations + 1, state)).messages;
    }
    report_time_per(state, "per_message", messages);
}

struct Silent : benchmark::BenchmarkReporter {
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

void add_benchmark(int ranks, const char* name, void (*function)(benchmark::State&)) {
    for (const int threads : {1, 2}) {
        auto* added =
            benchmark::RegisterBenchmark(name, function)->ArgNames({"threads", "ranks"})->Args({threads, ranks});
        if (threads * ranks > 1) added->UseRealTime();
        if (ranks > 1) added->Iterations(10);  // all ranks must run as often
    }
}

int run_benchmarks(int argc, char** argv) {
    const Ranks ranks;
    add_benchmark(ranks.size(), "idle_cycle", idle_cycle);
    add_benchmark(ranks.size(), "clock_cycle", clock_cycle);
    add_benchmark(ranks.size(), "cycles_with_messages", cycles_with_messages);
    add_benchmark(ranks.size(), "idle_window", idle_window);
    add_benchmark(ranks.size(), "wake_up_hop", wake_up_hop);
    add_benchmark(ranks.size(), "ping_pong", ping_pong);
    add_benchmark(ranks.size(), "fan_in", fan_in);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return static_cast<int>(ExitCode::usage);
    Silent silent;
    if (ranks.rank() == 0)
        benchmark::RunSpecifiedBenchmarks();
    else
        benchmark::RunSpecifiedBenchmarks(&silent);
    return 0;
}

}  // namespace
}  // namespace engine

int main(int argc, char** argv) {
    return engine::run_benchmarks(argc, argv);
}
