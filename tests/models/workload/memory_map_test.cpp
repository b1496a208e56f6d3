#include "models/workload/memory_map.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(MemoryMap, WhatBelongsToTheMachineLiesAtTheTopAndNothingOverlaps) {
    const Address gibibyte = Address{1} << 30, buffer = 64 << 20;
    const MemoryMap map(gibibyte, buffer, true);
    EXPECT_EQ(map.parameter_buffers, gibibyte - 2 * buffer);
    EXPECT_EQ(map.code, map.parameter_buffers - MemoryMap::code_bytes);
    EXPECT_EQ(map.constants, map.code - constant_ring_bytes);
    EXPECT_EQ(map.commands, map.constants - MemoryMap::command_ring_bytes);
    EXPECT_EQ(map.page_tables, map.commands - PageTables::bytes(gibibyte));
    EXPECT_EQ(map.buffers_end(), map.page_tables);
    EXPECT_EQ(map.page_tables % page_bytes, 0U);
}

TEST(MemoryMap, HasNoPageTablesWhereTranslationIsFree) {
    const MemoryMap map(Address{1} << 30, 64 << 20, false);
    EXPECT_EQ(map.buffers_end(), map.commands);
}

// A memory that is too small has no room for buffers: every frame is refused.
TEST(MemoryMap, HasNoRoomForBuffersInATinyMemory) {
    EXPECT_EQ(MemoryMap(1 << 20, 1 << 18, true).buffers_end(), 0U);
}

}  // namespace
}  // namespace models
