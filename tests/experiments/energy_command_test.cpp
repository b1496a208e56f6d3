// tessera energy.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/energy/pricing.h"
#include "experiments/energy/table_file.h"
#include "io/results_file.h"
#include "models/memory/dram/dram_energy.h"
#include "models/memory/dram/dram_parameters.h"
#include "tests/experiments/program.h"

namespace {

using testing::HasSubstr;
using testing::Not;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::read_text;
using tests::tessera;

const std::string mobile22 = std::string(TESSERA_ENERGY_TABLES) + "/mobile22.toml";

// A run of the sample trace, made once.
class EnergyCommand : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        suite_ = new tests::TemporaryFolder;
        const ProgramEnd end = run("bifrost32", "run");
        ASSERT_EQ(end.code, 0) << end.err;
    }
    static void TearDownTestSuite() {
        delete suite_;
        suite_ = nullptr;
    }
    static ProgramEnd run(const std::string& machine, const std::string& name) {
        return tessera("run " + machine + " " + quoted(tests::sample_trace(*suite_)) + " -o " + quoted(*suite_ / name));
    }
    static std::filesystem::path results() { return *suite_ / "run"; }
    ProgramEnd price(const std::string& arguments = "") const {
        return tessera("energy " + quoted(results()) + " -o " + quoted(folder_ / "e.csv") + " " + arguments);
    }
    // With `old` replaced in a copy of the table.
    ProgramEnd price_with(const std::string& old, const std::string& with) const {
        std::string text = read_text(mobile22);
        EXPECT_NE(text.find(old), std::string::npos) << old;
        std::ofstream(folder_ / "t.toml") << text.replace(text.find(old), old.size(), with);
        return price("--table " + quoted(folder_ / "t.toml"));
    }
    // Typical pJ, all frames, of the lines that hold `part`.
    double sum(const std::string& part) const {
        std::istringstream lines(read_text(folder_ / "e.csv"));
        double sum = 0;
        for (std::string line; std::getline(lines, line);) {
            if (line.front() == '#' || line.starts_with("frame,") || line.find(part) == std::string::npos) continue;
            const std::size_t high = line.rfind(','), typical = line.rfind(',', high - 1);
            sum += std::strtod(line.c_str() + typical + 1, nullptr);
        }
        return sum;
    }
    tests::TemporaryFolder folder_;
    static tests::TemporaryFolder* suite_;
};
tests::TemporaryFolder* EnergyCommand::suite_ = nullptr;

TEST_F(EnergyCommand, PricesEveryComponent) {
    const ProgramEnd end = price();
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(end.err, "");
    for (const char* name : {"fragment processors", "vertex processors", "geometry and tiling", "raster and depth",
                             "colour", "L2 cache", "network", "DRAM"}) {
        EXPECT_THAT(end.out, HasSubstr(name));
        EXPECT_GT(sum(name), 0) << name;
    }
    EXPECT_NEAR(sum(",gpu,") + sum(",memory,"), sum(""), 1e-9 * sum(""));
}

