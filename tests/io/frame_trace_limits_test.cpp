// Forged frame traces: whatever count, size or address a file states, with a label and digests made to fit, it is
// refused or is work that can be done, in little memory and time.
#include <cstdlib>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/frame_trace_file.h"
#include "models/machine_parameters.h"
#include "models/workload/workload.h"
#include "tests/io/fit_digests.h"
#include "tests/io/sample_trace.h"
#include "tests/io/spoilt_file.h"
#include "tests/io/temporary_folder.h"
#include "tests/models/playable.h"
#include "tests/sanitized.h"

namespace {

using tests::SpoiltFile;

constexpr std::uint64_t wicked[] = {0, 1ULL << 31, 0xffffffff, 1ULL << 63, 0xffffffffffffffff};
constexpr std::uint64_t more_memory = 1ULL << 30;  // than the test has already
constexpr unsigned most_seconds = 60;

void write_trace(const std::filesystem::path& path) {
    io::FrameTraceWriter writer(path, {"tessera test", "sample.vtr", ""});
    writer.append(tests::SampleTrace().frame(10), "png of frame 10");
    writer.finish(tests::SampleTrace::programs());
}

// All that `tessera run` does with a trace before it simulates; why it is refused.
std::string refusal_of(const std::filesystem::path& path) {
    try {
        const io::FrameTraceFile file(path);
        const models::MachineParameters machine;
        const models::FrameTrace trace{file.programs(), {}};
        for (std::size_t i = 0; i < file.frame_count(); ++i) {
            models::Frame frame = file.load(i);
            models::leave_what_a_machine_plays(frame);
            models::Workload(
                {static_cast<models::Address>(machine.dram.size.count()), machine.rendering.mode(), machine.tiling})
                .load(trace, frame);
        }
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "none";
}

// In a child process: a crash, too much memory or no end are that child's.
void limit_this_process() {
    ::alarm(most_seconds);
    if (tests::is_sanitized) return;
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE)) + more_memory;
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
}

struct Forger {
    const tests::TemporaryFolder folder;
    const std::filesystem::path good = folder / "good.h5", forged = folder / "forged.h5";

    Forger() { write_trace(good); }
    std::string refusal(const std::function<void(SpoiltFile&)>& change) const {
        std::filesystem::copy_file(good, forged, std::filesystem::copy_options::overwrite_existing);
        {
            SpoiltFile file(forged);
            change(file);
        }
        tests::fit_digests(forged);
        return refusal_of(forged);
    }
};

TEST(FrameTraceLimits, WhatIsNotChangedIsAccepted) {
    EXPECT_EQ(Forger().refusal([](SpoiltFile&) {}), "none");
    EXPECT_EQ(Forger().refusal([](SpoiltFile& file) { file.set_number("/images/png", 7); }), "none");  // digests fit
}

const char* const groups[] = {"frames",
                              "passes",
                              "colours",
                              "draws",
                              "attributes",
                              "vertices",
                              "fetches",
                              "blocks",
                              "tiles",
                              "accesses",
                              "vertex_blocks",
                              "vertex_accesses",
                              "primitives",
                              "quads",
                              "images",
                              "programs",
                              "instructions",
                              "paths",
                              "path_runs",
                              "colour_hashes",
                              "constants",
                              "constant_accesses",
                              "constant_indices",
                              "uploads",
                              "kernels",
                              "thread_groups",
                              "memory_accesses",
                              "thread_addresses",
                              "kernel_accesses",
                              "kernel_blocks",
                              "presented"};

std::string group_of(const std::string& dataset) {
    return dataset.substr(1, dataset.find('/', 1) - 1);
}

TEST(FrameTraceLimits, EveryDatasetOfNumbersIsForged) {
    const std::vector<SpoiltFile::NumbersOf> datasets = SpoiltFile(Forger().good).integer_datasets();
    EXPECT_GT(datasets.size(), 80U);
    for (const SpoiltFile::NumbersOf& numbers : datasets)
        EXPECT_THAT(groups, testing::Contains(group_of(numbers.dataset))) << numbers.dataset;
}

class FrameTraceGroup : public testing::TestWithParam<const char*> {};

