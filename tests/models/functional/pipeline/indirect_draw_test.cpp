// Draws whose parameters are in a buffer draw what direct ones with these parameters draw, and are traced as they are.
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// Six vertices of each of two windows full: the first red, the second green.
SceneVertices two_windows() {
    SceneVertices vertices = whole_window(0, red);
    const SceneVertices second = whole_window(0, green);
    vertices.insert(vertices.end(), second.begin(), second.end());
    return vertices;
}

// One frame with two windows' vertices bound, an index buffer that draws them, and what `draw` draws.
template <class Draw>
Rendering rendering_of(Draw draw) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    scene.vertices(two_windows());
    const std::uint32_t indices = scene.handle();
    scene.stream.resource(indices, 0, 64, 32, 48, 1).put(indices, 0, 48, 1, {0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0});
    scene.commands.add(VirglCommand::set_index_buffer, {indices, 4, 0});
    draw(scene);
    scene.end_frame();
    return render(scene.stream.bytes());
}

constexpr std::uint32_t red_pixel = 0xff0000ff, green_pixel = 0x00ff00ff;

void expect_same(const Rendering& a, const Rendering& b) {
    const Frame &first = a.frames.at(0).frame, &second = b.frames.at(0).frame;
    check_laws(first, a.programs);
    EXPECT_EQ(a.frames[0].image.rgba, b.frames.at(0).image.rgba);
    EXPECT_EQ(first.draws, second.draws);
    EXPECT_EQ(first.vertices, second.vertices);
    EXPECT_EQ(first.fetches, second.fetches);
    EXPECT_EQ(first.primitives, second.primitives);
}

TEST(IndirectDraw, OfVerticesIsTheDirectOne) {
    const Rendering indirect = rendering_of([](Scene& s) { s.draw_indirect({6, 1, 6, 0}); });
    const Rendering direct = rendering_of([](Scene& s) {
        s.draw_call(6, Scene::triangles, 6);
        s.handle();
    });
    EXPECT_EQ(indirect.frames.at(0).pixel(3, 3), green_pixel);
    expect_same(indirect, direct);
}

TEST(IndirectDraw, OfIndicesIsTheDirectOne) {
    // Six indices from the sixth on, which are added to six: the second window.
    const Rendering indirect = rendering_of([](Scene& s) { s.draw_indirect({6, 1, 6, 6, 0}, {.indexed = true}); });
    const Rendering direct = rendering_of([](Scene& s) {
        s.commands.add(VirglCommand::set_index_buffer, {100 + 4, 4, 24});
        s.commands.add(VirglCommand::draw_vbo, {0, 6, 4, 1, 1, 6, 0, 0, 0, 0, 0xffffffff, 0});
    });
    EXPECT_EQ(indirect.frames.at(0).pixel(3, 3), green_pixel);
    expect_same(indirect, direct);
}

TEST(IndirectDraw, OfNoVerticesOrNoInstancesDrawsNothing) {
    for (const WordList& parameters : {WordList{0, 1, 0, 0}, WordList{6, 0, 0, 0}}) {
        const Rendering r = rendering_of([&](Scene& s) { s.draw_indirect(parameters); });
        EXPECT_EQ(r.frames.at(0).pixel(3, 3), 0U);
        EXPECT_EQ(r.frames[0].frame.draws.size(), 1U);  // the clear
    }
}

TEST(IndirectDraw, HasItsParametersAtAnOffset) {
    const Rendering r = rendering_of([](Scene& s) { s.draw_indirect({0, 6, 1, 6, 0}, {.offset = 4}); });
    EXPECT_EQ(r.frames.at(0).pixel(3, 3), green_pixel);
}

TEST(IndirectDraw, SeveralAreDrawnOneAfterTheOther) {
    // With a stride of five words, and with what the parameters take (0).
    const Rendering apart = rendering_of(
        [](Scene& s) { s.draw_indirect({6, 1, 6, 0, 99, 6, 0, 0, 0, 99, 6, 1, 0, 0}, {.draws = 3, .stride = 20}); });
    const Rendering tight =
        rendering_of([](Scene& s) { s.draw_indirect({6, 1, 6, 0, 6, 1, 0, 0}, {.draws = 2, .stride = 0}); });
    EXPECT_EQ(apart.frames.at(0).pixel(3, 3), red_pixel);
    EXPECT_EQ(apart.frames[0].frame.draws.size(), 3U);  // the second one draws nothing
    expect_same(apart, tight);
    const Rendering none = rendering_of([](Scene& s) { s.draw_indirect({6, 1, 6, 0}, {.draws = 0}); });
    EXPECT_EQ(none.frames.at(0).frame.draws.size(), 1U);
}

