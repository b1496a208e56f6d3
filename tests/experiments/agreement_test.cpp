#include "experiments/tessera/agreement.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

// What happens on several ranks is tested with the whole program.
TEST(Agreement, OnOneRankTheActionsErrorIsTheError) {
    const engine::Ranks ranks;
    int calls = 0;
    experiments::on_all_ranks(ranks, [&] { ++calls; });
    experiments::on_first_rank(ranks, [&] { ++calls; });
    EXPECT_EQ(calls, 2);
    EXPECT_THROW(experiments::on_first_rank(ranks, [] { throw engine::IoError("disk"); }), engine::IoError);
}

}  // namespace
