#include "experiments/tessera/program_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace experiments {
namespace {

using testing::HasSubstr;

// Two workloads of a frame each; seven programs of the first one, and program 0 of the second.
io::Results results() {
    io::Results results;
    results.workloads = {{"game", "game.h5", ""}, {"other", "other.h5", ""}};
    results.frames.resize(2);
    results.frames[1].workload = 1;
    io::RecordsResults& records = results.records.emplace_back();
    records.name = "programs";
    const std::vector<std::string> kinds{"fragment_processor", "vertex_processor"};
    records.frames = {0, 0, 0, 0, 0, 0, 0, 1};
    records.columns = {{"core_kind", "1", "", kinds, {0, 0, 0, 0, 0, 0, 1, 0}},
                       {"program", "1", "", {}, {0, 1, 2, 3, 4, 5, 0, 0}},
                       {"threads", "1", "", {}, {11, 12, 13, 14, 15, 16, 17, 18}},
                       {"warp_instructions", "1", "", {}, {21, 22, 23, 24, 25, 26, 27, 28}},
                       {"texture_accesses", "1", "", {}, {31, 32, 33, 34, 35, 36, 37, 38}},
                       {"cycles_issue", "cycle", "", {}, {10, 20, 30, 40, 50, 60, 0, 100}},
                       {"cycles_texture", "cycle", "", {}, {0, 0, 0, 100, 0, 0, 1, 300}},
                       {"cycles_fetch", "cycle", "", {}, {0, 0, 0, 60, 0, 0, 0, 0}}};
    return results;
}

TEST(ProgramTable, HasTheMostExpensiveFirst) {
    const std::string table = program_table(results());
    const auto place = [&](const char* text) { return table.find(text); };
    EXPECT_THAT(table, HasSubstr("other 0        fragment_processor          400   51.9 %    25.0 %            28"));
    EXPECT_THAT(table, HasSubstr("38   75.0 %  texture\n"));
    EXPECT_THAT(table, HasSubstr("game  3        fragment_processor          200   25.9 %    20.0 %"));
    EXPECT_LT(place("other 0"), place("game  3"));
    EXPECT_LT(place("game  3"), place("game  5"));
    EXPECT_LT(place("game  5"), place("game  4"));
    EXPECT_THAT(table, HasSubstr("and 3 more\n"));
    EXPECT_THAT(table, testing::Not(HasSubstr("vertex_processor")));
}

TEST(ProgramTable, IsEmptyWhereNothingRan) {
    EXPECT_EQ(program_table({}), "");
    io::Results none = results();
    for (io::RecordsResults& records : none.records) {
        records.frames.clear();
        for (models::Records::Column& column : records.columns) column.values.clear();
    }
    EXPECT_EQ(program_table(none), "");
}

}  // namespace
}  // namespace experiments
