#include "models/functional/output/blend.h"

#include <array>
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/output/blend_target.h"

namespace models::functional {
namespace {

// What each factor is, by its definition.
Rgba factor_value(BlendFactor factor) {
    const auto grey = [](float v) { return Rgba{v, v, v, v}; };
    const auto inverse = [](Rgba v) { return Rgba{1 - v[0], 1 - v[1], 1 - v[2], 1 - v[3]}; };
    using enum BlendFactor;
    switch (factor) {
        case one:
            return grey(1);
        case zero:
            return grey(0);
        case source_colour:
            return source;
        case inverse_source_colour:
            return inverse(source);
        case source_alpha:
            return grey(source[3]);
        case inverse_source_alpha:
            return inverse(grey(source[3]));
        case target_alpha:
            return grey(target[3]);
        case inverse_target_alpha:
            return inverse(grey(target[3]));
        case target_colour:
            return target;
        case inverse_target_colour:
            return inverse(target);
        case constant_colour:
            return constant;
        case inverse_constant_colour:
            return inverse(constant);
        case constant_alpha:
            return grey(constant[3]);
        case inverse_constant_alpha:
            return inverse(grey(constant[3]));
        case source_alpha_saturate: {
            const float f = std::min(source[3], 1 - target[3]);
            return {f, f, f, 1};
        }
        default:
            return {};
    }
}

class BlendFormats : public testing::TestWithParam<Format> {};

TEST_P(BlendFormats, EveryPairOfFactorsWithEveryFunction) {
    BlendState state;
    std::copy(constant.begin(), constant.end(), state.constant);
    const bool bytes = GetParam() == Format::r8g8b8a8_unorm || GetParam() == Format::b8g8r8a8_unorm;
    const bool clamps = GetParam() != Format::r32g32b32a32_float;
    for (const BlendFactor s : factors) {
        for (const BlendFactor d : factors) {
            for (const BlendFunction function :
                 {BlendFunction::add, BlendFunction::subtract, BlendFunction::reverse_subtract}) {
                Target canvas(GetParam(), target);
                canvas.draw(state,
                            {.enabled = true,
                             .colour_function = function,
                             .alpha_function = function,
                             .colour_source = s,
                             .colour_target = d,
                             .alpha_source = s,
                             .alpha_target = d},
                            source);
                const Rgba fs = factor_value(s), fd = factor_value(d), result = canvas.read(3);
                for (std::size_t c = 0; c < 4; ++c) {
                    const float a = source[c] * fs[c], b = target[c] * fd[c];
                    float expected = function == BlendFunction::add        ? a + b
                                     : function == BlendFunction::subtract ? a - b
                                                                           : b - a;
                    if (clamps) expected = std::clamp(expected, 0.0F, 1.0F);
                    ASSERT_NEAR(result[c], expected, bytes ? 2.6 / 255 : 1e-6)
                        << static_cast<int>(s) << " " << static_cast<int>(d) << " component " << c;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, BlendFormats,
                         testing::Values(Format::r8g8b8a8_unorm, Format::b8g8r8a8_unorm, Format::r32g32b32a32_float),
                         [](const auto& each) { return format_name(each.param); });

TEST(Blend, MinimumAndMaximumIgnoreTheFactors) {
    const TargetBlend blend{.enabled = true,
                            .colour_function = BlendFunction::min,
                            .alpha_function = BlendFunction::max,
                            .colour_source = BlendFactor::zero,
                            .colour_target = BlendFactor::zero};
    Target canvas(Format::r32g32b32a32_float, target);
    canvas.draw({}, blend, source);
    EXPECT_EQ(canvas.read(), (Rgba{0.1F, 0.4F, 0.2F, 0.6F}));
}

TEST(Blend, AlphaHasFactorsOfItsOwn) {
    const TargetBlend blend{.enabled = true,
                            .colour_source = BlendFactor::source_alpha,
                            .colour_target = BlendFactor::zero,
                            .alpha_source = BlendFactor::zero,
                            .alpha_target = BlendFactor::one};
    Target canvas(Format::r32g32b32a32_float, target);
    canvas.draw({}, blend, source);
    const Rgba result = canvas.read();
    EXPECT_FLOAT_EQ(result[0], 0.48F);
    EXPECT_FLOAT_EQ(result[3], 0.3F);
}

constexpr TargetBlend translucent = {.enabled = true,
                                     .colour_source = BlendFactor::source_alpha,
                                     .colour_target = BlendFactor::inverse_source_alpha,
                                     .alpha_source = BlendFactor::source_alpha,
                                     .alpha_target = BlendFactor::inverse_source_alpha};

TEST(Blend, BytesOfSeveralChannelsRoundBothTerms) {
    // 25 over 94 with alpha 127: 12.45 + 47.18, each rounded down; together they would be 60.
    Target canvas(Format::r8g8b8a8_unorm, {94 / 255.0F, 0, 1, 0});
    canvas.draw({}, translucent, {25 / 255.0F, 1, 1, 127 / 255.0F});
    EXPECT_EQ(canvas.word() & 0xff, 59U);
    EXPECT_EQ((canvas.word() >> 8) & 0xff, 127U);
    EXPECT_EQ((canvas.word() >> 16) & 0xff, 255U);
}

TEST(Blend, BytesOfOneChannelAreInterpolatedWithOneRounding) {
    Target canvas(Format::r8_unorm, {94 / 255.0F, 0, 0, 0});
    canvas.draw({}, translucent, {25 / 255.0F, 1, 1, 127 / 255.0F});
    EXPECT_FLOAT_EQ(canvas.read()[0], 60 / 255.0F);
}

TEST(Blend, FactorsMayBeASecondColour) {
    const Rgba second = {0.5F, 0.25F, 1, 0.75F};
    Vec4Lanes first_lanes, second_lanes;
    for (std::size_t c = 0; c < 4; ++c) {
        std::fill_n(first_lanes.c[c], batch_lanes, source[c]);
        std::fill_n(second_lanes.c[c], batch_lanes, second[c]);
    }
    QuadPositions quads;
    quads.count = 1;
    for (const Format format : {Format::r32g32b32a32_float, Format::r8g8b8a8_unorm}) {
        Target canvas(format, target);
        const ColourOutput output({},
                                  {.enabled = true,
                                   .colour_source = BlendFactor::source1_colour,
                                   .colour_target = BlendFactor::inverse_source1_alpha,
                                   .alpha_source = BlendFactor::source1_alpha,
                                   .alpha_target = BlendFactor::inverse_source1_colour},
                                  canvas.view());
        EXPECT_TRUE(output.reads_second_source());
        output.write(quads, 1, first_lanes, 0, &second_lanes);
        const Rgba result = canvas.read();
        const float step = format == Format::r8g8b8a8_unorm ? 0.008F : 1e-6F;
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(result[c], source[c] * second[c] + target[c] * 0.25F, step);
        EXPECT_NEAR(result[3], source[3] * 0.75F + target[3] * 0.25F, step);
    }
}

TEST(Blend, SamplesAreWrittenOneByOne) {
    AddressSpace space;
    Resource texture({.format = Format::r8g8b8a8_unorm, .width = 2, .height = 2, .samples = 4}, space);
    Vec4Lanes lanes{};
    std::fill_n(lanes.c[0], batch_lanes, 1.0F);
    QuadPositions quads;
    quads.count = 1;
    ColourOutput(BlendState{}, TargetBlend{}, texture.surface(0, 0)).write(quads, 2, lanes, 3);
    for (std::uint32_t sample = 0; sample < 4; ++sample) {
        const SurfaceView view = texture.surface(0, 0).sample(sample);
        EXPECT_EQ(static_cast<int>(*view.texel(1, 0)), sample == 3 ? 255 : 0);
        EXPECT_EQ(static_cast<int>(*view.texel(0, 0)), 0);
    }
}

TEST(Blend, WithoutBlendingTheColourIsWrittenRoundedAndClamped) {
    Target canvas(Format::b8g8r8a8_unorm, {0, 0, 0, 0});
    canvas.draw({}, {}, {2, 0.5F, -1, 100.4F / 255});
    EXPECT_EQ(canvas.word(), 0x64ff8000U);
}

TEST(Blend, QuadsOfABatchAtTheSamePixelsBlendInTurn) {
    const TargetBlend over = {.enabled = true,
                              .colour_source = BlendFactor::source_alpha,
                              .colour_target = BlendFactor::inverse_source_alpha,
                              .alpha_source = BlendFactor::one,
                              .alpha_target = BlendFactor::zero};
    const std::array<Rgba, 3> colours = {Rgba{1, 0, 0, 0.5F}, Rgba{0, 1, 0, 0.5F}, Rgba{0, 0, 1, 0.5F}};
    for (const Format format : {Format::r8g8b8a8_unorm, Format::r32g32b32a32_float}) {
        Target together(format, {0, 0, 0, 0}), apart(format, {0, 0, 0, 0});
        together.draw_quads(over, colours);
        for (const Rgba& colour : colours) apart.draw({}, over, colour);
        EXPECT_EQ(together.read(3), apart.read(3)) << static_cast<unsigned>(format);
        EXPECT_NEAR(together.read(3)[0], 0.125F, 0.01F);
    }
}

constexpr float byte(int value) {
    return static_cast<float>(value) / 255;
}
constexpr auto b4g4r4a4 = static_cast<Format>(6);

// As the reference does: colours are bytes, or have 16 bits, until they are stored.
TEST(Blend, ShortChannelsGetTheFirstBitsOfBytes) {
    Target canvas(Format::b5g6r5_unorm, {0, 0, 0, 1});
    canvas.draw({}, {}, {byte(14), byte(7), 1, 0});
    EXPECT_EQ(canvas.word() & 0xffffU, 1U << 11 | 1U << 5 | 31U) << "not 1.7 and 1.7, rounded";
    const TargetBlend sum = {.enabled = true, .colour_target = BlendFactor::one, .alpha_target = BlendFactor::one};
    canvas.draw({}, sum, {byte(7), 0, byte(7), 0});
    EXPECT_EQ(canvas.word() & 0xffffU, 1U << 11 | 1U << 5 | 31U) << "1 is 8 as a byte";
    canvas.draw({}, sum, {byte(8), 0, 0, 0});
    EXPECT_EQ(canvas.word() >> 11 & 31U, 2U);
    Target deep(Format::r10g10b10a2_unorm, {0, 0, 0, 0});
    deep.draw({}, {}, {0.0018F, 0, 1, 0.6F});
    EXPECT_EQ(deep.word(), 1U | 1023U << 20 | 2U << 30) << "1.84 is cut off, the 1.8 of two bits rounded";
}

TEST(Blend, ChannelsOfFourBitsAreRoundedFromBytes) {
    Target canvas(b4g4r4a4, {0, 0, 0, 0});
    canvas.draw({}, {}, {byte(30), byte(25), byte(26), byte(255)});
    EXPECT_EQ(canvas.word() & 0xffffU, 15U << 12 | 2U << 8 | 1U << 4 | 2U);
}

TEST(Blend, OnlyCoveredLanesChange) {
    Target canvas(Format::r8g8b8a8_unorm, {0, 0, 0, 0});
    canvas.draw({}, {}, {1, 1, 1, 1}, 0b0110);
    EXPECT_EQ(canvas.read(0)[0], 0);
    EXPECT_EQ(canvas.read(1)[0], 1);
    EXPECT_EQ(canvas.read(2)[0], 1);
    EXPECT_EQ(canvas.read(3)[0], 0);
}

TEST(Blend, TheColourMaskKeepsComponentsInAnyFormat) {
    for (const Format format : {Format::b8g8r8a8_unorm, Format::b5g6r5_unorm, Format::r16g16b16a16_float}) {
        Target canvas(format, {0, 0, 0, 0});
        canvas.draw({}, {.colour_mask = 0b0101}, {1, 1, 1, 1});
        const Rgba result = canvas.read();
        EXPECT_EQ(result[0], 1) << format_name(format);
        EXPECT_EQ(result[1], 0) << format_name(format);
        EXPECT_EQ(result[2], 1) << format_name(format);
    }
    Target canvas(Format::r8_unorm, {0, 0, 0, 0});
    EXPECT_FALSE(ColourOutput({}, {.colour_mask = 0b1110}, canvas.view()).writes());
}

TEST(Blend, MissingTargetAlphaCountsAsOne) {
    Target canvas(Format::r8g8b8x8_unorm, {0, 0, 0, 0});
    canvas.draw({}, {.enabled = true, .colour_source = BlendFactor::target_alpha}, {0.6F, 0, 0, 0});
    EXPECT_FLOAT_EQ(canvas.read()[0], 0.6F);
}

TEST(Blend, SrgbTargetsBlendLinearValues) {
    Target canvas(Format::r8g8b8a8_srgb, {0, 0, 0, 1});
    canvas.draw({}, {.enabled = true, .colour_source = BlendFactor::constant_colour}, {1, 1, 1, 1});
    EXPECT_EQ(canvas.word() & 0xff, 0U);
    canvas.draw({.constant = {0.5F, 0.5F, 0.5F, 0.5F}},
                {.enabled = true, .colour_source = BlendFactor::constant_colour}, {1, 1, 1, 1});
    EXPECT_EQ(canvas.word() & 0xff, 188U);
}

TEST(Blend, IntegerTargetsTakeBits) {
    Target canvas(Format::r32g32b32a32_uint, {});
    const float bits = std::bit_cast<float>(0xdeadbeefU);
    canvas.draw({}, {.enabled = true}, {bits, bits, bits, bits});
    EXPECT_EQ(canvas.word(), 0xdeadbeefU);
}

TEST(LogicOperations, WorkOnTheBytesThatFourBitsAreRoundedFrom) {
    Target canvas(b4g4r4a4, {0, 0, 0, byte(5 * 17)});
    canvas.draw({.logic_enabled = true, .logic = LogicOperation::exclusive_or}, {}, {0, 0, 0, byte(0x1a)});
    EXPECT_EQ(canvas.word() >> 12 & 15U, 5U) << "0x55 ^ 0x1a is 4.6, 5 ^ 2 would be 7";
}

TEST(LogicOperations, WorkOnTheBits) {
    struct Row {
        LogicOperation operation;
        std::uint8_t result;  // of source 0xf0 (all bytes) and target 0xcc
    };
    using enum LogicOperation;
    for (const Row row :
         {Row{clear, 0}, Row{nor, 0x03}, Row{and_inverted, 0x0c}, Row{copy_inverted, 0x0f}, Row{and_reverse, 0x30},
          Row{invert, 0x33}, Row{exclusive_or, 0x3c}, Row{nand, 0x3f}, Row{conjunction, 0xc0}, Row{equivalent, 0xc3},
          Row{no_operation, 0xcc}, Row{or_inverted, 0xcf}, Row{copy, 0xf0}, Row{or_reverse, 0xf3},
          Row{disjunction, 0xfc}, Row{set, 0xff}}) {
        const float s = 0xf0 / 255.0F, d = 0xcc / 255.0F;
        Target canvas(Format::r8g8b8a8_unorm, {d, d, d, d});
        canvas.draw({.logic_enabled = true, .logic = row.operation}, {.enabled = true}, {s, s, s, s});
        EXPECT_EQ(canvas.word(), row.result * 0x01010101U) << static_cast<int>(row.operation);
    }
    Target floats(Format::r32g32b32a32_float, {1, 1, 1, 1});
    floats.draw({.logic_enabled = true, .logic = LogicOperation::clear}, {}, {0.5F, 0, 0, 0});
    EXPECT_EQ(floats.read()[0], 0.5F);
}

void expect_refusal(Format format, const TargetBlend& blend, const std::string& reason) {
    AddressSpace space;
    Resource resource({.format = format, .width = 4, .height = 4}, space);
    try {
        const ColourOutput output({}, blend, resource.surface(0, 0));
        FAIL() << reason;
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    }
}

TEST(Blend, UnsupportedStatesAreRefusedByName) {
    expect_refusal(Format::r8g8b8a8_unorm, {.enabled = true, .colour_source = static_cast<BlendFactor>(0x16)},
                   "blend factor 22");
    expect_refusal(Format::z16_unorm, {}, "Z16_UNORM");
    expect_refusal(Format::dxt1_rgb, {}, "DXT1_RGB");
    expect_refusal(Format::r9g9b9e5_float, {.colour_mask = 1}, "a colour mask for one channel of R9G9B9E5_FLOAT");
}

}  // namespace
}  // namespace models::functional