TEST_F(EnergyCommand, CostsWhatCountersTimesTheTableDo) {
    ASSERT_EQ(price().code, 0);
    const io::Results counted = io::read_results(results() / "results.h5");
    const auto total = [&](const char* kind, const char* counter) {
        return static_cast<double>(counted.total(kind, counter));
    };
    // Arithmetic of 6.9 pJ at 45 nm, 0.9 V, to 22 nm, 1.0 V.
    EXPECT_NEAR(sum("\"arithmetic\",fragment_processor,dynamic"),
                total("fragment_processor", "thread_instructions") * 6.9 * (1 / 0.81) * 22 / 45, 1);
    // A quad read and written, lines of 64 bytes by 16: 4 KiB by CACTI, 2.08 and 2.84 pJ at 0.8 V.
    EXPECT_NEAR(sum("\"colour buffer\",colour,dynamic"),
                (total("colour", "quads_blended") * (2.08 + 2.84) + total("colour", "lines_loaded") * 4 * 2.84 +
                 total("colour", "lines_stored") * 4 * 2.08) /
                    0.64,
                1);
    // A slice: 128 KiB in 8 ways, 33.2 and 43.4 pJ at 0.8 V.
    EXPECT_GT(total("l2_slice", "write_accesses"), 0);
    EXPECT_NEAR(sum("\"cache array\",l2_slice,dynamic"),
                ((total("l2_slice", "read_accesses") + total("l2_slice", "dirtied")) * 33.2 +
                 (total("l2_slice", "write_accesses") + total("l2_slice", "fills")) * 43.4 +
                 (total("l2_slice", "passed_on") + total("l2_slice", "refusals") + total("l2_slice", "invalidations") +
                  total("l2_slice", "prefetches")) *
                     1.83) /
                    0.64,
                1);
    models::DramActivity activity;
    activity.activates = counted.total("dram_channel", "commands_activate");
    models::ParameterGroup root;
    const models::DramParameters dram(&root, "dram", "");
    EXPECT_NEAR(sum("\"DRAM activate\""), models::dram_energy(activity, dram.channel(), 1).activate * 1e12, 1);
    EXPECT_NEAR(sum("\"interface\""), total("dram_channel", "bytes") * 32, 1);
    // Requests and replies have a header each, a read's reply and a write's request a line, too.
    EXPECT_NEAR(sum("\"queues and control\",l2_slice,dynamic"),
                ((total("l2_slice", "requests") + total("l2_slice", "replies")) * 0.8 +
                 (total("l2_slice", "reads") + total("l2_slice", "writes")) * 8) /
                    0.64,
                1);
    // 3.2 pJ a byte at 0.9 V, over as many mm in any process.
    EXPECT_NEAR(sum("\"wires of the bus or crossbar\",request_bus,dynamic"),
                (total("request_bus", "data_bytes_in") + total("request_bus", "messages_in") * 8) * 3.2 / 0.81, 1);
}

// Raster's clock goes while it clears, colour's while it stores a tile, at whose end no quad is blended.
TEST_F(EnergyCommand, ClocksWhatMovesLines) {
    const auto expect_clock = [&](const io::Results& counted, const char* kind, std::vector<const char*> busy,
                                  double pJ, const std::string& structure = "") {
        double active = 0, all = 0;
        for (const char* name : busy) active += static_cast<double>(counted.total(kind, name));
        EXPECT_GT(active, 0);
        for (const io::FrameResult& frame : counted.frames)
            all += static_cast<double>(frame.cycles * counted.find_kind(kind)->indices.size());
        EXPECT_NEAR(sum(structure + kind + ",clock"), (active + 0.15 * (all - active)) * pJ, 1) << kind;
    };
    ASSERT_EQ(price().code, 0);
    const io::Results tiled = io::read_results(results() / "results.h5");
    expect_clock(tiled, "colour", {"cycles_blend", "cycles_store"}, 6);
    expect_clock(tiled, "raster", {"hidden_surface_cycles"}, 10, "\"hidden-surface registers and clock\",");
    ASSERT_EQ(run("tegra-dae", "clears").code, 0);
    ASSERT_EQ(tessera("energy " + quoted(*suite_ / "clears") + " --force -o " + quoted(folder_ / "e.csv")).code, 0);
    const io::Results counted = io::read_results(*suite_ / "clears" / "results.h5");
    expect_clock(counted, "raster", {"cycles_busy", "cycles_set_up", "cycles_clear"}, 10);
    expect_clock(counted, "colour", {"cycles_blend"}, 6);
}

TEST_F(EnergyCommand, PricesAgainToTheSameBytes) {
    ASSERT_EQ(price().code, 0);
    const std::string first = read_text(folder_ / "e.csv");
    expect_one_line(price(), 2, "e.csv exists; --force replaces it");
    ASSERT_EQ(price("--force").code, 0);
    EXPECT_EQ(read_text(folder_ / "e.csv"), first);
    const ProgramEnd beside = tessera("energy " + quoted(results()));
    ASSERT_EQ(beside.code, 0) << beside.err;
    EXPECT_EQ(read_text(results() / "energy.csv"), first);
}

TEST_F(EnergyCommand, PricesForAnotherTechnologyWithoutARun) {
    ASSERT_EQ(price().code, 0);
    const double arithmetic = sum("\"arithmetic\",fragment_processor,dynamic"), array = sum("\"DRAM ");
    std::filesystem::remove(folder_ / "e.csv");
    ASSERT_EQ(price_with("node_nm = 22\nvoltage = 1.0", "node_nm = 11\nvoltage = 0.5").code, 0);
    EXPECT_NEAR(sum("\"arithmetic\",fragment_processor,dynamic"), arithmetic / 8, 1e-6 * arithmetic);
    EXPECT_NEAR(sum("\"DRAM "), array, 1e-9 * array);
}

