// Hashes of tiles: equal inputs have equal hashes, and every input that can change a tile's colours changes its hash.
#include <functional>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::string_view tinted = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: MUL OUT[0], TEMP[0], CONST[0][0]
  2: END
)";

struct Inputs {
    std::array<float, 4> cleared{0, 0, 0, 1};
    float corner = -0.5F;  // of the second triangle, which lies in the left two of four tiles
    float tint = 1;
    std::uint32_t texel = 0xff8040ff;
    bool linear = false;
    std::uint32_t blend = Scene::opaque;
    std::uint32_t depth = Scene::less_and_write;
    std::string_view program = tinted;
};

// 64 x 64 pixels: four tiles. A window of texture, and a triangle in the tiles on the left.
void add_frame(Scene& scene, const Inputs& inputs) {
    scene.clear(Scene::clear_all, inputs.cleared);
    scene.bind_texture(scene.texture(2, {WordList(4, inputs.texel)}), 0, inputs.linear);
    scene.commands.add(VirglCommand::set_constant_buffer,
                       {1, 0, word(inputs.tint), word(inputs.tint), word(inputs.tint), word(1)});
    scene.fragment_shader(inputs.program);
    scene.blend(inputs.blend);
    scene.depth_test(inputs.depth);
    scene.draw(whole_window(0.5F));
    scene.draw({{-1, -1, 0, 1, red}, {inputs.corner, -1, 0, 1, green}, {-1, 1, 0, 1, blue}});
    scene.end_frame();
}

struct Hashes {
    std::vector<std::uint64_t> inputs, colours;  // of four tiles, row by row
};

Hashes hashes_of(const Frame& frame) {
    Hashes hashes;
    for (const Tile& tile : frame.tiles) hashes.inputs.push_back(tile.input_hash);
    hashes.colours = frame.colour_hashes;
    EXPECT_EQ(hashes.inputs.size(), 4U);
    EXPECT_EQ(hashes.colours.size(), 4U);
    return hashes;
}

// The same picture, and then another.
std::pair<Hashes, Hashes> two_frames(const std::function<void(Inputs&)>& change) {
    Scene scene(64, 64);
    Inputs inputs;
    add_frame(scene, inputs);
    change(inputs);
    add_frame(scene, inputs);
    const Rendering r = render(scene.stream.bytes());
    return {hashes_of(r.frames.at(0).frame), hashes_of(r.frames.at(1).frame)};
}

// Tiles whose input hashes differ, as bits.
unsigned changed(const std::function<void(Inputs&)>& change) {
    const auto [before, after] = two_frames(change);
    unsigned tiles = 0;
    for (std::size_t tile = 0; tile < 4; ++tile) {
        if (before.inputs[tile] != after.inputs[tile]) tiles |= 1U << tile;
        if (before.colours[tile] != after.colours[tile]) {
            EXPECT_NE(before.inputs[tile], after.inputs[tile]) << tile;
        }
    }
    return tiles;
}

TEST(TileHash, IsTheSameForTheSamePictureThoughItsTexturesAndBuffersAreNew) {
    const auto [before, after] = two_frames([](Inputs&) {});
    EXPECT_EQ(before.inputs, after.inputs);
    EXPECT_EQ(before.colours, after.colours);
}

TEST(TileHash, DiffersWhereAnInputDoes) {
    EXPECT_EQ(changed([](Inputs& i) { i.corner = -0.4F; }), 0b0101U);  // only where the triangle is
    EXPECT_EQ(changed([](Inputs& i) { i.cleared[1] = 0.5F; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.tint = 0.5F; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.texel = 0xff8041ff; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.linear = true; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.blend = Scene::translucent; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.depth = 0; }), 0b1111U);
    EXPECT_EQ(changed([](Inputs& i) { i.program = coloured; }), 0b1111U);
}

// A point that shows its own coordinate, whose t runs downwards or upwards.
TEST(TileHash, DiffersWhereTheCoordinatesOfAPointDo) {
    constexpr std::string_view place = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], PCOORD, PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";
    constexpr std::uint32_t upwards = 1U << 6, square = 1U << 7;
    Scene scene(64, 64);
    for (const std::uint32_t flags : {square, square | upwards, square}) {
        const std::uint32_t rasterizer = scene.handle();
        scene.clear(Scene::clear_all);
        scene.commands
            .create(ObjectType::rasterizer, {rasterizer, Scene::plain | flags, word(20), 0, 0, word(1), 0, 0, 0})
            .bind(ObjectType::rasterizer, rasterizer);
        scene.fragment_shader(place);
        scene.draw({{-0.5F, -0.5F, 0, 1, white}}, Scene::points);
        scene.end_frame();
    }
    const Rendering r = render(scene.stream.bytes());
    const auto hashes = [&](std::size_t frame) { return hashes_of(r.frames.at(frame).frame); };
    EXPECT_NE(hashes(0).colours[0], hashes(1).colours[0]);
    EXPECT_NE(hashes(0).inputs[0], hashes(1).inputs[0]);
    EXPECT_EQ(hashes(0).inputs, hashes(2).inputs);
    EXPECT_EQ(hashes(0).inputs[3], hashes(1).inputs[3]);  // the point is not there
}

TEST(TileHash, OfColoursIsThatOfThePixels) {
    Scene scene(64, 64);
    scene.clear(Scene::clear_all, {0, 0, 0, 1});
    scene.draw({{-1, -1, 0, 1, red}, {-0.9F, -1, 0, 1, red}, {-1, -0.9F, 0, 1, red}});
    scene.end_frame();
    const Hashes hashes = hashes_of(first_frame(scene).frame);
    EXPECT_NE(hashes.colours[0], hashes.colours[1]);
    EXPECT_EQ(hashes.colours[1], hashes.colours[2]);
    EXPECT_EQ(hashes.colours[1], hashes.colours[3]);
}

TEST(TileHash, HoldsWhatAPassLoads) {
    Scene scene(64, 64);
    scene.clear(Scene::clear_all, {0, 0, 0, 1});
    scene.end_frame();
    for (const float x : {-0.9F, -0.8F}) {  // on top of what is there
        scene.draw({{-1, -1, 0, 1, red}, {x, -1, 0, 1, red}, {-1, -0.9F, 0, 1, red}});
        scene.end_frame();
    }
    for (int i = 0; i < 2; ++i) {  // the same draw twice: only the first finds other colours
        scene.draw(whole_window(0, blue));
        scene.end_frame();
    }
    scene.draw(whole_window(0, blue));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const auto inputs = [&](std::size_t frame) { return hashes_of(r.frames.at(frame).frame).inputs; };
    EXPECT_NE(inputs(3), inputs(4));
    EXPECT_EQ(inputs(4), inputs(5));
}

}  // namespace
}  // namespace models::functional
