#include "io/recorder/vtest.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/recorder/vtest_messages.h"

namespace {

using namespace vtest_messages;  // NOLINT(google-build-using-namespace): the words of these tests

// What receive_message makes of `sent`, after which the application hangs up.
bool receives(const Bytes& sent, Bytes& received) {
    Wire wire;
    EXPECT_TRUE(io::send_all(wire.far.number(), sent));
    wire.far.close();
    return io::receive_message(wire.near.number(), received);
}

std::string refusal_of(const Bytes& sent) {
    Bytes received;
    try {
        receives(sent, received);
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Vtest, EveryMessageOfTheProtocolComesBackWhole) {
    Bytes put = message(5, 11 + 2, {1, 0, 0, 0, 0, 0, 0, 2, 1, 1, 7});
    put.resize(put.size() + 7, std::byte{9});  // 7 bytes in 2 announced dwords
    Bytes name = message(8, 5, {});
    name.resize(name.size() + 5, std::byte{'a'});  // counted in bytes
    for (const Bytes& sent :
         {message(VtestCommand::get_caps, {}), message(VtestCommand::get_caps2, {}), create(1, 2, 3, 4),
          message(VtestCommand::resource_unref, {1}), get(1, 4, 4), put, name, busy_wait(1, 1),
          message(VtestCommand::submit_cmd, {1, 2, 3}), message(VtestCommand::submit_cmd, {}),
          message(VtestCommand::ping_protocol_version, {}), message(VtestCommand::protocol_version, {2})}) {
        Bytes received;
        EXPECT_TRUE(receives(sent, received));
        EXPECT_EQ(received, sent) << io::vtest_name(io::command_of(sent));
    }
}

TEST(Vtest, HangingUpAnywhereInsideAMessageIsNotAMessage) {
    const Bytes whole = create(1, 2, 3, 4);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        Bytes received;
        EXPECT_FALSE(receives(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), received));
    }
}

TEST(Vtest, WhatIsNotPartOfTheProtocolIsRefusedByName) {
    EXPECT_THAT(refusal_of(message(24, 0, {})), testing::HasSubstr("unknown (24, length 0): not part of vtest"));
    EXPECT_THAT(refusal_of(message(0, 0, {})), testing::HasSubstr("not part of vtest protocol 0"));
    EXPECT_THAT(refusal_of(message(VtestCommand::resource_unref, {1, 2})),
                testing::HasSubstr("RESOURCE_UNREF (3, length 2): expected length 1"));
    EXPECT_THAT(refusal_of(message(5, 12, {1, 0, 0, 0, 0, 0, 0, 2, 1, 1, 9})),
                testing::HasSubstr("does not match its data size"));
}

TEST(Vtest, ALengthOfFourGibibytesIsRefusedWithoutAllocatingIt) {
    EXPECT_THAT(refusal_of(message(6, 0xffffffff, {})), testing::HasSubstr("longer than any message"));
}

TEST(Vtest, AnAnnouncedLengthDoesNotAllocateMoreThanArrives) {
    Bytes received;
    EXPECT_FALSE(receives(message(6, 1U << 27, {1, 2, 3}), received));  // announces 512 MiB
    EXPECT_LT(received.capacity(), std::size_t{4} << 20);
}

TEST(Vtest, ARendererThatHangsUpInsteadOfAnsweringIsAnError) {
    Wire wire;
    wire.far.close();
    Bytes reply;
    EXPECT_THROW(io::receive_reply(wire.near.number(), busy_wait(1, 1), reply), engine::IoError);
    EXPECT_NO_THROW(io::receive_reply(wire.near.number(), create(1, 2, 3, 4), reply));  // has no answer
    EXPECT_TRUE(reply.empty());
}

TEST(Vtest, SendingToAPeerThatHungUpSaysSoWithoutASignal) {
    Wire wire;
    wire.far.close();
    EXPECT_FALSE(io::send_all(wire.near.number(), busy_wait(1, 1)));
}

}  // namespace
