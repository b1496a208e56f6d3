// Machines of which some parameters are changed at random, and frames drawn at random: every law holds, and neither
// where windows end, nor threads, nor a checkpoint in the middle of a frame changes a count. Twelve of them; more with
//     TESSERA_RANDOM_MACHINES=1000 tests_experiments --gtest_filter='*RandomMachines*'
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "io/config_file.h"
#include "models/machine.h"
#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : numbers_(seed) {}
    std::uint64_t below(std::uint64_t n) { return numbers_() % n; }  // the same everywhere
    std::uint32_t from(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(below(most - least + 1));
    }
    template <class Values>
    const auto& one_of(const Values& values) {
        return values[below(std::size(values))];
    }

  private:
    std::mt19937_64 numbers_;
};

const std::vector<std::string> ways_to_begin[] = {
    {},
    {"rendering.mode=tiled"},
    {"rendering.mode=immediate", "raster.distribution=position"},
    {"rendering.organisation=tile_per_core"},
    {"network.kind=mesh"},
    {"network.kind=bus", "dram.model=flat"},
    {"address_space.translation=tlb", "address_space.placement=random"},
    {"texture_cache.index=folded", "home.policy=s_nuca"},
    {"texture_cache.index=folded", "home.policy=d_nuca"},
    {"texture_cache.index=folded", "home.policy=dtm_nuca"},
    {"texture_cache.index=folded", "home.policy=dtm_nuca_distributed"},
};

using Paths = std::vector<std::pair<std::string, engine::ParameterBase*>>;
void collect(const engine::ParameterGroup& group, const std::string& path, Paths& found) {
    for (engine::ParameterBase* parameter : group.parameters()) found.emplace_back(path + parameter->name(), parameter);
    for (const engine::ParameterGroup* each : group.groups()) collect(*each, path + each->name() + ".", found);
}

// Another value: near the one it has, as the ends of ranges are for ParameterExtremes, or any of a list.
std::string drawn_value(const engine::ParameterBase& parameter, Dice& dice) {
    const std::string text = parameter.value_text();
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0) return dice.one_of(parameter.extremes());
    const std::int64_t value = std::stoll(text);
    const std::int64_t near[] = {value / 4, value / 2, value - 1, value + 1, value * 2, value * 4};
    return std::to_string(dice.one_of(near)) + (digits == std::string::npos ? "" : text.substr(digits));
}

// What a preset and a way to begin are changed to. Says what that is, or nothing if it cannot be.
std::string draw_machine(Dice& dice, MachineParameters& parameters) {
    const std::string preset = dice.one_of(io::machine_names({TESSERA_MACHINES}));
    const std::vector<std::string>& changes = dice.one_of(ways_to_begin);
    std::string text = preset;
    for (const std::string& change : changes) text += ' ' + change;
    try {
        io::read_config(io::find_machine(preset, {TESSERA_MACHINES}), changes, {TESSERA_MACHINES}, parameters);
        Paths paths;
        collect(parameters, "", paths);
        for (std::uint32_t left = dice.from(1, 8); left > 0; --left) {
            const auto& [path, parameter] = dice.one_of(paths);
            parameter->set(drawn_value(*parameter, dice));
            text += ' ' + path + '=' + parameter->value_text();
        }
        parameters.check_all();
    } catch (const engine::ConfigError&) {
        return "";
    }
    return text;
}

synthetic::Options draw_frames(Dice& dice) {
    synthetic::Options options;
    options.seed = dice.from(1, 1000);
    options.width = 16 * dice.from(1, 6);
    options.height = 16 * dice.from(1, 5);
    options.passes = dice.from(1, 2);
    options.primitives = dice.from(1, 30);
    options.alu_instructions = dice.from(1, 20);
    options.textures = dice.from(0, 3);
    options.killed_per_16 = dice.from(0, 11);
    options.depth = dice.below(5) != 0;
    options.load = dice.below(2) != 0;
    options.mixed = dice.below(4) != 0;
    return options;
}

struct Way {
    engine::Time longest_window = engine::never;
    int threads = 1, shift = 0;
    engine::Time stop = 0;  // saved so long after the second frame began, and gone on with elsewhere; 0: not at all
};

struct Outcome {
    engine::Time begin = 0, end = 0;  // of the second frame
    std::vector<std::uint64_t> counters;
};

class TwoRandomFrames {
  public:
    TwoRandomFrames(const MachineParameters& parameters, const synthetic::Options& options)
        : parameters_(parameters),
          generator_(options),
          frames_{generator_.frame(0), generator_.frame(1)} {}

    bool fits() const {
        try {
            Player player(*this, {});
            for (const Frame& frame : frames_) player.machine->load_frame(generator_.trace(), frame);
        } catch (const engine::ConfigError&) {
            return false;
        } catch (const engine::InputError&) {
            return false;
        }
        return true;
    }