TEST_F(EnergyCommand, PricesOtherMachines) {
    // A scalar machine has a quarter of the pipeline registers.
    for (const auto& [machine, registers] : {std::pair("mali-g71mp8", 0.25), {"teapot-collector", 1.0}}) {
        ASSERT_EQ(run(machine, machine).code, 0);
        const ProgramEnd end =
            tessera("energy " + quoted(*suite_ / machine) + " --force -o " + quoted(folder_ / "e.csv"));
        EXPECT_EQ(end.code, 0) << end.err;
        // An instruction may take several cycles, and several may be issued in one.
        const io::Results counted = io::read_results(*suite_ / machine / "results.h5");
        const auto busy = static_cast<double>(counted.total("fragment_processor", "cycles_issue"));
        EXPECT_NE(busy, static_cast<double>(counted.total("fragment_processor", "warp_instructions")));
        double all = 0;
        for (const io::FrameResult& frame : counted.frames)
            all += static_cast<double>(frame.cycles * counted.find_kind("fragment_processor")->indices.size());
        EXPECT_NEAR(sum("\"pipeline registers and clock\",fragment_processor,clock"),
                    (busy + 0.15 * (all - busy)) * 15 * registers, 1);
    }
    std::filesystem::remove(folder_ / "e.csv");
    std::string text = read_text(mobile22);
    std::ofstream(folder_ / "t.toml") << text.replace(text.find("tile_dispatcher ="), 1, "#");
    expect_one_line(tessera("energy " + quoted(*suite_ / "mali-g71mp8") + " --table " + quoted(folder_ / "t.toml") +
                            " -o " + quoted(folder_ / "e.csv")),
                    2, "t.toml: misses a structure of the machine: 'tile_dispatcher'");
    const std::string everywhere =
        "bifrost32 --set rendering.mode=immediate --set raster.distribution=position --set network.kind=mesh "
        "--set address_space.translation=tlb --set address_space.placement=random --set dram.model=flat";
    ASSERT_EQ(run(everywhere, "immediate").code, 0);
    const ProgramEnd end = tessera("energy " + quoted(*suite_ / "immediate") + " -o " + quoted(folder_ / "e.csv"));
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("address translation"));
    // Memory without commands: 1.3 nJ for 64 bits, its interface included.
    const double bytes =
        static_cast<double>(io::read_results(*suite_ / "immediate" / "results.h5").total("dram_channel", "bytes"));
    EXPECT_NEAR(sum("\"interface\"") + sum("\"DRAM array\""), bytes * 1300 / 8, bytes);
}

// A register of a warp is 64 bytes a quad, 16 a vertex. 64 of them cost 8 pJ, an entry of a buffer 0.8 pJ, at 0.8 V.
// Programs of the sample read no registers, so some are added to what was counted.
TEST_F(EnergyCommand, PricesOperandsOfAllThreadsOfAWarp) {
    const std::string wide =
        "teapot-collector --set fragment_processor.groups_per_warp=4 --set vertex_processor.pipeline=collector "
        "--set vertex_processor.groups_per_warp=2";
    ASSERT_EQ(run(wide, "wide").code, 0);
    io::Results counted = io::read_results(*suite_ / "wide" / "results.h5");
    double seconds = 0;
    for (const io::FrameResult& frame : counted.frames)
        seconds += static_cast<double>(frame.end - frame.start) / static_cast<double>(counted.ticks_per_second);
    for (io::KindResults& kind : counted.kinds)
        for (io::KindResults::Column& column : kind.counters)
            if (column.name == "operands_read") std::fill(column.values.begin(), column.values.end(), 1000);
    const energy::Energy found = energy::price(counted, energy::read_table(mobile22), "wide");
    const auto sum = [&](const std::string& kind, energy::Cause cause) {
        return found
            .sum([&](const energy::Part& part) {
                return part.structure == "operand collector" && part.kind == kind && part.cause == cause;
            })
            .typical;
    };
    for (const auto& [kind, bytes] : {std::pair("fragment_processor", 4 * 64), {"vertex_processor", 2 * 16}}) {
        const auto instructions = static_cast<double>(counted.total(kind, "instructions_collected") +
                                                      counted.total(kind, "instructions_dispatched"));
        const auto operands = static_cast<double>(counted.total(kind, "operands_read"));
        const auto units = static_cast<double>(counted.find_kind(kind)->indices.size());
        EXPECT_NEAR(sum(kind, energy::Cause::dynamic), (operands * bytes / 64 * 8 + instructions * 0.8) / 0.64, 1);
        // 0.01 mm2 for 64 bytes, 10 mW of each at 0.8 V, which is more at 1 V.
        EXPECT_NEAR(sum(kind, energy::Cause::leakage), units * 0.01 * bytes / 64 * 10 / 0.8 * seconds * 1e9, 1);
    }
}

