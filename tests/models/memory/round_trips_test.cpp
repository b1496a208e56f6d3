#include "models/memory/round_trips.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "engine/counter.h"

namespace models {
namespace {

std::uint64_t trips_of(const engine::CounterList& list, const std::string& name, std::uint64_t value) {
    for (const engine::CounterInfo& info : list.all())
        if (info.name == name && info.bins->bin_of(value) == info.bin) return *info.value;
    return 0;
}

// Two halves of a block are written in part. The L2 cache has the second half and fetches the first, so the second is
// answered first, and each has the time that it took.
TEST(RoundTrips, APartialWriteOfSectorsThatAreTherePassesOneThatWaitsForItsOwn) {
    engine::CounterList list({"geometry", -1});
    RoundTrips trips(&list, 1);
    MemoryRequest waits, passes;
    waits.operation = passes.operation = MemoryOperation::write_part;
    waits.sectors = 1;
    passes.sectors = 2;
    trips.sent(waits, 7, 0);
    trips.sent(passes, 7, 1000);
    trips.answered(MemoryReply::to(passes, 7), 1050);
    trips.answered(MemoryReply::to(waits, 7), 1200);
    EXPECT_EQ(trips_of(list, "memory_write_latency", 50), 1U);
    EXPECT_EQ(trips_of(list, "memory_write_latency", 1200), 1U);
}

TEST(RoundTrips, AnAnswerWithoutDataBelongsToTheReadOfAnySectors) {
    engine::CounterList list({"cluster", -1});
    RoundTrips trips(&list, 1);
    MemoryRequest request;
    request.block = 7;
    request.sectors = 2;
    trips.sent(request, 7, 100);
    trips.answered(MemoryReply::elsewhere(request), 140);
    EXPECT_EQ(trips_of(list, "memory_latency_texture", 40), 1U);
}

}  // namespace
}  // namespace models
