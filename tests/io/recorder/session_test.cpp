#include "io/recorder/session.h"

#include <exception>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/recorder/vtest_messages.h"

namespace {

using namespace vtest_messages;  // NOLINT(google-build-using-namespace): the words of these tests
using io::RecordKind;

using Records = std::vector<std::pair<RecordKind, Bytes>>;

// A session between the test, which plays the application, and a fake renderer.
class SessionTest : public testing::Test {
  protected:
    void start(io::SessionLimits limits = {}) {
        io::SessionSink sink{.add =
                                 [this](RecordKind kind, std::span<const std::byte> bytes) {
                                     records_.emplace_back(kind, Bytes(bytes.begin(), bytes.end()));
                                 },
                             .end_frame =
                                 [this](std::uint32_t width, std::uint32_t height) {
                                     frame_ends_.push_back(records_.size());
                                     last_size_ = {width, height};
                                 }};
        result_ = std::async(std::launch::async, [this, limits, sink] {
            io::Session{application_.far.number(), renderer_.socket(), limits, sink}.run();
        });
    }
    void send(const Bytes& bytes) { ASSERT_TRUE(io::send_all(application_.near.number(), bytes)); }
    Bytes answer(std::size_t size) { return receive(application_.near, size); }
    void hang_up() {
        application_.near.close();
        result_.get();
    }
    void swap(std::uint32_t handle, std::uint32_t width, std::uint32_t height) {
        send(get(handle, width, height));
        send(busy_wait(handle, 1));
        EXPECT_EQ(answer(12), message(VtestCommand::resource_busy_wait, {0}));
        EXPECT_EQ(answer(4UL * width * height).size(), 4UL * width * height);
    }
    const Bytes& last_pixels() const { return records_.at(records_.size() - 3).second; }

    Wire application_;
    FakeRenderer renderer_;
    Records records_;
    std::vector<std::size_t> frame_ends_;
    std::pair<std::uint32_t, std::uint32_t> last_size_;
    std::future<void> result_;
};

TEST_F(SessionTest, TheProtocolIsForcedToVersionZero) {
    start();
    send(message(VtestCommand::protocol_version, {2}));
    EXPECT_EQ(answer(12), message(VtestCommand::protocol_version, {0}));
    hang_up();
    EXPECT_THAT(renderer_.finish(), testing::ElementsAre(message(VtestCommand::protocol_version, {0})));
    EXPECT_EQ(records_.at(0).second, message(VtestCommand::protocol_version, {0}));
}

TEST_F(SessionTest, TheApplicationSeesLimitedCapabilitiesAndTheRecordingTheRenderersOwn) {
    start({.gles = io::GlesLevel::gles2});
    send(message(VtestCommand::get_caps2, {}));
    const Bytes caps = answer(1384);
    hang_up();
    EXPECT_EQ(io::word(caps, 2 + 264 / 4), 130U);
    EXPECT_EQ(io::word(records_.at(1).second, 2 + 264 / 4), 450U);
}

TEST_F(SessionTest, ASwapGetsTheWaitsAnswerBeforeThePixelsAndIsRecordedInTheRenderersOrder) {
    start();
    send(create(3, display_target, 4, 2));
    send(get(3, 4, 2));
    send(busy_wait(3, 1));
    EXPECT_EQ(answer(12), message(VtestCommand::resource_busy_wait, {0}));
    EXPECT_EQ(answer(32), Bytes(32, std::byte{1}));
    hang_up();
    const Records expected{{RecordKind::message, create(3, display_target, 4, 2)},
                           {RecordKind::message, get(3, 4, 2)},
                           {RecordKind::reply, Bytes(32, std::byte{1})},
                           {RecordKind::message, busy_wait(3, 1)},
                           {RecordKind::reply, message(VtestCommand::resource_busy_wait, {0})}};
    EXPECT_EQ(records_, expected);
    EXPECT_THAT(frame_ends_, testing::ElementsAre(5U));
    EXPECT_EQ(last_size_, std::make_pair(4U, 2U));
}

TEST_F(SessionTest, ASwapWithoutItsWaitIsRefused) {
    start();
    send(create(3, display_target, 4, 2));
    swap(3, 4, 2);
    send(get(3, 4, 2));
    send(get(3, 4, 2));
    EXPECT_THAT([&] { result_.get(); },
                testing::ThrowsMessage<engine::InputError>(testing::StartsWith(
                    "expected RESOURCE_BUSY_WAIT after the TRANSFER_GET of a display target, found TRANSFER_GET")));
}

TEST_F(SessionTest, ATextureIsReadBackWithoutAWait) {
    start();
    send(create(3, 0x8, 4, 2));
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32), Bytes(32, std::byte{1}));
    hang_up();
    EXPECT_EQ(records_.size(), 3U);
    EXPECT_TRUE(frame_ends_.empty());
}

TEST_F(SessionTest, ADisplayTargetThatTheApplicationReadsItselfIsNotAPicture) {
    start();
    send(create(3, display_target, 4, 2));
    send(busy_wait(3, 1));
    answer(12);
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32), Bytes(32, std::byte{1}));  // comes although no wait follows
    send(busy_wait(3, 1));
    EXPECT_EQ(answer(12).size(), 12U);
    hang_up();
    EXPECT_TRUE(frame_ends_.empty());
    EXPECT_EQ(records_.size(), 7U);
}