// As of a texture unit: 12 MADs of 4.6 pJ at 45 nm, 0.9 V, to 22 nm, 1.0 V.
TEST_F(EnergyCommand, PricesAddressesThatAreKnownAheadAsThoseOfATextureUnit) {
    ASSERT_EQ(run("tegra-dae", "ahead").code, 0);
    ASSERT_EQ(tessera("energy " + quoted(*suite_ / "ahead") + " -o " + quoted(folder_ / "e.csv")).code, 0);
    const auto accesses =
        static_cast<double>(io::read_results(*suite_ / "ahead" / "results.h5").total("access_processor", "accesses"));
    EXPECT_GT(accesses, 0);
    EXPECT_NEAR(sum("\"addresses\",access_processor,dynamic"), accesses * 55 * (1 / 0.81) * 22 / 45, 1);
}

// The tags of what is fetched ahead are looked up once; by a prefetcher, of what is there already, too.
TEST_F(EnergyCommand, PricesEveryLookupAheadOnce) {
    // Banks of 512 bytes in two ways.
    const energy::ArrayValues bank = energy::read_table(mobile22).arrays.at("cache").at(512, 2);
    for (const auto& [cache, setting] :
         {std::pair<std::string, std::string>{"pixel_cache", "access_execute.enabled=true"},
          {"texture_cache", "access_execute.enabled=false --set texture_cache.prefetcher=next_line"}}) {
        ASSERT_EQ(run("tegra-dae --set " + setting, cache).code, 0);
        const ProgramEnd end =
            tessera("energy " + quoted(*suite_ / cache) + " --force -o " + quoted(folder_ / "e.csv"));
        ASSERT_EQ(end.code, 0) << end.err;
        const io::Results counted = io::read_results(*suite_ / cache / "results.h5");
        const auto total = [&](const std::string& kind, std::initializer_list<const char*> counters) {
            double sum = 0;
            for (const char* counter : counters) sum += static_cast<double>(counted.total(kind, counter));
            return sum;
        };
        EXPECT_GT(total(cache, {"prefetches_wanted"}), total(cache, {"prefetches"}));
        EXPECT_NEAR(
            sum("\"cache array\"," + cache + ",dynamic"),
            (total(cache, {"read_accesses", "dirtied"}) * bank.read_pJ.typical +
             total(cache, {"write_accesses", "fills"}) * bank.write_pJ.typical +
             total(cache, {"passed_on", "refusals", "invalidations", "prefetches_wanted"}) * bank.tag_pJ.typical) /
                0.64,
            1);
        if (cache == "texture_cache") continue;
        EXPECT_EQ(total(cache, {"prefetches_wanted"}), total("snoop_port", {"lookups"}));
        EXPECT_NEAR(
            sum("\"snoop port\",snoop_port,dynamic"),
            (total("snoop_port", {"put_off", "peer_requests"}) * 0.38 + total("snoop_port", {"peer_hits"}) * 7.1) /
                0.64,
            1);
    }
}

// The instruction and constant caches of paper 000's machine, of which it has none.
TEST_F(EnergyCommand, DoesNotPricePerfectCachesAndSaysSo) {
    ASSERT_EQ(run("tegra-dae --set texture_cache.perfect=true", "perfect").code, 0);
    const ProgramEnd end = tessera("energy " + quoted(*suite_ / "perfect") + " -o " + quoted(folder_ / "e.csv"));
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("not priced (perfect, as no structure is): texture_cache "
                                   "fragment_processor_instruction_cache fragment_processor_constant_cache "
                                   "vertex_processor_instruction_cache vertex_processor_constant_cache\n"));
    for (const char* kind : {",texture_cache,", "_instruction_cache,", "_constant_cache,"}) EXPECT_EQ(sum(kind), 0);
    EXPECT_GT(sum(",pixel_cache,"), 0);
}

