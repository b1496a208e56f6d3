#include "models/pipeline/uploader.h"

#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// The driver's writes of a frame that begins in cycle 10, before a memory that answers after 40 cycles.
class UploaderTest : public HostedTest {
  protected:
    void upload(std::uint32_t before_draw, Address address, std::uint64_t bytes) {
        Upload& made = scene.frame.uploads.emplace_back();
        made.before_draw = before_draw;
        made.address = address;
        made.bytes = bytes;
    }
    void run(UploadPath path, int frames = 1, int credits = 512) {
        build_host(40, credits);
        uploader = std::make_unique<Uploader>(&host->counters(), path, workload, host->memory, 0, 1);
        host->cycle = [this](Time now) { return uploader->step(now) ? now + 1 : engine::never; };
        for (int frame = 0; frame < frames; ++frame)
            host->at(10 + 1000 * frame, [this](Time) { uploader->begin_frame(); });
        simulation.run({});
        EXPECT_EQ(uploader->lines_uploaded.value(), memory->seen.size());
    }
    std::vector<BlockNumber> lines() const {
        std::vector<BlockNumber> all;
        for (const auto& [time, request] : memory->seen) {
            EXPECT_EQ(request.client, MemoryClient::upload);
            all.push_back(request.block);
        }
        return all;
    }

    std::unique_ptr<Uploader> uploader;
};

TEST_F(UploaderTest, WritesALineACycleInTheOrderOfCommands) {
    upload(0, 0x8000, 130);
    upload(0, 0x4000, 64);
    upload(0, 0x5000, 0);
    upload(3, 0x6010, 4);  // behind the last draw
    run(UploadPath::dram);
    EXPECT_THAT(lines(), ElementsAre(0x200, 0x201, 0x202, 0x100, 0x180));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(memory->seen[i].second.operation, MemoryOperation::write_through);
        EXPECT_EQ(memory->seen[i].first, 10 + static_cast<Time>(i) + 2);
    }
}

TEST_F(UploaderTest, WritesIntoTheL2CacheIfToldTo) {
    upload(0, 0x8000, 64);
    run(UploadPath::l2);
    ASSERT_EQ(memory->seen.size(), 1U);
    EXPECT_EQ(memory->seen[0].second.operation, MemoryOperation::write_line);
}

TEST_F(UploaderTest, WritesNothingWhereItIsFree) {
    upload(0, 0x8000, 64);
    run(UploadPath::free);
    EXPECT_TRUE(memory->seen.empty());
}

TEST_F(UploaderTest, OfAFrameWithoutUploadsOrWithEmptyOnesDoesNothing) {
    upload(0, 0x8000, 0);
    run(UploadPath::dram);
    EXPECT_TRUE(memory->seen.empty());
}

TEST_F(UploaderTest, WaitsForCredits) {
    upload(0, 0x8000, 4 * 64);
    run(UploadPath::dram, 1, 1);
    EXPECT_THAT(lines(), ElementsAre(0x200, 0x201, 0x202, 0x203));
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(memory->seen[i].first - memory->seen[i - 1].first, 40 + 1 + 2);
}

TEST_F(UploaderTest, BeginsAnewWithEveryFrame) {
    upload(0, 0x8000, 128);
    run(UploadPath::dram, 2);
    EXPECT_THAT(lines(), ElementsAre(0x200, 0x201, 0x200, 0x201));
}

}  // namespace
}  // namespace models
