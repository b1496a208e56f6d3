#include "models/functional/virgl/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {
namespace {

using testing::HasSubstr;

Message parse(const std::vector<std::byte>& payload) {
    return parse_message({RecordKind::client_message, 50, payload});
}

TEST(Message, HasItsCommandAndTheWordsAfterTheHeader) {
    const std::vector<std::byte> payload = bytes_of({1, 3, 77});
    const Message message = parse(payload);
    EXPECT_EQ(message.command, VtestCommand::resource_unref);
    EXPECT_EQ(message.words.count(), 1U);
    EXPECT_EQ(message.words[0], 77U);
    EXPECT_EQ(message.words.offset(), 58U);
}

TEST(Message, CountsTheNameOfTheApplicationInBytes) {
    std::vector<std::byte> payload = bytes_of({5, 8, 0x6c6c6568});
    payload.push_back(std::byte{0});
    EXPECT_EQ(parse(payload).command, VtestCommand::create_renderer);
}

TEST(Message, MayEndATransferBeforeTheRoundedLength) {
    for (int size = 0; size <= 8; ++size) {
        std::vector<std::byte> payload = bytes_of({2, 5});
        payload.resize(8 + static_cast<std::size_t>(size));
        const bool fits = size >= 5;
        EXPECT_EQ(error_of([&] { parse(payload); }) == "nothing was thrown", fits) << size;
    }
}

TEST(Message, IsRefusedWhenItsLengthDoesNotFit) {
    EXPECT_THAT(error_of([] { parse(bytes_of({2, 3, 77})); }),
                HasSubstr("byte 50: RESOURCE_UNREF: the header announces 2 words, but 4 bytes follow"));
    EXPECT_THAT(error_of([] { parse(bytes_of({2})); }), HasSubstr("byte 50: vtest message: expected at least 2 words"));
}

TEST(Message, IsRefusedWhenItsCommandIsOfALaterProtocol) {
    EXPECT_THAT(error_of([] { parse(bytes_of({0, 12})); }), HasSubstr("byte 50: unknown vtest command 12"));
    EXPECT_THAT(error_of([] { parse(bytes_of({0, 0})); }), HasSubstr("unknown vtest command 0"));
}

TEST(CommandStream, GivesTheCommandsInOrder) {
    const Commands commands =
        Commands().bind(ObjectType::blend, 9).add(VirglCommand::nop, {}).add(VirglCommand::clear, {1, 2});
    const std::vector<std::byte> bytes = bytes_of(commands.words());
    CommandStream stream(Words(bytes, 1000, "SUBMIT_CMD"));
    Command command;
    ASSERT_TRUE(stream.next(command));
    EXPECT_EQ(command.command, VirglCommand::bind_object);
    EXPECT_EQ(command.object, ObjectType::blend);
    EXPECT_EQ(command.words[0], 9U);
    EXPECT_EQ(command.words.offset(), 1004U);
    ASSERT_TRUE(stream.next(command));
    EXPECT_EQ(command.words.count(), 0U);
    ASSERT_TRUE(stream.next(command));
    EXPECT_EQ(command.words.offset(), 1016U);
    EXPECT_EQ(command.words[1], 2U);
    EXPECT_FALSE(stream.next(command));
}

std::string first_error(const WordList& words) {
    const std::vector<std::byte> bytes = bytes_of(words);
    CommandStream stream(Words(bytes, 1000, "SUBMIT_CMD"));
    Command command;
    return error_of([&] { stream.next(command); });
}

TEST(CommandStream, RefusesACommandLongerThanItsSubmission) {
    EXPECT_THAT(first_error({7 | 3U << 16, 1, 2}), HasSubstr("byte 1000: CLEAR: 3 words announced, but only 2 are"));
}

TEST(CommandStream, RefusesUnknownCommandsAndObjects) {
    EXPECT_THAT(first_error({200}), HasSubstr("byte 1000: unknown virgl command 200"));
    EXPECT_THAT(first_error({1 | 60U << 8}), HasSubstr("byte 1000: CREATE_OBJECT: unknown object type 60"));
}

TEST(Names, AreThoseOfTheProtocol) {
    EXPECT_EQ(name(VirglCommand::link_shader), "LINK_SHADER");
    EXPECT_EQ(name(VirglCommand::set_sub_ctx), "SET_SUB_CTX");
    EXPECT_EQ(name(VirglCommand::transfer3d), "TRANSFER3D");
    EXPECT_EQ(name(VtestCommand::protocol_version), "PROTOCOL_VERSION");
    EXPECT_EQ(name(ObjectType::msaa_surface), "MSAA_SURFACE");
}

}  // namespace
}  // namespace models::functional
