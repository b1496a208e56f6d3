// What the frame trace says of memory: constants and where they are, uploads, and the surface that is shown.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// Colours by CONST[0][0], moved by CONST[0][1 + number] of the array that IN[1].x (0 to 3) chooses.
constexpr std::string_view chosen_constant = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0][0..4]
DCL ADDR[0]
DCL TEMP[0]
  0: ARL ADDR[0].x, IN[1].xxxx
  1: ADD TEMP[0], IN[0], CONST[0][ADDR[0].x+1]
  2: MOV OUT[0], TEMP[0]
  3: MOV OUT[1], CONST[0][0]
  4: END
)";
// A colour that the column of the pixel chooses: constants 0 to 7 by blocks of three pixels.
constexpr std::string_view chosen_colour = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], POSITION, LINEAR
DCL OUT[0], COLOR
DCL CONST[0][0..7]
DCL ADDR[0]
DCL TEMP[0]
IMM[0] FLT32 {0x3eaaaaab, 0x00000000, 0x00000000, 0x00000000}
  0: MUL TEMP[0].x, IN[1].xxxx, IMM[0].xxxx
  1: ARL ADDR[0].x, TEMP[0].xxxx
  2: MOV OUT[0], CONST[0][ADDR[0].x]
  3: END
)";

// The same column of CONST[1] and CONST[2], by whether the row is even.
constexpr std::string_view chosen_buffer = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], POSITION, LINEAR
DCL OUT[0], COLOR
DCL CONST[1][0..7]
DCL CONST[2][0..7]
DCL ADDR[0..1]
DCL TEMP[0]
IMM[0] UINT32 {1, 0, 0, 0}
  0: F2I TEMP[0].xy, IN[1].xyyy
  1: AND TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx
  2: UARL ADDR[0].x, TEMP[0].xxxx
  3: UARL ADDR[1].x, TEMP[0].yyyy
  4: MOV OUT[0], CONST[ADDR[1].x+1][ADDR[0].x]
  5: END
)";

void set_constants(Scene& scene, std::uint32_t stage, std::uint32_t slot, std::uint32_t vectors, float value) {
    WordList words{stage, slot};
    words.insert(words.end(), 4 * vectors, word(value));
    scene.commands.add(VirglCommand::set_constant_buffer, words);
}

std::vector<ConstantRange> constants_of(const Frame& frame, std::uint32_t draw) {
    const Draw& d = frame.draws.at(draw);
    return {frame.constants.begin() + d.first_constant, frame.constants.begin() + d.first_constant + d.constant_count};
}

TEST(Constants, FromCommandsHaveANewPlaceWheneverTheyChange) {
    Scene scene(8, 8);
    scene.commands.shader(scene.handle(), 0, chosen_constant);
    for (const float value : {0.0F, 0.0F, 0.25F, 0.0F}) {
        set_constants(scene, 0, 0, 6, value);  // one more than the program declares
        scene.draw(whole_window(0, std::array{0.0F, 0.0F, 0.0F, 0.0F}));
    }
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    std::vector<Address> places;
    for (std::uint32_t draw = 0; draw < 4; ++draw) {
        const std::vector<ConstantRange> ranges = constants_of(frame, draw);
        ASSERT_EQ(ranges.size(), 1U);
        EXPECT_EQ(ranges[0].stage, ShaderStage::vertex);
        EXPECT_EQ(ranges[0].slot, 0);
        EXPECT_EQ(ranges[0].bytes, 5U * 16);
        places.push_back(ranges[0].address);
    }
    EXPECT_EQ(places, (std::vector<Address>{constant_ring, constant_ring, constant_ring + 256, constant_ring + 512}));
    // Each is written once, before the draw that first reads it.
    std::map<Address, std::uint32_t> written;
    for (const Upload& upload : frame.uploads)
        if (upload.address >= constant_ring) {
            EXPECT_EQ(upload.bytes, 6U * 16);
            EXPECT_TRUE(written.emplace(upload.address, upload.before_draw).second);
        }
    EXPECT_EQ(written, (std::map<Address, std::uint32_t>{
                           {constant_ring, 0}, {constant_ring + 256, 2}, {constant_ring + 512, 3}}));
}

