#include "models/memory/requests.h"

#include <gtest/gtest.h>

namespace models {
namespace {

// A read of any sectors is answered with data, which are of no page and not elsewhere; so is a write of any.
TEST(MemoryReply, TellsDataFromPagesAndFromLinesThatAreElsewhere) {
    MemoryRequest request;
    request.block = 6;
    request.tag = RequestTag::of(3, 7);
    request.requester = 9;
    for (const MemoryOperation operation :
         {MemoryOperation::read, MemoryOperation::write_line, MemoryOperation::write_part})
        for (SectorMask sectors = 1; sectors < 16; ++sectors) {
            request.operation = operation;
            request.sectors = sectors;
            const MemoryReply reply = MemoryReply::to(request);
            EXPECT_FALSE(reply.is_of_page());
            EXPECT_FALSE(reply.is_elsewhere()) << int{sectors};
        }
    request.operation = MemoryOperation::read;
    const MemoryReply elsewhere = MemoryReply::elsewhere(request);
    EXPECT_TRUE(elsewhere.is_elsewhere());
    EXPECT_FALSE(elsewhere.is_of_page());
    EXPECT_EQ(elsewhere.block, 6U);
    EXPECT_EQ(elsewhere.tag.entry, 7);
    EXPECT_EQ(elsewhere.requester, 9);
    request.sectors = 0;
    EXPECT_TRUE(MemoryReply::to(request).is_of_page());
    EXPECT_FALSE(MemoryReply::to(request).is_elsewhere());
}

}  // namespace
}  // namespace models
