#include "models/workload/workload.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

struct RootOfTiling : ParameterGroup {
    TilingParameters tiling{this, "tiling", "of a test"};
};

struct Example {
    explicit Example(std::uint32_t passes = 3) : generator(options(passes)), frame(generator.frame()) {
        workload.load(generator.trace(), frame);
    }
    static synthetic::Options options(std::uint32_t passes) {
        synthetic::Options options;
        options.passes = passes;
        return options;
    }
    static constexpr Address memory = 1 << 30;
    RootOfTiling root;
    synthetic::Generator generator;
    Frame frame;
    Workload workload{{memory, Rendering::tiled_hidden_surface_removal, root.tiling}};
};

TEST(Workload, KnowsThePassOfATile) {
    const Example example;
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        const Pass& all = example.frame.passes[pass];
        const std::uint32_t last = all.first_tile + all.tiles_x * all.tiles_y - 1;
        EXPECT_EQ(example.workload.pass_of_tile(all.first_tile), pass);
        EXPECT_EQ(example.workload.pass_of_tile(last), pass);
    }
}

TEST(Workload, PutsTheListsOfPassesIntoTwoBuffersAtTheTopOfMemoryInTurn) {
    const Example example;
    const Address size = 32 << 20;
    EXPECT_EQ(example.workload.lists(0).records.front(), Example::memory - 2 * size);
    EXPECT_EQ(example.workload.lists(1).records.front(), Example::memory - size);
    EXPECT_EQ(example.workload.lists(2).records.front(), Example::memory - 2 * size);
    EXPECT_TRUE(example.workload.in_parameter_buffer((Example::memory - 2 * size) / block_bytes));
    EXPECT_FALSE(example.workload.in_parameter_buffer((Example::memory - 2 * size) / block_bytes - 1));
}

TEST(Workload, KeepsProgramsOneAfterTheOtherWhereTheyWereWhenNewPathsAreMet) {
    Example example;
    const Workload& workload = example.workload;
    FrameTrace trace = example.generator.trace();
    std::vector<BlockNumber> code;
    for (std::uint32_t i = 0; i < trace.programs.size(); ++i) {
        code.push_back(workload.program(i).code);
        if (i > 0) {
            EXPECT_EQ(code[i], code[i - 1] + workload.program(i - 1).code_lines());
        }
        EXPECT_FALSE(workload.in_parameter_buffer(code[i]));
    }
    trace.programs[1].paths.push_back({{0, 1}});
    example.workload.load(trace, example.frame);
    for (std::uint32_t i = 0; i < trace.programs.size(); ++i) EXPECT_EQ(workload.program(i).code, code[i]);
    EXPECT_EQ(workload.program(1).paths(), 3U);
}

TEST(Workload, HasTheRegistersOfTheProgramWithMost) {
    const Example example;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < example.generator.trace().programs.size(); ++i)
        most = std::max(most, example.workload.program(i).registers);
    EXPECT_EQ(example.workload.registers(), most);
}

TEST(Workload, RefusesProgramsThatHaveNoRoom) {
    Example example;
    FrameTrace trace = example.generator.trace();
    Program large = trace.programs[0];
    large.instructions.resize(65535);
    for (int i = 0; i < 5; ++i) trace.programs.push_back(large);
    EXPECT_THROW(example.workload.load(trace, example.frame), engine::InputError);
}

TEST(Workload, FindsAttributesByVertexOrByInstance) {
    Vertex vertex;
    vertex.id = 5;
    vertex.instance = 7;
    EXPECT_EQ(attribute_address({1000, 12, 4, 0}, vertex), 1000U + 5 * 12);
    EXPECT_EQ(attribute_address({1000, 12, 4, 1}, vertex), 1000U + 7 * 12);
    EXPECT_EQ(attribute_address({1000, 12, 4, 3}, vertex), 1000U + 2 * 12);
}

}  // namespace
}  // namespace models
