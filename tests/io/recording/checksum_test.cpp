#include "io/recording/checksum.h"

#include <string_view>

#include <gtest/gtest.h>

namespace {

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(Checksum, IsXxh3OfTheBytesMostSignificantFirst) {
    // Of the empty input, as the algorithm's own description has it.
    const io::Checksum empty = io::checksum_of({});
    EXPECT_EQ(std::to_integer<int>(empty[0]), 0x99);
    EXPECT_EQ(std::to_integer<int>(empty[15]), 0x7f);
    EXPECT_NE(io::checksum_of(bytes("a")), io::checksum_of(bytes("b")));
}

TEST(Checksum, PieceByPieceIsTheSameAndStartsAfreshAfterEachOne) {
    io::ChecksumBuilder builder;
    builder.add(bytes("one "));
    builder.add(bytes("text"));
    EXPECT_EQ(builder.finish(), io::checksum_of(bytes("one text")));
    builder.add(bytes("x"));
    EXPECT_EQ(builder.finish(), io::checksum_of(bytes("x")));
    EXPECT_EQ(builder.finish(), io::checksum_of({}));
}

}  // namespace
