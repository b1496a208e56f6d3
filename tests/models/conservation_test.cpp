#include "models/conservation.h"

#include <gtest/gtest.h>

#include "models/gpu.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

// A machine that has run one frame.
struct Machine {
    Machine() : frame(generator.frame()), gpu(simulation, parameters) {
        gpu.load_frame(generator.trace(), frame);
        gpu.start();
        simulation.run({});
        counters = simulation.collect_counters();
    }
    std::vector<Violation> verdict() const {
        const Ledger ledger(simulation.processes(), counters);
        std::vector<Violation> all = check_conservation(ledger);
        for (Violation& violation : check_work(ledger, generator.trace(), frame, 1)) all.push_back(violation);
        return all;
    }
    MachineParameters parameters;
    synthetic::Generator generator{{}};
    Frame frame;
    engine::Simulation simulation;
    Gpu gpu;
    std::vector<std::uint64_t> counters;
};

TEST(Conservation, FindsNothingInASoundRun) {
    EXPECT_TRUE(Machine().verdict().empty());
}

// What happened is bounded by laws: one more or less of it is noticed. Stalls, occupancies and cycles are not.
TEST(Conservation, NoticesOneEventTooManyInEveryCounterThatALawBinds) {
    Machine machine;
    std::size_t i = 0;
    const std::vector<std::string> free = {"cycles",
                                           "queue_",
                                           "refusals",
                                           "invalidations",
                                           "blocked",
                                           "busy",
                                           "latency",
                                           "waits",
                                           "list_chunks",
                                           "attribute_lines",
                                           "dirtied",
                                           "warps",
                                           "warp_instructions",
                                           "thread_instructions",
                                           "row_",
                                           "draws",
                                           "primitives",
                                           "culled",
                                           "texture_accesses",
                                           "texture_blocks"};
    for (const auto& process : machine.simulation.processes()) {
        for (const auto& counter : process->counters().all()) {
            if (process->index() > 0) {  // like the first of its kind
                ++i;
                continue;
            }
            ++machine.counters[i];
            const bool bound = std::none_of(free.begin(), free.end(), [&](const std::string& word) {
                return counter.name.find(word) != std::string::npos;
            });
            if (bound) {
                EXPECT_FALSE(machine.verdict().empty()) << process->name() << "." << counter.name;
            }
            --machine.counters[i++];
        }
    }
}

TEST(Conservation, SaysWhatIsViolatedWithBothSides) {
    EXPECT_EQ((Violation{"quads in = quads out", 3, 4}.text()), "quads in = quads out: 3 against 4");
}

}  // namespace
}  // namespace models
