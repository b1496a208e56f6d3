#include "models/core/program_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/program_records.h"

namespace models {
namespace {

using testing::ElementsAre;

TEST(ProgramProfile, TellsAProgramWhatWasIssuedWhileItIssued) {
    engine::CounterList list;
    ProgramProfile programs(&list);
    programs.begin_frame(2);
    programs.set_issuing(1, 0, 0);
    programs.set_issuing(0, 5, 20);  // by program 1
    programs.set_issuing(1, 7, 24);  // by program 0
    programs.set_issuing(1, 8, 28);
    EXPECT_EQ(programs[0].warp_instructions, 2U);
    EXPECT_EQ(programs[0].thread_instructions, 4U);
    EXPECT_EQ(programs[1].warp_instructions, 6U);
    EXPECT_EQ(programs[1].thread_instructions, 24U);
}

TEST(ProgramProfile, NotesAFrameOfProgramsThatDidSomething) {
    engine::CounterList list;
    ProgramProfile programs(&list);
    for (const std::uint64_t threads : {4U, 3U}) {
        programs.begin_frame(4);
        programs.launched(2, threads);
        programs.asked_texture(2);
        programs[2].cycles[static_cast<std::size_t>(CoreState::fetching)] = 9;
        programs[3].cycles[static_cast<std::size_t>(CoreState::empty)] = 5;  // nobody's
        programs.end_frame();
        const auto noted = ProgramProfile::read(programs.series.take());
        ASSERT_EQ(noted.size(), 1U);
        EXPECT_EQ(noted[0].first, 2U);
        ProgramProfile::Work work;
        work.warps = work.texture_accesses = 1;
        work.threads = threads;
        work.cycles[static_cast<std::size_t>(CoreState::fetching)] = 9;
        EXPECT_EQ(noted[0].second, work);
    }
}

TEST(ProgramRecords, AddUpCoresByKindAndProgram) {
    engine::CounterList list;
    std::vector<CoreNotes> notes;
    for (const auto& [kind, core, program, warps] :
         {std::array<std::uint32_t, 4>{1, 0, 5, 10}, {0, 0, 7, 1}, {0, 1, 7, 2}, {0, 1, 5, 3}}) {
        ProgramProfile programs(&list);
        programs.begin_frame(8);
        for (std::uint32_t i = 0; i < warps; ++i) programs.launched(program, 4);
        programs.end_frame();
        notes.push_back({kind, core, programs.series.take()});
    }
    const Records records = program_records(notes);
    EXPECT_EQ(records.rows(), 3U);
    EXPECT_THAT(records.find("core_kind")->values, ElementsAre(0, 0, 1));
    EXPECT_THAT(records.find("core_kind")->meanings, ElementsAre("fragment_processor", "vertex_processor"));
    EXPECT_THAT(records.find("program")->values, ElementsAre(5, 7, 5));
    EXPECT_THAT(records.find("warps")->values, ElementsAre(3, 3, 10));
    EXPECT_THAT(records.find("threads")->values, ElementsAre(12, 12, 40));
    EXPECT_EQ(records.find("cycles_empty"), nullptr);
    for (const Records::Column& column : records.columns) {
        EXPECT_EQ(column.values.size(), 3U) << column.name;
        EXPECT_FALSE(column.unit.empty() || column.doc.empty()) << column.name;
    }
}

}  // namespace
}  // namespace models
