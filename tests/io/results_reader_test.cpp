// Results with a sound label whose parts do not fit together are refused by name.
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/results_file.h"
#include "io/results_performance.h"
#include "tests/io/sample_results.h"
#include "tests/io/spoilt_file.h"
#include "tests/io/temporary_folder.h"

namespace {

using tests::SpoiltFile;
using U32 = std::vector<std::uint32_t>;
using I64 = std::vector<std::int64_t>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Spoilt {
    const char* name;     // of the test
    const char* message;  // after the name of the file
    std::function<void(SpoiltFile&)> spoil;
};

class ResultsReader : public testing::TestWithParam<Spoilt> {};

// Three frames of one workload; two processes, one of which took a sample.
io::Results results() {
    io::Results results = tests::sample_results();
    results.determinism.processes = {"core[0]", "memory"};
    engine::MessageHashes hashes{5, 10, {}};
    for (int process = 0; process < 2; ++process) {
        hashes.processes.emplace_back().samples = {7};
        hashes.processes.back().last = 7;
    }
    results.determinism.set_hashes(0, 0, hashes);
    return results;
}

TEST_P(ResultsReader, RefusesPartsThatDoNotFitTogether) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "results.h5";
    io::write_results(path, results());
    {
        SpoiltFile file(path);
        GetParam().spoil(file);
    }
    io::write_label(path, io::results_kind());
    EXPECT_THAT(
        [&] {
            io::read_results(path);
            io::read_profile(path, results().graph);
        },
        testing::ThrowsMessage<engine::InputError>(testing::StartsWith(path.string() + ": " + GetParam().message)));
}

template <class T>
Spoilt values(const char* name, const char* message, const char* dataset, const std::vector<T>& instead) {
    return {name, message, [=](SpoiltFile& file) { file.replace(dataset, instead); }};
}

INSTANTIATE_TEST_SUITE_P(
    Parts, ResultsReader,
    testing::Values(
        values("Shape", "/frames/number: has an unexpected shape", "/frames/number", U32{10, 11}),
        Spoilt{"CounterShape", "/core/instructions: has an unexpected shape",
               [](SpoiltFile& file) {
                   file.replace("/core/instructions", std::vector<std::uint64_t>(6), {3, 2});
                   file.add_attribute("/core/instructions", "units", "1");
                   file.add_attribute("/core/instructions", "long_name", "");
               }},
        Spoilt{"HistogramShape", "/core/latency: has an unexpected shape",
               [](SpoiltFile& file) {
                   file.replace("/core/latency_bin", std::vector<std::uint64_t>{0, 1});
                   file.add_attribute("/core/latency_bin", "bins", "1");
               }},
        Spoilt{"NoBins", "/core: the dataset 'latency_bin' is missing",
               [](SpoiltFile& file) { file.remove("/core/latency_bin"); }},
        values("SeriesShape", "/series/traffic/frame: has an unexpected shape", "/series/traffic/frame", U32{1, 2}),
        values("SeriesOfNoFrame", "/series/traffic: frame: row 1: is beyond the 3 rows of /frames",
               "/series/traffic/frame", U32{1, 3, 2}),
        values("SeriesBackwards", "/series/traffic: row 2: ends at 2800, and begins at 2801",
               "/series/traffic/start_time", I64{1000, 2000, 2801}),
        values("RecordsShape", "/records/stops/frame: has an unexpected shape", "/records/stops/frame", U32{1, 2}),
        values("RecordsOfNoFrame", "/records/stops: frame: row 2: is beyond the 3 rows of /frames",
               "/records/stops/frame", U32{1, 2, 3}),
        Spoilt{"RecordsWithoutAMeaning", "/records/stops/place: row 1: expected one of 2 meanings, found 2",
               [](SpoiltFile& file) {
                   file.replace("/records/stops/place", std::vector<std::uint64_t>{0, 2, 1});
                   file.add_attribute("/records/stops/place", "units", "1");
                   file.add_attribute("/records/stops/place", "long_name", "");
                   file.add_attribute("/records/stops/place", "flag_meanings", "here there");
               }},
        Spoilt{"FrameCount", "/frames: holds 3 frames, the attribute frames_committed says another number",
               [](SpoiltFile& file) { file.replace_attribute("frames_committed", 4); }},
        Spoilt{"Workloads", "/workloads: its datasets have different lengths",
               [](SpoiltFile& file) { file.replace_texts("/workloads/label", {"game", "another"}); }},
        values("Type", "/frames/number: holds elements of another type than expected", "/frames/number",
               I64{10, 11, 12}),
        Spoilt{"NoDataset", "/frames: the dataset 'cycles' is missing",
               [](SpoiltFile& file) { file.remove("/frames/cycles"); }},
        Spoilt{"NoGroup", "the group 'provenance' is missing", [](SpoiltFile& file) { file.remove("/provenance"); }},
        values("DeterminismShape", "/determinism/start: has an unexpected shape", "/determinism/start", I64{0, 0}),
        values("NoWindow", "/determinism: the windows of workload 0 have no length", "/determinism/window", I64{0}),
        values("SampleOfNoWorkload", "/determinism: sample 0 belongs to no workload", "/determinism/epoch_workload",
               U32{1}),
        Spoilt{"ManyWorkloads", "/determinism has more workloads than /workloads",
               [](SpoiltFile& file) {
                   file.replace("/determinism/workload", I64{0, 1});
                   file.replace("/determinism/start", I64{0, 0});
                   file.replace("/determinism/window", I64{5, 5});
               }},
        values("Psnr", "/frames: row 1: image_psnr: expected at least 0 dB, or infinite", "/frames/image_psnr",
               std::vector<double>{-1, not_a_number, 30}),
        values("Ssim", "/frames: row 2: image_ssim: expected -1 to 1", "/frames/image_ssim",
               std::vector<double>{1, 1, 2}),
        values("Backwards", "/frames: row 0: ends at -5, and begins at", "/frames/end_time", I64{-5, 1, 2}),
        values("NoWorkload", "/frames/workload: row 2: is beyond the 1 rows of /workloads", "/frames/workload",
               U32{0, 0, 1}),
        Spoilt{"Status", "the attribute 'status' is neither complete nor partial",
               [](SpoiltFile& file) { file.replace_attribute("status", "perhaps"); }},
        values("ProfileNaN", "/performance/processes: seconds: row 1: expected a time from 0 s, found nan",
               "/performance/processes/seconds", std::vector<double>{1, not_a_number, 1, 1, 1}),
        values("ProfileNegative", "/performance/processes: seconds: row 0: expected a time from 0 s, found -1",
               "/performance/processes/seconds", std::vector<double>{-1, 1, 1, 1, 1}),
        values("Profile", "/performance: its datasets have different lengths", "/performance/processes/seconds",
               std::vector<double>{1})),
    [](const testing::TestParamInfo<Spoilt>& spoilt) { return spoilt.param.name; });

}  // namespace
