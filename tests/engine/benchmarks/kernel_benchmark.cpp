// What the kernel itself costs: the work of the processes is next to nothing.
//
// The argument is the number of threads; one thread is measured in its processor time, two in wall time.
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/simulation.h"

namespace engine {
namespace {

struct Pulse {
    std::int64_t value;
};

// Sends a pulse to every neighbour every `interval` cycles, in `windows` of lookahead.
class Station : public Clocked<Station> {
  public:
    Station(int index, int links, int interval, Time lookahead)
        : Clocked("station", index, 1),
          interval_(interval),
          in(this, "in", links, handler<&Station::on_pulse>),
          out(this, "out", links, lookahead - 1) {}
    Time step() {
        if (now() > end_) return never;
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
        for (int i = 0; i < count; ++i) all.push_back(&simulation.add<Station>(i, links, interval, lookahead));
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < links; ++j)
                simulation.connect(all[static_cast<std::size_t>(i)]->out[j],
                                   all[static_cast<std::size_t>((i + 7 * j + 1) % count)]->in[j], 1);
    }
    RunReport run(Time cycles, int threads) {
        Plan plan{1, threads, {}};
        const int count = static_cast<int>(all.size());
        for (int i = 0; i < count; ++i) plan.worker.push_back(i * threads / count);
        for (Station* station : all) station->run_until(simulation.now() + cycles);
        return simulation.run(plan);
    }
    Simulation simulation;
    std::vector<Station*> all;
};

constexpr int stations = 64;
constexpr Time cycles = 20000;

// 64 clocked blocks that step every cycle; windows of 8 cycles; no messages.
void clock_cycle(benchmark::State& state) {
    Stations machine(stations, 8, 0, 8);
    std::uint64_t steps = 0;
    while (state.KeepRunning()) steps += machine.run(cycles, static_cast<int>(state.range(0))).steps;
    state.counters["per_cycle"] =
        benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(clock_cycle)->Arg(1);
BENCHMARK(clock_cycle)->Arg(2)->UseRealTime();

// The same, and every block sends 8 messages every 4 cycles: the difference to clock_cycle is the price of a message.
void cycles_with_messages(benchmark::State& state) {
    Stations machine(stations, 8, 4, 8);
    std::uint64_t messages = 0;
    while (state.KeepRunning()) messages += machine.run(cycles, static_cast<int>(state.range(0))).messages;
    state.counters["per_message"] =
        benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(cycles_with_messages)->Arg(1);
BENCHMARK(cycles_with_messages)->Arg(2)->UseRealTime();

// One of 64 blocks is awake and a window is one cycle: what a window costs in itself.
void idle_window(benchmark::State& state) {
    Stations machine(stations, 1, 0, 1);
    std::uint64_t windows = 0;
    while (state.KeepRunning()) {
        Plan plan{1, static_cast<int>(state.range(0)), {}};
        for (int i = 0; i < stations; ++i) plan.worker.push_back(i * plan.threads / stations);
        machine.all[0]->run_until(machine.simulation.now() + cycles);
        windows += machine.simulation.run(plan).windows;
    }
    state.counters["per_window"] =
        benchmark::Counter(static_cast<double>(windows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(idle_window)->Arg(1);
BENCHMARK(idle_window)->Arg(2)->UseRealTime();

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
    const int threads = static_cast<int>(state.range(0));
    std::uint64_t hops = 0;
    while (state.KeepRunning()) {
        b.serve(0);
        a.serve(10000);
        b.serve(10000);
        hops += simulation.run({1, threads, {0, threads - 1}}).messages;
    }
    state.counters["per_hop"] =
        benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(wake_up_hop)->Arg(1);
BENCHMARK(wake_up_hop)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace engine

BENCHMARK_MAIN();
