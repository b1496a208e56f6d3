#include "experiments/tessera/machine_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/hdf5_file.h"
#include "tests/experiments/program.h"

namespace {

class MachineRunTest : public testing::Test {
  protected:
    // The sample trace twice, each of three frames.
    io::Results run(engine::Time end_of_time) {
        experiments::RunRequest request;
        request.workloads = {trace_, trace_};
        request.partition = "block";
        request.progress = io::Progress::Style::none;
        request.end_of_time = end_of_time;
        experiments::RunIdentity identity{"", "# tessera test\n", {}, {}, 0, {}};
        experiments::RunProgress progress;
        progress.segments.emplace_back();
        const auto workloads = experiments::open_workloads(request, {}, ranks_);
        io::RunFolder folder(folder_ / "out", {true, {}});
        const experiments::MachineRun::Output output{&folder, nullptr, identity};
        error_.clear();
        try {
            experiments::MachineRun(request, ranks_, parameters_, output, progress).run(workloads);
        } catch (const engine::ConfigError& error) {
            error_ = error.what();
        }
        return progress.results;
    }
    std::size_t committed() const {
        return io::Hdf5File::open(folder_ / "out/results.h5").root().group("frames").dataset("end_time").rows();
    }

    const tests::TemporaryFolder folder_;
    const std::filesystem::path trace_ = tests::sample_trace(folder_);
    const engine::Ranks ranks_;
    const models::MachineParameters parameters_;
    std::string error_;
};

TEST_F(MachineRunTest, KeepsTheFramesBeforeTheEndOfTimeAndSaysWhereItCame) {
    const io::Results whole = run(engine::end_of_time);
    ASSERT_EQ(error_, "");
    ASSERT_EQ(whole.frames.size(), 6U);
    EXPECT_TRUE(whole.complete);
    for (const std::size_t frames : {1U, 3U, 4U}) {  // in the first workload, at its end, in the second one
        const engine::Time end = whole.frames[frames].end - 20;
        const io::Results part = run(end);
        EXPECT_THAT(error_, testing::HasSubstr((frames < 3 ? "sample frame " : "sample_2 frame ") +
                                               std::to_string(4 + frames % 3) + ": simulated time ends at " +
                                               std::to_string(end) + " ticks, which are "));
        EXPECT_FALSE(part.complete);
        EXPECT_EQ(committed(), frames);
    }
}

}  // namespace
