#include "io/results_file.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/sample_results.h"
#include "tests/io/temporary_folder.h"

namespace {

using tests::sample_results;

TEST(ResultsFile, EveryNumberComesBack) {
    const tests::TemporaryFolder folder;
    const io::Results results = sample_results();
    io::write_results(folder / "results.h5", results);
    const io::Results read = io::read_results(folder / "results.h5");
    EXPECT_EQ(read.kinds, results.kinds);
    const auto& columns = read.find_kind("core")->counters;
    EXPECT_EQ(std::count_if(columns.begin(), columns.end(),
                            [](const auto& c) { return c.time == engine::CounterTime{"starved", "memory"}; }),
              1);
    EXPECT_EQ(read.ticks_per_second, results.ticks_per_second);
    EXPECT_EQ(read.workloads[0].label, "game");
    EXPECT_EQ(read.workloads[0].path, "game.h5");
    EXPECT_EQ(read.frames[2].number, 12u);
    EXPECT_EQ(read.frames[2].image.psnr, 51.5);
    EXPECT_TRUE(read.complete);
    EXPECT_EQ(io::results_digest(read), io::results_digest(results));
    EXPECT_EQ(io::stored_digest(folder / "results.h5"), io::results_digest(results));
    EXPECT_TRUE(io::is_complete(folder / "results.h5"));
}

TEST(ResultsFile, OneProcessOnAnAxisKeepsItsAxis) {
    const tests::TemporaryFolder folder;
    io::write_results(folder / "results.h5", sample_results("0m"));
    const io::Results read = io::read_results(folder / "results.h5");
    EXPECT_FALSE(read.find_kind("core")->single);
    EXPECT_TRUE(read.find_kind("memory")->single);
}

TEST(ResultsFile, ARunWithoutFramesIsWrittenToo) {
    const tests::TemporaryFolder folder;
    io::Results results;
    io::write_results(folder / "results.h5", results);
    EXPECT_EQ(io::read_results(folder / "results.h5").frames.size(), 0u);
    EXPECT_FALSE(io::read_results(folder / "results.h5").complete);
}

TEST(ResultsFile, ADiskFullAtAnyMomentIsAnIoErrorAndKeepsTheFileBefore) {
    io::Results results = sample_results();
    results.provenance.push_back({"config", std::string(100'000, 'x')});
    int failures = 0;
    bool fits = false;
    for (std::size_t kibibytes = 16; !fits; kibibytes += 16) {
        const tests::SmallFileSystem disk(kibibytes * 1024);
        if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
        std::ofstream(disk / "results.h5") << "the frames before";
        try {
            io::write_results(disk / "results.h5", results);
            fits = true;
        } catch (const engine::IoError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device")) << kibibytes;
            EXPECT_EQ(std::filesystem::file_size(disk / "results.h5"), 17u) << kibibytes;
            const std::filesystem::directory_iterator files(disk.path());
            EXPECT_EQ(std::distance(begin(files), end(files)), 1) << kibibytes;  // nothing unfinished
            ++failures;
        }
    }
    EXPECT_GT(failures, 3);
}

TEST(ResultsFile, EveryTruncationAndEveryFlippedBitIsRefused) {
    const tests::TemporaryFolder folder;
    io::write_results(folder / "results.h5", sample_results());
    std::ifstream file(folder / "results.h5", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const auto write = [&](const std::string& bytes) {
        std::ofstream(folder / "damaged.h5", std::ios::binary) << bytes;
        return folder / "damaged.h5";
    };
    for (std::size_t i = 0; i < 20; ++i)
        EXPECT_THROW(io::read_results(write(whole.substr(0, whole.size() * i / 20))), engine::InputError) << i;
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        std::string damaged = whole;
        const std::size_t byte = 512 + random() % (whole.size() - 512);
        damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << random() % 8));
        EXPECT_THROW(io::read_results(write(damaged)), engine::InputError) << "byte " << byte;
    }
}

}  // namespace