TEST_F(SessionTest, OnlyAWholeDisplayTargetIsAPicture) {
    start();
    send(create(3, display_target, 8, 8));
    swap(3, 4, 2);
    swap(3, 8, 8);
    hang_up();
    EXPECT_EQ(records_.size(), 9U);
    EXPECT_THAT(frame_ends_, testing::ElementsAre(9U));
}

constexpr std::uint32_t storage = 0x4000, launch_header = 37 | 8U << 16;

Bytes launch() {
    return message(VtestCommand::submit_cmd, {launch_header, 1, 1, 1, 1, 1, 1, 0, 0});
}

TEST_F(SessionTest, WithoutADisplayTargetWhatIsReadBackOfALaunchIsAFrame) {
    start();
    send(create(3, storage, 4, 2));
    send(launch());
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32).size(), 32U);
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32).size(), 32U);
    send(launch());
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32).size(), 32U);
    hang_up();
    EXPECT_THAT(frame_ends_, testing::ElementsAre(6U, 9U));  // before the next launch, and at the end
    EXPECT_EQ(last_size_, (std::pair{0U, 0U}));
}

TEST_F(SessionTest, SkippedFramesWithoutAPictureLeaveNothingToCount) {
    start({.skip = 1});
    send(create(3, storage, 4, 2));
    for (int i = 0; i < 2; ++i) {
        send(launch());
        send(get(3, 4, 2));
        EXPECT_EQ(answer(32).size(), 32U);
        send(busy_wait(3, 1));
        EXPECT_EQ(answer(12).size(), 12U);
    }
    hang_up();
    std::vector<RecordKind> kinds;
    for (const auto& [kind, bytes] : records_) kinds.push_back(kind);
    using enum RecordKind;
    EXPECT_THAT(kinds, testing::ElementsAre(message, message, skipped, message, message, reply, message, reply));
    EXPECT_THAT(frame_ends_, testing::ElementsAre(8U));
}

TEST_F(SessionTest, EveryBusyWaitWaits) {
    start();
    send(busy_wait(7, 0));
    answer(12);
    hang_up();
    EXPECT_THAT(renderer_.finish(), testing::ElementsAre(busy_wait(7, 1)));
}

TEST_F(SessionTest, SkippedPicturesLeaveOnlyTheirReadBackOut) {
    start({.skip = 2, .frames = 1});
    send(create(3, display_target, 4, 2));
    for (std::uint32_t picture = 0; picture < 4; ++picture) {
        send(message(VtestCommand::submit_cmd, {picture}));
        swap(3, 4, 2);
    }
    hang_up();
    // The resource, three submissions, of which two are followed by a mark, and one read-back.
    ASSERT_EQ(records_.size(), 1U + 3U + 2U + 4U);
    EXPECT_EQ(records_[1].second, message(VtestCommand::submit_cmd, {0}));
    EXPECT_EQ(records_[2].first, io::RecordKind::skipped);
    EXPECT_EQ(records_[3].second, message(VtestCommand::submit_cmd, {1}));
    EXPECT_EQ(records_[4].first, io::RecordKind::skipped);
    EXPECT_EQ(records_[5].second, message(VtestCommand::submit_cmd, {2}));
    EXPECT_EQ(last_pixels(), Bytes(32, std::byte{3}));  // of the third picture
    EXPECT_EQ(frame_ends_.size(), 1U);
}

TEST_F(SessionTest, WhenFullItGoesOnServingTheApplication) {
    start({.frames = 1});
    send(create(3, display_target, 4, 2));
    for (int picture = 0; picture < 3; ++picture) swap(3, 4, 2);
    hang_up();
    EXPECT_EQ(records_.size(), 5U);
    EXPECT_EQ(renderer_.finish().size(), 7U);
}

TEST_F(SessionTest, AResourceThatWasReleasedIsNoDisplayTargetAnyMore) {
    start();
    send(create(3, display_target, 4, 2));
    send(message(VtestCommand::resource_unref, {3}));
    send(create(3, 0x8, 4, 2));
    send(get(3, 4, 2));
    EXPECT_EQ(answer(32).size(), 32U);
    hang_up();
    EXPECT_TRUE(frame_ends_.empty());
}

TEST_F(SessionTest, AnApplicationThatHangsUpInTheMiddleOfASwapEndsTheSession) {
    start();
    send(create(3, display_target, 4, 2));
    send(get(3, 4, 2));
    hang_up();
    EXPECT_TRUE(frame_ends_.empty());
    EXPECT_EQ(records_.size(), 1U);
}

TEST_F(SessionTest, AnythingButTheWaitAfterASwapsTransferIsRefused) {
    start();
    send(create(3, display_target, 4, 2));
    send(get(3, 4, 2));
    send(message(VtestCommand::submit_cmd, {}));
    EXPECT_THROW(hang_up(), engine::InputError);
}

TEST_F(SessionTest, ARendererThatDiesIsAnErrorOfItsOwn) {
    start();
    renderer_.finish();
    send(busy_wait(1, 1));
    EXPECT_THROW(hang_up(), engine::IoError);
}

TEST_F(SessionTest, AFullDiskEndsTheSession) {
    io::SessionSink sink{.add = [](RecordKind, std::span<const std::byte>) { throw engine::IoError("full"); },
                         .end_frame = [](std::uint32_t, std::uint32_t) {}};
    send(create(3, display_target, 4, 2));
    io::Session session{application_.far.number(), renderer_.socket(), {}, sink};
    EXPECT_THROW(session.run(), engine::IoError);
}

}  // namespace
