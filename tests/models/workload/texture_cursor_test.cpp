#include "models/workload/texture_cursor.h"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Of so many instructions, with textures at these counters.
Program program_of(std::size_t instructions, const std::vector<std::size_t>& textures) {
    Program program;
    program.instructions.resize(instructions);
    for (const std::size_t counter : textures) program.instructions[counter].opcode = Opcode::tex;
    return program;
}

std::vector<std::uint32_t> counters(const DecodedProgram& program, std::uint32_t path) {
    std::vector<std::uint32_t> all;
    for (TextureCursor at = TextureCursor::of(program, path); !at.is_done(); at.advance(program))
        all.push_back(at.counter);
    return all;
}

TEST(TextureCursor, FollowsThePathAcrossItsRuns) {
    Program program = program_of(10, {0, 3, 4, 9});
    program.paths = {{{0, 10, 15}}, {{1, 2, 15}, {4, 2, 15}, {3, 2, 15}, {9, 1, 15}}, {{5, 3, 15}}, {}};
    const DecodedProgram decoded(program);
    EXPECT_THAT(counters(decoded, 0), ElementsAre(0, 3, 4, 9));
    EXPECT_THAT(counters(decoded, 1), ElementsAre(4, 3, 4, 9));
    EXPECT_THAT(counters(decoded, 2), IsEmpty());
    EXPECT_THAT(counters(decoded, 3), IsEmpty());
}

TEST(TextureCursor, MeetsAsManyAsThePathHas) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const std::size_t size = 1 + random() % 20;
        std::vector<std::size_t> textures;
        for (std::size_t i = 0; i < size; ++i)
            if (random() % 3 == 0) textures.push_back(i);
        Program program = program_of(size, textures);
        Path path;
        for (std::size_t runs = random() % 6; runs > 0; --runs) {
            const auto first = static_cast<std::uint16_t>(random() % size);
            path.push_back({first, static_cast<std::uint16_t>(1 + random() % (size - first)), 15});
        }
        program.paths = {path};
        std::vector<std::uint32_t> expected;
        for (const PathRun& run : path)
            for (std::uint32_t i = run.first; i < std::uint32_t{run.first} + run.count; ++i)
                if (program.instructions[i].opcode == Opcode::tex) expected.push_back(i);
        const DecodedProgram decoded(program);
        EXPECT_EQ(counters(decoded, 0), expected);
        EXPECT_EQ(decoded.textures[0], expected.size());
    }
}

TEST(TextureCursor, TellsWhichReadsDependOnAnother) {
    Program program = program_of(3, {0, 2});
    program.instructions[2].dependent = true;
    EXPECT_THAT(DecodedProgram(program).dependent, ElementsAre(0, 0, 1));
}

}  // namespace
}  // namespace models
