// What fragment programs read of their fragments: values of vertices, positions, sides and samples.
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

TEST(FragmentInputs, ValuesAreInterpolatedOverTheWindow) {
    Scene scene(16, 16);
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (const std::uint32_t x : {0U, 5U, 15U}) {
        const auto expected = static_cast<std::uint32_t>(std::lround((static_cast<double>(x) + 0.5) / 16 * 255));
        EXPECT_EQ(f.pixel(x, 3) >> 24, expected);
        EXPECT_EQ(f.pixel(3, x) >> 16 & 0xff, expected);
    }
}

// From above or below, at the centres of pixels or at whole numbers; a program that shows twice its position.
TEST(FragmentInputs, PositionsOfFragmentsCountAsTheProgramAsks) {
    constexpr std::uint32_t width = 7, height = 5;
    const auto twice = [](bool from_below, bool whole, std::uint32_t number, std::uint32_t of) {
        return 2 * (from_below ? of - 1 - number : number) + (whole ? 0 : 1);
    };
    for (const bool from_below : {false, true})
        for (const bool whole : {false, true}) {
            Scene scene(width, height);
            scene.fragment_shader("FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nPROPERTY FS_COORD_ORIGIN " +
                                  std::string(from_below ? "LOWER_LEFT" : "UPPER_LEFT") +
                                  "\nPROPERTY FS_COORD_PIXEL_CENTER " + (whole ? "INTEGER" : "HALF_INTEGER") +
                                  "\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n"
                                  "IMM[0] FLT32 {0x3c008081, 0x00000000, 0x00000000, 0x00000000}\n"
                                  "  0: MUL OUT[0], IN[0], IMM[0].xxxx\n  1: END\n");
            scene.draw(whole_window(0));
            scene.end_frame();
            const RenderedFrame f = first_frame(scene);
            for (std::uint32_t y = 0; y < height; ++y)
                for (std::uint32_t x = 0; x < width; ++x) {
                    EXPECT_EQ(f.pixel(x, y) >> 24, twice(false, whole, x, width)) << x << "," << y;
                    EXPECT_EQ(f.pixel(x, y) >> 16 & 0xff, twice(from_below, whole, y, height)) << x << "," << y;
                }
        }
}

TEST(FragmentInputs, BacksHaveTheirColourAlsoWhereFrontsHaveNone) {
    const auto picture = [](bool front, std::string_view outputs, std::string_view moves) {
        Scene scene(4, 4);
        scene.commands.shader(90, 0,
                              "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\n" + std::string(outputs) +
                                  "  0: MOV OUT[0], IN[0]\n" + std::string(moves));
        scene.fragment_shader("FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n");
        scene.rasterizer(Scene::plain | 1U << 5 | (front ? 0 : 1U << 15));
        scene.draw(whole_window(0, std::array{0.2F, 0.4F, 0.6F, 1.0F}));
        scene.end_frame();
        return first_frame(scene).pixel(1, 2);
    };
    constexpr std::string_view back = "DCL OUT[1], BCOLOR\n", move = "  1: MOV OUT[1], IN[1]\n  2: END\n";
    constexpr std::string_view both = "DCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\n";
    constexpr std::string_view swapped = "  1: MOV OUT[1], IN[1]\n  2: MOV OUT[2], IN[1].zyxw\n  3: END\n";
    EXPECT_EQ(picture(true, both, swapped), 0x336699ffU);
    EXPECT_EQ(picture(false, both, swapped), 0x996633ffU);
    EXPECT_EQ(picture(true, back, move), 0U);
    EXPECT_EQ(picture(false, back, move), 0x336699ffU);
}

// A pixel with one sample: number 0, in its middle, covered.
TEST(FragmentInputs, TheOneSampleOfAPixelIsInItsMiddle) {
    Scene scene(4, 4);
    scene.fragment_shader(
        "FRAG\nDCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\nDCL SV[2], SAMPLEMASK\nDCL OUT[0], COLOR\n"
        "DCL TEMP[0]\nIMM[0] FLT32 {0.25, 0.5, 0.0, 0.0}\n"
        "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: U2F TEMP[0].y, SV[2].xxxx\n"
        "  2: MAD OUT[0].xy, TEMP[0].xyyy, IMM[0].xxxx, IMM[0].xxxx\n  3: MOV OUT[0].zw, SV[1].xxxy\n  4: END\n");
    scene.draw(whole_window(0));
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).pixel(2, 1), 0x40808080U);
}

TEST(FragmentInputs, ValuesAreInterpolatedWithPerspective) {
    // The same window positions, but the right side is three times as far: its values come late.
    Scene scene(32, 2);
    scene.draw({{-1, -1, 0, 1, {0, 0, 0, 1}},
                {3, -3, 0, 3, {1, 0, 0, 1}},
                {-1, 1, 0, 1, {0, 0, 0, 1}},
                {-1, 1, 0, 1, {0, 0, 0, 1}},
                {3, -3, 0, 3, {1, 0, 0, 1}},
                {3, 3, 0, 3, {1, 0, 0, 1}}});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    const double s = 15.5 / 32;  // along the window
    const double expected = (s / 3) / ((1 - s) + s / 3);
    EXPECT_NEAR(f.pixel(15, 0) >> 24, expected * 255, 1);
}

}  // namespace
}  // namespace models::functional