TEST(Constants, BoundWhenAFrameBeginsAreWrittenToTheStartOfTheRing) {
    Scene scene(8, 8);
    scene.commands.shader(scene.handle(), 0, chosen_constant);
    const auto draw = [&] { scene.draw(whole_window(0, std::array{0.0F, 0.0F, 0.0F, 0.0F})); };
    for (const float value : {0.25F, 0.5F, 0.0F}) {
        set_constants(scene, 0, 0, 5, value);
        draw();
    }
    scene.end_frame();
    draw();
    set_constants(scene, 0, 0, 5, 0.5F);
    draw();
    scene.end_frame();
    const Frame second = render(scene.stream.bytes()).frames.at(1).frame;
    EXPECT_EQ(constants_of(second, 0).at(0).address, constant_ring);
    EXPECT_EQ(constants_of(second, 1).at(0).address, constant_ring + 256);
    const std::vector<Upload> expected{
        {.before_draw = 0, .address = constant_ring, .bytes = 80},
        {.before_draw = 1, .address = constant_ring + 256, .bytes = 80},
    };
    std::vector<Upload> written;
    std::ranges::copy_if(second.uploads, std::back_inserter(written),
                         [](const Upload& upload) { return upload.address >= constant_ring; });
    EXPECT_EQ(written, expected);
}

TEST(Constants, OfABufferAreWhereItIs) {
    Scene scene(8, 8);
    const std::uint32_t buffer = scene.handle();
    scene.stream.resource(buffer, 0, 64, 64, 1024, 1).put(buffer, 0, 1024, 1, WordList(256, word(0.5F)));
    scene.commands.shader(scene.handle(), 1, chosen_colour)
        .add(VirglCommand::set_uniform_buffer, {1, 0, 256, 512, buffer});
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    const std::vector<ConstantRange> ranges = constants_of(frame, 0);
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].stage, ShaderStage::fragment);
    EXPECT_EQ(ranges[0].bytes, 128U);  // eight of the 32 vec4s bound
    const auto upload =
        std::find_if(frame.uploads.begin(), frame.uploads.end(), [](const Upload& u) { return u.bytes == 1024; });
    ASSERT_NE(upload, frame.uploads.end());
    EXPECT_EQ(ranges[0].address, upload->address + 256);
}

TEST(Constants, TheIndicesOfAVertexAreThoseItsInputsChoose) {
    Scene scene(8, 8);
    scene.commands.shader(scene.handle(), 0, chosen_constant);
    set_constants(scene, 0, 0, 5, 0);
    SceneVertices corners = whole_window(0);
    for (std::size_t v = 0; v < corners.size(); ++v) corners[v].value = {static_cast<float>(v % 4), 0, 0, 0};
    scene.draw(corners);
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const Frame& frame = r.frames.at(0).frame;
    check_laws(frame, r.programs);
    ASSERT_EQ(frame.vertices.size(), 6U);
    for (std::size_t v = 0; v < 6; ++v) {
        const ConstantAccess& access = frame.constant_accesses.at(frame.vertices[v].first_constant_access);
        ASSERT_EQ(access.index_count, 1);
        EXPECT_EQ(frame.constant_indices[access.first_index], 1 + v % 4);
    }
}

TEST(Constants, TheIndicesOfAQuadAreThoseOfItsLanes) {
    Scene scene(24, 8);
    scene.fragment_shader(chosen_colour);
    set_constants(scene, 1, 0, 8, 0.5F);
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const Frame& frame = r.frames.at(0).frame;
    check_laws(frame, r.programs);
    for (const Quad& quad : frame.quads) {
        const ConstantAccess& access = frame.constant_accesses.at(quad.first_constant_access);
        // Pixel x + 0.5 reads constant floor(x / 3): helper lanes, too.
        std::vector<std::uint16_t> expected{static_cast<std::uint16_t>(quad.x * 2 / 3)};
        if (const auto right = static_cast<std::uint16_t>((quad.x * 2 + 1) / 3); right != expected[0])
            expected.push_back(right);
        const auto first = frame.constant_indices.begin() + access.first_index;
        EXPECT_EQ(std::vector<std::uint16_t>(first, first + access.index_count), expected) << int{quad.x};
    }
}

TEST(Constants, OfComputedBuffersCountOnFromBufferToBuffer) {
    Scene scene(8, 8);
    scene.fragment_shader(chosen_buffer);
    set_constants(scene, 1, 1, 8, 0.2F);
    set_constants(scene, 1, 2, 8, 0.8F);
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const RenderedFrame& rendered = r.frames.at(0);
    const Frame& frame = rendered.frame;
    check_laws(frame, r.programs);
    EXPECT_EQ(rendered.pixel(3, 2) >> 24, 51U);
    EXPECT_EQ(rendered.pixel(3, 3) >> 24, 204U);
    EXPECT_EQ(constants_of(frame, 0).size(), 2U);
    for (const Quad& quad : frame.quads) {
        const ConstantAccess& access = frame.constant_accesses.at(quad.first_constant_access);
        const auto column = static_cast<std::uint16_t>(quad.x * 2);
        const std::vector<std::uint16_t> lanes{column, static_cast<std::uint16_t>(column + 1),
                                               static_cast<std::uint16_t>(4096 + column),
                                               static_cast<std::uint16_t>(4096 + column + 1)};
        const auto first = frame.constant_indices.begin() + access.first_index;
        EXPECT_EQ(std::vector<std::uint16_t>(first, first + access.index_count), lanes);
    }
}