    Outcome play_with_laws() const {
        Player player(*this, {});
        bench::LawCheck laws(*player.simulation, *player.machine);
        bench::play(*player.simulation, *player.machine, laws, generator_.trace(), frames_[0]);
        const engine::Time begin = player.simulation->now();
        bench::play(*player.simulation, *player.machine, laws, generator_.trace(), frames_[1]);
        return {begin, player.simulation->now(), laws.counters()};
    }

    Outcome play(const Way& way) const {
        Player player(*this, way);
        player.begin(frames_[0]);
        player.end(engine::never);
        player.begin(frames_[1]);
        const engine::Time begin = player.simulation->now();
        if (way.stop > 0 && !player.end(begin + way.stop)) player.move_to_another_machine();
        if (!player.ended) player.end(engine::never);
        return {begin, player.simulation->now(), player.simulation->collect_counters()};
    }

  private:
    struct Player {
        Player(const TwoRandomFrames& of, const Way& its_way) : frames(of), way(its_way) { make(); }

        void make() {
            auto made = std::make_unique<engine::Simulation>();
            made->limit_windows(way.longest_window);
            machine = std::make_unique<Machine>(*made, frames.parameters_);  // before its old simulation goes
            simulation = std::move(made);
        }
        void begin(const Frame& frame) {
            machine->load_frame(frames.generator_.trace(), frame);
            machine->start();
            ended = false;
        }
        bool end(engine::Time until) {
            engine::RunOptions options;
            options.until = until;
            const engine::Plan plan = bench::plan_of(*simulation, way.threads, way.shift);
            ended = simulation->run(plan, options).stopped_at == engine::never;
            if (ended) machine->end_frame();
            return ended;
        }
        void move_to_another_machine() {
            const std::vector<std::byte> checkpoint = engine::Checkpoint::write(*simulation);
            make();
            if (machine->remembers_frames()) machine->pass_over(frames.generator_.trace(), frames.frames_[0]);
            machine->load_frame(frames.generator_.trace(), frames.frames_[1]);
            engine::Checkpoint::read(*simulation, checkpoint);
        }

        const TwoRandomFrames& frames;
        Way way;
        std::unique_ptr<engine::Simulation> simulation;
        std::unique_ptr<Machine> machine;
        bool ended = false;
    };

    const MachineParameters& parameters_;
    synthetic::Generator generator_;
    Frame frames_[2];
};

// The first difference, by its name.
std::string difference(const MachineParameters& parameters, const Outcome& one, const Outcome& other) {
    engine::Simulation simulation;
    const Machine machine(simulation, parameters);
    std::size_t i = 0;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all()) {
            if (one.counters[i] != other.counters[i])
                return process->name() + ": " + info.owner.kind + '.' + info.name + ' ' +
                       std::to_string(one.counters[i]) + ", " + std::to_string(other.counters[i]);
            ++i;
        }
    return one.end == other.end ? "" : "end: " + std::to_string(one.end) + ", " + std::to_string(other.end);
}

class RandomMachines : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomMachines, ObeyTheLawsAndCountTheSameHoweverTheyAreRun) {
    Dice dice(GetParam());
    for (;;) {
        MachineParameters parameters;
        const std::string machine = draw_machine(dice, parameters);
        if (machine.empty()) continue;
        const TwoRandomFrames frames(parameters, draw_frames(dice));
        if (!frames.fits()) continue;
        SCOPED_TRACE(machine);
        const Outcome expected = frames.play_with_laws();
        const engine::Time stop =
            1 + static_cast<engine::Time>(dice.below(static_cast<std::uint64_t>(expected.end - expected.begin)));
        const Way ways[] = {{.longest_window = dice.from(1, 4)},
                            {.longest_window = dice.from(5, 30)},
                            {.threads = 2, .shift = static_cast<int>(dice.below(5))},
                            {.threads = 1, .stop = stop},
                            {.threads = 3, .shift = 1, .stop = stop}};
        for (const Way& way : ways) {
            SCOPED_TRACE("windows " + std::to_string(way.longest_window) + ", threads " + std::to_string(way.threads) +
                         ", stop after " + std::to_string(way.stop));
            EXPECT_EQ(difference(parameters, expected, frames.play(way)), "");
        }
        return;
    }
}

int machines() {
    const char* const wanted = std::getenv("TESSERA_RANDOM_MACHINES");
    return wanted == nullptr ? 12 : std::atoi(wanted);
}
INSTANTIATE_TEST_SUITE_P(Of, RandomMachines, testing::Range<std::uint64_t>(0, static_cast<std::uint64_t>(machines())));

}  // namespace
}  // namespace models
