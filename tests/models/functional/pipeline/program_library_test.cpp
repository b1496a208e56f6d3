#include "models/functional/program_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

TEST(ProgramLibrary, APathHasOneNumber) {
    ProgramLibrary library;
    const std::uint32_t program = library.compile(std::string(branching), 0).program;
    EXPECT_EQ(library.intern({program, {{0, 3}}}), 0);
    EXPECT_EQ(library.intern({program, {{0, 3}, {4, 2}}}), 1);
    EXPECT_EQ(library.intern({program, {{0, 3}}}), 0);
    EXPECT_EQ(library.programs()[program].paths.size(), 2U);
}

TEST(ProgramLibrary, RefusesMorePathsThanItNumbers) {
    ProgramLibrary library;
    const std::uint32_t program = library.compile(std::string(branching), 0).program;
    const auto intern = [&](std::uint32_t i) {
        return library.intern({program, {{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i >> 16)}}});
    };
    for (std::uint32_t i = 0; i < 65536; ++i) ASSERT_EQ(intern(i), i);
    EXPECT_THAT([&] { intern(65536); },
                testing::ThrowsMessage<engine::InputError>(
                    "a shader whose warps take more than 65536 different paths is not supported; fewer frames "
                    "(`tessera trace --frames`) or a smaller picture have fewer"));
    EXPECT_EQ(intern(65535), 65535) << "a path that it knows";
}

TEST(ProgramLibrary, RefusesMoreRunsThanAFrameTraceMayHave) {
    ProgramLibrary library;
    const std::uint32_t program = library.compile(std::string(branching), 0).program;
    constexpr std::size_t runs = most_path_runs / 4;
    const auto intern = [&](std::uint16_t i, std::size_t count) { library.intern({program, Path(count, {i, 1, 15})}); };
    for (std::uint16_t i = 0; i < 4; ++i) intern(i, runs);
    EXPECT_NO_THROW(intern(3, runs)) << "a path that it knows";
    EXPECT_THAT([&] { intern(4, 1); },
                testing::ThrowsMessage<engine::InputError>(
                    "shaders whose warps take more than 16777216 runs of instructions altogether are not supported; "
                    "fewer frames (`tessera trace --frames`) or a smaller picture have fewer"));
}

}  // namespace
}  // namespace models::functional