TEST(Uploads, AreTheTilesOfTheTexelsWrittenAndWhenTheyAre) {
    // 21 x 13 texels: whole, and a box of 6 x 5 at (3, 7), between two draws.
    Scene scene(8, 8);
    const std::uint32_t texture = scene.handle();
    scene.stream.resource(texture, 2, 67, 10, 21, 13).put(texture, 0, 21, 13, WordList(21 * 13, 0xff0000ff));
    scene.draw(whole_window(0, red));
    scene.submit();
    WordList box{texture, 0, 0, 0, 3, 7, 0, 6, 5, 1, 6 * 5 * 4};
    box.insert(box.end(), 30, 0x00ff00ffU);
    scene.stream.message(VtestCommand::transfer_put, box);
    scene.draw(whole_window(0, green));
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    Frame frame;
    ASSERT_TRUE(renderer.next_frame(&frame, nullptr, nullptr));
    const Resource& resource = *renderer.context().resources().at(texture);
    const Resource::Level& level = resource.level(0);
    const Address end = level.address + level.layout.bytes;
    std::vector<Upload> first, second;
    for (const Upload& upload : frame.uploads)
        if (upload.address >= level.address && upload.address < end)
            (upload.before_draw == 0 ? first : second).push_back(upload);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0], (Upload{0, 0, level.address, level.layout.bytes}));
    std::set<Address> expected, found;  // tiles of 4x4 texels of 4 bytes
    for (std::uint32_t y = 7; y < 12; ++y)
        for (std::uint32_t x = 3; x < 9; ++x) expected.insert((level.address + level.layout.offset(x, y)) / 64);
    for (const Upload& upload : second) {
        EXPECT_EQ(upload.before_draw, 1U);
        EXPECT_EQ(upload.address % 64 + upload.bytes % 64, 0U);
        for (Address block = upload.address / 64; block < (upload.address + upload.bytes) / 64; ++block)
            EXPECT_TRUE(found.insert(block).second);
    }
    EXPECT_EQ(found, expected);
    for (std::size_t i = 1; i < second.size(); ++i)  // neighbours are one
        EXPECT_GT(second[i].address, second[i - 1].address + second[i - 1].bytes);
}

// Squares of tiles that are partly outside of it have padding, which nobody writes.
TEST(Uploads, OfAWholeLevelAreItsTilesWithoutPadding) {
    Scene scene(8, 8);
    const std::uint32_t texture = scene.handle();
    scene.stream.resource(texture, 2, 67, 10, 100, 52).put(texture, 0, 100, 52, WordList(100 * 52, 0xff0000ff));
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    Frame frame;
    ASSERT_TRUE(renderer.next_frame(&frame, nullptr, nullptr));
    const Resource::Level& level = renderer.context().resources().at(texture)->level(0);
    ASSERT_GT(level.layout.bytes, 25U * 13 * 64);
    std::uint64_t bytes = 0;
    for (const Upload& upload : frame.uploads)
        if (upload.address >= level.address && upload.address < level.address + level.layout.bytes)
            bytes += upload.bytes;
    EXPECT_EQ(bytes, 25U * 13 * 64);
}

TEST(Presented, HasTheSumsOfTheImage) {
    Scene scene(70, 50);
    scene.draw(whole_window(0));  // colours from 0 to 1 across
    scene.end_frame();
    for (const int threads : {1, 2}) {
        const RenderedFrame f = first_frame(scene, threads);
        std::uint64_t red_sum = 0, green_squares = 0, blue_sum = 0;
        for (std::size_t i = 0; i < f.image.rgba.size(); i += 4) {
            red_sum += f.image.rgba[i];
            green_squares += std::uint64_t{f.image.rgba[i + 1]} * f.image.rgba[i + 1];
            blue_sum += f.image.rgba[i + 2];
        }
        ASSERT_EQ(f.frame.presented.size(), 1U);
        EXPECT_EQ(f.frame.presented[0].red, red_sum);
        EXPECT_EQ(f.frame.presented[0].green_squared, green_squares);
        EXPECT_EQ(f.frame.presented[0].blue, blue_sum);
        EXPECT_GT(red_sum, 0U);
        EXPECT_EQ(f.frame.presented[0].surface, f.frame.passes.at(0).colour.at(0));
    }
}

}  // namespace
}  // namespace models::functional
