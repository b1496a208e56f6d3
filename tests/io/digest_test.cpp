#include "io/digest.h"

#include <gtest/gtest.h>

namespace {

TEST(Digest, IsXxh3OfTheBytes) {
    io::Digest empty;
    EXPECT_EQ(empty.hex(), "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing, seed 0
}

TEST(Digest, TextsCarryTheirLength) {
    io::Digest together;
    together.add("ab");
    together.add("c");
    io::Digest apart;
    apart.add("a");
    apart.add("bc");
    EXPECT_NE(together.hex(), apart.hex());
}

TEST(Digest, DoesNotDependOnHowBytesAreGrouped) {
    io::Digest bytes;
    bytes.add_bytes("abcdef", 6);
    io::Digest pieces;
    pieces.add_bytes("abc", 3);
    pieces.add_bytes("def", 3);
    EXPECT_EQ(bytes.hex(), pieces.hex());
}

}  // namespace
