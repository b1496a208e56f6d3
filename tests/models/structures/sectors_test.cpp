#include "models/structures/sectors.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(Sectors, OfBytesInABlockAreTheHalvesThatTheyTouch) {
    const Address start = Address{10} * block_bytes;
    EXPECT_EQ(sectors_between(10, start, start), 0b01);
    EXPECT_EQ(sectors_between(10, start + 31, start + 32), 0b11);
    EXPECT_EQ(sectors_between(10, start + 32, start + 63), 0b10);
    EXPECT_EQ(sectors_between(10, start - 40, start + 5), 0b01);
    EXPECT_EQ(sectors_between(10, start - 40, start + 500), 0b11);
}

TEST(Sectors, HaveBytes) {
    EXPECT_EQ(bytes_of(0b1011), 96U);
}

}  // namespace
}  // namespace models
