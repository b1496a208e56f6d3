// models/laws.md lists the laws that machines are checked by, none more and none fewer: a law that is lost in the code
// is missed here, and a new one is documented. And none of them holds whatever is counted.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "io/config_file.h"
#include "models/base/laws.h"
#include "models/machine.h"

namespace models {
namespace {

// Between them they have every part that a machine can have.
struct MadeOf {
    const char* preset;
    std::vector<std::string> changes;
};
const std::vector<MadeOf> machines = {
    {"bifrost32", {}},
    {"mali-g71mp8", {}},
    {"teapot-collector", {"vertex_processor.pipeline=collector", "observe.latency=true"}},
    {"tegra-dae", {}},
    {"bifrost32", {"rendering.mode=immediate", "raster.distribution=position", "network.kind=crossbar"}},
    {"bifrost32", {"rendering.mode=tiled", "network.kind=mesh", "address_space.translation=tlb"}},
    {"bifrost32", {"rendering.organisation=tile_per_core", "home.policy=dtm_nuca", "dram.model=flat"}},
    {"bifrost32", {"home.policy=dtm_nuca_distributed", "fragment_processor.pipeline=baseline"}},
    {"bifrost32", {"home.policy=d_nuca", "fragment_processor.pipeline=squash"}},
    {"bifrost32", {"home.policy=s_nuca", "l2.prefetcher=next_line"}},
    {"bifrost32", {"texture_cache.perfect=true"}},
    {"bifrost32", {"texture_cache.prefetcher=history", "pixel_cache.prefetcher=stride"}},
};

// Without numbers of units, of which there are many: "l2_slice[3]: x = y", "cluster's core 1: x = y".
std::string without_numbers(const std::string& text) {
    static const std::regex number("\\[[0-9]+\\]|(core) [0-9]+");
    return std::regex_replace(text, number, "$1");
}

template <class Look>
void for_each_machine(Look look) {
    for (const MadeOf& made : machines) {
        SCOPED_TRACE(std::string(made.preset) + (made.changes.empty() ? "" : ", " + made.changes.front()));
        MachineParameters parameters;
        io::read_config(io::find_machine(made.preset, {TESSERA_MACHINES}), made.changes, {TESSERA_MACHINES},
                        parameters);
        engine::Simulation simulation;
        const Machine machine(simulation, parameters);
        look(machine.laws());
    }
}

// The items of the page's lists.
std::set<std::string> listed() {
    std::set<std::string> laws;
    std::ifstream page(TESSERA_LAWS);
    for (std::string line; std::getline(page, line);)
        if (line.starts_with("* ")) laws.insert(line.substr(2));
    return laws;
}

TEST(LawList, IsThatOfThePage) {
    std::set<std::string> found;
    for_each_machine([&](const Laws& laws) {
        for (const Laws::Law& law : laws.all()) found.insert(without_numbers(law.text));
        for (const Laws::LastingLaw& law : laws.all_lasting()) found.insert(without_numbers(law.text));
    });
    const std::set<std::string> page = listed();
    for (const std::string& law : found) EXPECT_TRUE(page.contains(law)) << "the page lacks: " << law;
    for (const std::string& law : page) EXPECT_TRUE(found.contains(law)) << "no machine has: " << law;
}

// Each counter may stand on both sides, but not all of them as often.
TEST(LawList, HasNoLawThatHoldsWhateverIsCounted) {
    for_each_machine([](const Laws& laws) {
        for (const Laws::Law& law : laws.all()) {
            std::unordered_map<const std::uint64_t*, int> balance;
            for (const std::uint64_t* term : law.left.terms()) ++balance[term];
            for (const std::uint64_t* term : law.right.terms()) --balance[term];
            EXPECT_TRUE(std::any_of(balance.begin(), balance.end(), [](const auto& term) { return term.second != 0; }))
                << law.text;
        }
        for (const Laws::LastingLaw& law : laws.all_lasting()) EXPECT_FALSE(law.cycles.terms().empty()) << law.text;
    });
}

}  // namespace
}  // namespace models
