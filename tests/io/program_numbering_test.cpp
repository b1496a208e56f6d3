#include "io/program_numbering.h"

#include <gtest/gtest.h>

namespace {

models::Frame frame_with(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> programs) {
    models::Frame frame;
    for (const auto& [vertex, fragment] : programs) {
        frame.draws.emplace_back();
        frame.draws.back().vertex_program = vertex;
        frame.draws.back().fragment_program = fragment;
    }
    return frame;
}

TEST(ProgramNumbering, CountsInTheOrderOfUseAndLeavesOutWhatNoFrameUses) {
    std::vector<models::Program> programs(6);
    for (std::uint16_t i = 0; i < 6; ++i) programs[i].temporaries = i;
    io::ProgramNumbering numbering;
    models::Frame first = frame_with({{4, 1}, {models::none, 1}});
    models::Frame second = frame_with({{0, 4}});
    numbering.renumber(first);
    numbering.renumber(second);
    EXPECT_EQ(first.draws[0].vertex_program, 0U);
    EXPECT_EQ(first.draws[0].fragment_program, 1U);
    EXPECT_EQ(first.draws[1].vertex_program, models::none);
    EXPECT_EQ(second.draws[0].vertex_program, 2U);
    EXPECT_EQ(second.draws[0].fragment_program, 0U);
    std::vector<std::uint16_t> selected;
    for (const models::Program& program : numbering.select(programs)) selected.push_back(program.temporaries);
    EXPECT_EQ(selected, (std::vector<std::uint16_t>{4, 1, 0}));
}

TEST(ProgramNumbering, CountsTheProgramsOfKernelsBehindThoseOfDraws) {
    models::Frame frame = frame_with({{5, 3}});
    frame.kernels = {{.program = 7}, {.program = 3}};
    io::ProgramNumbering numbering;
    numbering.renumber(frame);
    EXPECT_EQ(frame.kernels[0].program, 2U);
    EXPECT_EQ(frame.kernels[1].program, 1U);
}

}  // namespace