// Texture caches that are one: mesh, tables, directory, what caches do for others; nothing of it with one core.
TEST_F(EnergyCommand, PricesEveryHomePolicy) {
    for (const std::string policy : {"s_nuca", "d_nuca", "dtm_nuca", "dtm_nuca_distributed"}) {
        ASSERT_EQ(run("bifrost32 --set home.policy=" + policy, policy).code, 0);
        const ProgramEnd end =
            tessera("energy " + quoted(*suite_ / policy) + " --force -o " + quoted(folder_ / "e.csv"));
        ASSERT_EQ(end.code, 0) << end.err;
        const io::Results counted = io::read_results(*suite_ / policy / "results.h5");
        const auto total = [&](const char* kind, const char* counter) {
            return static_cast<double>(counted.total(kind, counter));
        };
        // A byte: .8 pJ at 0.9 V on a link, as long in any process, and .3 at 0.8 V in a router; a read of 4 KiB (a
        // bank) in 4 ways by CACTI: 7.43 at 0.8 V.
        EXPECT_NEAR(sum("\"wires of the mesh\",home_mesh,dynamic"), total("home_mesh", "link_bytes") * 0.8 / 0.81, 1);
        EXPECT_NEAR(sum("\"routers\",home_mesh,dynamic"), total("home_mesh", "router_bytes") * 0.3 / 0.64, 1);
        EXPECT_GT(sum("\"routers\",home_mesh_router,leakage"), 0);
        EXPECT_EQ(sum("\"hits of buckets not told yet\",texture_cache,dynamic") > 0, policy == "dtm_nuca");
        EXPECT_NEAR(sum("\"texture cache, for other cores\",cluster,dynamic"),
                    (total("cluster", "home_served") * 7.43 + total("cluster", "home_recalls") * 0.209) / 0.64, 1);
        EXPECT_EQ(sum("\"affinity table\"") > 0, policy.starts_with("dtm_nuca"));
        EXPECT_EQ(sum("\"directory\"") > 0, policy == "d_nuca");
        EXPECT_EQ(sum("\"affinity table\",texture_cache,dynamic") > 0, policy == "dtm_nuca_distributed");
    }
    ASSERT_EQ(run("bifrost32 --set fragment_processor.count=1 --set home.policy=dtm_nuca_distributed", "one").code, 0);
    const ProgramEnd end = tessera("energy " + quoted(*suite_ / "one") + " --force -o " + quoted(folder_ / "e.csv"));
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(sum("\"affinity table"), 0);
}

TEST_F(EnergyCommand, RefusesATableThatMissesAStructureOrHasANegativeValue) {
    expect_one_line(price_with("kinds = [\"colour\"]\n", "kinds = [\"pixels\"]\n"), 2, "t.toml:");
    expect_one_line(price_with("tile_dispatcher = ", "l2_slice = "), 2, "'l2_slice' is named twice");
    expect_one_line(price_with("\"geometry\", \"tile_cache\"", "\"geometry\""), 2,
                    "'tile_cache' is in no [[component]]");
    expect_one_line(price_with("energy_pJ = [1.8,", "energy_pJ = [-1.8,"), 2, "no negative figure, found -1.8");
    expect_one_line(price_with("energy_pJ = [1.8, 6.9", "energy_pJ = [7, 6.9"), 2, "low <= typical <= high");
    expect_one_line(price_with("idle_share", "idel_share"), 2, "did you mean 'idle_share'?");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "e.csv"));
}

TEST_F(EnergyCommand, RefusesTablesAndRunsThatAreNotThere) {
    expect_one_line(price("--table mobil22"), 2, "did you mean 'mobile22'?");
    expect_one_line(price("--table " + quoted(folder_ / "no.toml")), 4, "no.toml");
    expect_one_line(price("--table " + quoted(results() / "results.h5")), 2, "expected TOML, found Tessera results");
    expect_one_line(tessera("energy " + quoted(folder_ / "nowhere")), 4, "nowhere");
}

TEST_F(EnergyCommand, NeverReplacesOtherFiles) {
    std::ofstream(folder_ / "e.csv") << "a,b\n1,2\n";
    expect_one_line(price("--force"), 2, "is not the energy of a run as Tessera writes it");
    EXPECT_EQ(read_text(folder_ / "e.csv"), "a,b\n1,2\n");
}

}  // namespace
