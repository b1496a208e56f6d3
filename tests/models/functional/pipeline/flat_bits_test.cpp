// Flat varyings carry the bits of integers, which may look like numbers that arithmetic would change: from the vertex
// buffer through the vertex program, clipping and interpolation to the fragment program nothing computes with them.
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::uint32_t as_floats = 31, as_integers = 196;  // formats of four components

struct Case {
    const char* name;
    std::uint32_t format;
    std::uint32_t mode;
    bool clipped;  // the primitive reaches out of the window
    bool first_provokes = false;
};

class FlatBits : public testing::TestWithParam<Case> {};

// White where the fragment program gets the bits that the provoking vertex has, at four components.
constexpr std::string_view compares = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0x3f800000, 0, 0, 0}
  0: MOV TEMP[0], IN[0]
  1: USEQ TEMP[1], TEMP[0], CONST[0]
  2: AND OUT[0], TEMP[1], IMM[0].xxxx
  3: END
)";

void draw_bits(Scene& scene, const Case& c, std::uint32_t bits) {
    scene.commands.create(ObjectType::vertex_elements, {90, 0, 0, 0, 31, 16, 0, 0, c.format})
        .bind(ObjectType::vertex_elements, 90);
    scene.rasterizer(Scene::plain | (c.first_provokes ? 1U << 4 : 0));
    scene.fragment_shader(compares);
    scene.commands.add(VirglCommand::set_constant_buffer, {1, 0, bits, bits ^ 1, ~bits, bits});
    const float far = c.clipped ? 3.0F : 1.0F;
    const auto vertex = [&](float x, float y, bool provokes) {
        SceneVertex made{x, y, 0, 1, {}};
        const std::uint32_t value = provokes ? bits : 0x3f800000;
        made.value = {std::bit_cast<float>(value), std::bit_cast<float>(value ^ 1), std::bit_cast<float>(~value),
                      std::bit_cast<float>(value)};
        return made;
    };
    const bool first = c.first_provokes;
    if (c.mode == Scene::points)
        scene.draw({vertex(0, 0, true)}, c.mode);
    else if (c.mode == Scene::lines)
        scene.draw({vertex(-far, 0.1F, first), vertex(far, 0.1F, !first)}, c.mode);
    else
        scene.draw({vertex(-far, -far, first), vertex(far, -far, false), vertex(0, far, !first)}, c.mode);
}

TEST_P(FlatBits, ArriveAsTheyWereSent) {
    for (const std::uint32_t bits : {0x7f800001U, 0xff812345U, 0x7fc00001U, 0xffffffffU, 0x80000000U, 0x00000001U}) {
        Scene scene(32, 32);
        draw_bits(scene, GetParam(), bits);
        scene.end_frame();
        const RenderedFrame frame = first_frame(scene);
        EXPECT_GT(frame.frame.quads.size(), 0U);
        int drawn = 0;
        for (std::uint32_t y = 0; y < 32; ++y) {
            for (std::uint32_t x = 0; x < 32; ++x) {
                if (frame.pixel(x, y) == 0) continue;
                ++drawn;
                ASSERT_EQ(frame.pixel(x, y), 0xffffffffU) << std::hex << bits << " at " << x << ", " << y;
            }
        }
        EXPECT_GT(drawn, 0) << std::hex << bits;
    }
}

INSTANTIATE_TEST_SUITE_P(Primitives, FlatBits,
                         testing::Values(Case{"Triangle", as_floats, Scene::triangles, false},
                                         Case{"TriangleOfIntegers", as_integers, Scene::triangles, false},
                                         Case{"FirstProvokes", as_integers, Scene::triangles, false, true},
                                         Case{"ClippedTriangle", as_integers, Scene::triangles, true},
                                         Case{"ClippedTriangleFirstProvokes", as_floats, Scene::triangles, true, true},
                                         Case{"Line", as_integers, Scene::lines, false},
                                         Case{"ClippedLine", as_floats, Scene::lines, true},
                                         Case{"Point", as_integers, Scene::points, false}),
                         [](const auto& bits) { return bits.param.name; });

}  // namespace
}  // namespace models::functional