TEST(IndirectDraw, HasWhatIsInTheBufferAtTheTime) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    scene.vertices(two_windows());
    const std::uint32_t parameters = scene.handle();
    scene.stream.resource(parameters, 0, 64, 16, 16, 1).put(parameters, 0, 16, 1, {6, 1, 0, 0});
    scene.draw_indirect({}, {}, parameters);
    scene.end_frame();
    scene.stream.put(parameters, 0, 16, 1, {6, 1, 6, 0});
    scene.draw_indirect({}, {}, parameters);
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    EXPECT_EQ(r.frames.at(0).pixel(3, 3), red_pixel);
    EXPECT_EQ(r.frames.at(1).pixel(3, 3), green_pixel);
}

TEST(IndirectDraw, HasWhatAComputeProgramWroteBefore) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    scene.vertices(two_windows());
    const std::uint32_t parameters = scene.handle();
    scene.stream.resource(parameters, 0, 64, 0x4000, 16, 1).put(parameters, 0, 16, 1, {0, 0, 0, 0});
    constexpr std::uint32_t compute = 5;
    const std::string_view text = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL BUFFER[0]
IMM[0] UINT32 {6, 1, 6, 0}
IMM[1] UINT32 {0, 0, 0, 0}
  0: STORE BUFFER[0].xyzw, IMM[1].xxxx, IMM[0]
  1: END
)";
    scene.commands.shader(scene.handle(), compute, text)
        .add(VirglCommand::set_shader_buffers, {compute, 0, 0, 16, parameters})
        .add(VirglCommand::launch_grid, {1, 1, 1, 1, 1, 1, 0, 0});
    scene.draw_indirect({}, {}, parameters);
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).pixel(3, 3), green_pixel);
}

// The first instance moves attributes with a divisor; the number of the instance begins at 0.
TEST(IndirectDraw, HasAFirstInstance) {
    const auto drawn = [](auto draw) {
        return rendering_of([&](Scene& s) {
            s.commands.create(ObjectType::vertex_elements, {90, 0, 0, 0, 31, 16, 1, 0, 31})
                .bind(ObjectType::vertex_elements, 90);
            draw(s);
        });
    };
    const Rendering arrays = drawn([](Scene& s) { s.draw_indirect({6, 1, 0, 7}); });
    const Rendering indexed = drawn([](Scene& s) { s.draw_indirect({6, 1, 0, 0, 7}, {.indexed = true}); });
    EXPECT_EQ(arrays.frames.at(0).pixel(3, 3), green_pixel);  // the colour of vertex 7
    EXPECT_EQ(indexed.frames.at(0).pixel(3, 3), green_pixel);
}

TEST(IndirectDraw, TellsItsVerticesItsNumber) {
    constexpr std::string_view numbered = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SV[0], DRAWID
DCL TEMP[0]
  0: MOV OUT[0], IN[0]
  1: U2F TEMP[0], SV[0].xxxx
  2: MUL OUT[1], IN[1], TEMP[0]
  3: END
)";
    const Rendering r = rendering_of([&](Scene& s) {
        s.commands.shader(90, 0, numbered);
        s.draw_indirect({6, 1, 6, 0, 6, 1, 0, 0}, {.draws = 2});
    });
    EXPECT_EQ(r.frames.at(0).pixel(3, 3), red_pixel);  // draw 1; draw 0 is black
    const Rendering first = rendering_of([&](Scene& s) {
        s.commands.shader(90, 0, numbered);
        s.draw_indirect({6, 1, 6, 0});
    });
    EXPECT_EQ(first.frames.at(0).pixel(3, 3), 0U);
}

}  // namespace
}  // namespace models::functional