TEST_P(FrameTraceGroup, HasNoNumberThatCostsMuchMemoryOrTime) {
    const Forger forger;
    for (const SpoiltFile::NumbersOf& numbers : SpoiltFile(forger.good).integer_datasets()) {
        if (group_of(numbers.dataset) != GetParam()) continue;
        EXPECT_EXIT(
            {
                limit_this_process();
                for (const std::uint64_t value : wicked)
                    if (numbers.bytes == 8 || value >> (8 * numbers.bytes) == 0)
                        forger.refusal([&](SpoiltFile& file) { file.set_number(numbers.dataset, value); });
                std::_Exit(0);
            },
            testing::ExitedWithCode(0), "")
            << numbers.dataset;
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, FrameTraceGroup, testing::ValuesIn(groups),
                         [](const testing::TestParamInfo<const char*>& group) { return std::string(group.param); });

TEST(FrameTraceLimits, NoAttributeCostsMuchMemoryOrTime) {
    const Forger forger;
    EXPECT_EQ(forger.refusal([](SpoiltFile& file) { file.replace_attribute("frame_count", std::uint64_t{1}); }),
              "none");  // as it was
    for (const char* attribute : {"frame_count", "schema_version"})
        for (const std::uint64_t value : wicked)
            EXPECT_EQ(forger.refusal([&](SpoiltFile& file) { file.replace_attribute(attribute, value); }),
                      forger.forged.string() + ": the attribute '" + attribute + "' is " + std::to_string(value) +
                          (attribute == std::string("frame_count")
                               ? ", but /frames/number has 1 rows"
                               : ", expected " + std::to_string(io::frame_trace_version)));
}

struct Limit {
    const char* name;     // of the test
    const char* message;  // after the name of the file
    const char* dataset;
    std::uint64_t value;
};

class FrameTraceLimit : public testing::TestWithParam<Limit> {};

TEST_P(FrameTraceLimit, IsToldByDatasetAndRow) {
    const Forger forger;
    EXPECT_EQ(forger.refusal([](SpoiltFile& file) { file.set_number(GetParam().dataset, GetParam().value); }),
              forger.forged.string() + ": frame 10: " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Columns, FrameTraceLimit,
    testing::Values(
        Limit{"Colour", "/colours/bytes_per_texel: row 0: expected at most 64, found 2147483648",
              "/colours/bytes_per_texel", 1ULL << 31},
        Limit{"Compressed", "/colours/compressed: row 0: is 1 of texels with neither 8 nor 16 bytes",
              "/colours/compressed", 1},
        Limit{"ColourAddress", "/colours/address: row 0: expected at most 274877906943, found 18446744073709551615",
              "/colours/address", 0xffffffffffffffff},
        Limit{"Depth", "/passes/depth_bytes_per_texel: row 0: expected at most 64, found 65",
              "/passes/depth_bytes_per_texel", 65},
        Limit{"DepthWidth", "/passes/depth_width: row 0: expected at most 16384, found 16385", "/passes/depth_width",
              16385},
        Limit{"Width", "/passes/width: row 0: expected at most 16384, found 4294967295", "/passes/width", 0xffffffff},
        Limit{"Attribute", "/attributes/bytes: row 0: expected at most 64, found 823534631", "/attributes/bytes",
              823534631},
        Limit{"AttributeAddress", "/attributes/address: row 0: expected at most 274877906943, found 274877906944",
              "/attributes/address", 1ULL << 38},
        Limit{"Index", "/draws/index_address: row 0: expected at most 274877906943, found 18446744073709551615",
              "/draws/index_address", 0xffffffffffffffff},
        Limit{"Varyings", "/draws/varying_count: row 0: expected at most 256, found 257", "/draws/varying_count", 257},
        Limit{"Targets", "/draws/colour_targets: row 0: expected at most 8, found 9", "/draws/colour_targets", 9}),
    [](const testing::TestParamInfo<Limit>& limit) { return limit.param.name; });

// Every draw claims all vertices: each is sound by itself.
TEST(FrameTraceLimits, RowsAreClaimedOnce) {
    const tests::TemporaryFolder folder;
    const auto refusal = [&](const std::function<void(models::Frame&)>& change) {
        models::Frame frame = tests::SampleTrace().frame(10);
        change(frame);
        io::FrameTraceWriter writer(folder / "t.h5", {"tessera test", "sample.vtr", ""});
        writer.append(frame, "");
        try {
            writer.finish(tests::SampleTrace::programs());
        } catch (const engine::InputError& error) {
            const std::string message = error.what();
            return message.substr(message.find("frame 10: ") + 10);
        }
        return std::string("none");
    };
    EXPECT_EQ(refusal([](models::Frame&) {}), "none");
    EXPECT_EQ(refusal([](models::Frame& frame) {
                  frame.draws[1].first_fetch = 0;
                  frame.draws[1].fetch_count = frame.draws[0].fetch_count;
                  frame.draws[2].first_fetch = 0;
                  frame.draws[2].fetch_count = frame.draws[0].fetch_count + 1;
                  frame.fetches.assign(frame.fetches.size(), 0);
              }),
              "/draws/fetch_count: row 2: claims rows of /fetches that rows before it have");
    EXPECT_EQ(refusal([](models::Frame& frame) {
                  frame.passes.push_back(frame.passes[0]);
                  frame.passes[1].tiles_x = frame.passes[1].tiles_y = 0;
                  frame.passes[1].width = frame.passes[1].height = 0;
              }),
              "/passes/draw_count: row 1: claims rows of /draws that rows before it have");
    EXPECT_EQ(
        refusal([](models::Frame& frame) { frame.tiles[3] = {0, static_cast<std::uint32_t>(frame.quads.size())}; }),
        "/tiles/quad_count: row 3: claims rows of /quads that rows before it have");
}

}  // namespace
