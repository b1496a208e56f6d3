#include "models/functional/output/blend.h"

#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "models/functional/output/clear.h"

namespace models::functional {
namespace {

using Rgba = std::array<float, 4>;

// A colour target of 2x2 texels, cleared to one colour.
class Target {
  public:
    Target(Format format, Rgba colour) : resource_({.format = format, .width = 2, .height = 2}, space_) {
        clear_colour(view(), {.x = 0, .y = 0, .width = 2, .height = 2}, colour.data());
    }
    SurfaceView view() { return resource_.surface(0, 0); }

    void draw(const BlendState& state, const TargetBlend& blend, Rgba colour, LaneMask covered = 0xf) {
        Vec4Lanes lanes;
        for (std::size_t c = 0; c < 4; ++c) std::fill_n(lanes.c[c], batch_lanes, colour[c]);
        QuadPositions quads;
        quads.count = 1;
        ColourOutput(state, blend, view()).write(quads, covered, lanes);
    }
    // The same pixels by several quads of a batch, in turn.
    void draw_quads(const TargetBlend& blend, const std::array<Rgba, 3>& colours) {
        Vec4Lanes lanes{};
        QuadPositions quads;
        quads.count = 3;
        for (std::size_t lane = 0; lane < 12; ++lane)
            for (std::size_t c = 0; c < 4; ++c) lanes.c[c][lane] = colours[lane / 4][c];
        ColourOutput({}, blend, view()).write(quads, 0xfff, lanes);
    }
    Rgba read(std::uint32_t lane = 0) {
        float rgba[1][4];
        const SurfaceView surface = view();
        unpack_floats(*surface.format, surface.texel(lane % 2, lane / 2), 1, rgba);
        return {rgba[0][0], rgba[0][1], rgba[0][2], rgba[0][3]};
    }
    std::uint32_t word() {
        std::uint32_t word = 0;
        std::memcpy(&word, view().texels, 4);
        return word;
    }

  private:
    AddressSpace space_;
    Resource resource_;
};

constexpr Rgba source = {0.8F, 0.4F, 0.2F, 0.6F}, target = {0.1F, 0.5F, 0.9F, 0.3F},
               constant = {0.7F, 0.2F, 0.5F, 0.4F};

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

constexpr BlendFactor factors[] = {BlendFactor::one,
                                   BlendFactor::source_colour,
                                   BlendFactor::source_alpha,
                                   BlendFactor::target_alpha,
                                   BlendFactor::target_colour,
                                   BlendFactor::source_alpha_saturate,
                                   BlendFactor::constant_colour,
                                   BlendFactor::constant_alpha,
                                   BlendFactor::zero,
                                   BlendFactor::inverse_source_colour,
                                   BlendFactor::inverse_source_alpha,
                                   BlendFactor::inverse_target_alpha,
                                   BlendFactor::inverse_target_colour,
                                   BlendFactor::inverse_constant_colour,
                                   BlendFactor::inverse_constant_alpha};

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

// In floats, which nothing clamps: the same colour over targets of which each component differs.
bool depends_on_target(const BlendState& state, const TargetBlend& blend, Format format) {
    Target first(format, target), second(format, {0.6F, 0.9F, 0.1F, 0.8F});
    first.draw(state, blend, source);
    second.draw(state, blend, source);
    const Rgba a = first.read(), b = second.read();
    bool differs = false;
    for (std::size_t c = 0; c < 4; ++c) differs |= (blend.colour_mask >> c & 1U) != 0 && a[c] != b[c];
    return differs;
}

// s * d - d * s, or s * (1 - d) + d * s: the target is read for nothing.
bool cancels(BlendFunction function, BlendFactor s, BlendFactor d, bool of_alpha) {
    using enum BlendFactor;
    if (d != source_colour && (d != source_alpha || !of_alpha)) return false;
    if (function == BlendFunction::add) return s == inverse_target_colour || (of_alpha && s == inverse_target_alpha);
    return (function == BlendFunction::subtract || function == BlendFunction::reverse_subtract) &&
           (s == target_colour || (of_alpha && s == target_alpha));
}

TEST(Blend, ReadsTheTargetWhereTheResultDependsOnIt) {
    BlendState state;
    std::copy(constant.begin(), constant.end(), state.constant);
    state.constant[3] = 0.35F;  // 1 - this is not the source's alpha
    const Format format = Format::r32g32b32a32_float;
    Target canvas(format, target);
    int reading = 0, not_reading = 0;
    for (const BlendFactor s : factors)
        for (const BlendFactor d : factors)
            for (const auto function : {BlendFunction::add, BlendFunction::subtract, BlendFunction::reverse_subtract,
                                        BlendFunction::min, BlendFunction::max})
                for (const std::uint8_t mask : std::initializer_list<std::uint8_t>{0xf, 0x7, 0x8, 0}) {
                    // Alpha or the colours are as without blending.
                    for (const bool of_alpha : {false, true}) {
                        TargetBlend blend{.enabled = true, .colour_mask = mask};
                        (of_alpha ? blend.alpha_function : blend.colour_function) = function;
                        (of_alpha ? blend.alpha_source : blend.colour_source) = s;
                        (of_alpha ? blend.alpha_target : blend.colour_target) = d;
                        if (cancels(function, s, d, of_alpha)) continue;
                        const bool reads = ColourOutput(state, blend, canvas.view()).blends();
                        ++(reads ? reading : not_reading);
                        ASSERT_EQ(reads, depends_on_target(state, blend, format))
                            << static_cast<int>(s) << " " << static_cast<int>(d) << " " << static_cast<int>(function)
                            << (of_alpha ? " of alpha, mask " : ", mask ") << +mask;
                    }
                }
    EXPECT_GT(reading, 1000);
    EXPECT_GT(not_reading, 1000);
}

TEST(Blend, AlphaThatIsNotStoredIsNotRead) {
    for (const BlendFactor factor :
         {BlendFactor::target_alpha, BlendFactor::inverse_target_alpha, BlendFactor::source_alpha_saturate}) {
        const TargetBlend blend{.enabled = true, .colour_source = factor, .alpha_source = BlendFactor::target_colour};
        Target with(Format::b8g8r8a8_unorm, target), without(Format::b8g8r8x8_unorm, target);
        EXPECT_TRUE(ColourOutput({}, blend, with.view()).blends());
        EXPECT_FALSE(ColourOutput({}, blend, without.view()).blends());
    }
}

TEST(Blend, LogicOperationsReadTheTargetUnlessTheyReplaceIt) {
    for (std::uint8_t number = 0; number < 16; ++number) {
        const BlendState state{.logic_enabled = true, .logic = static_cast<LogicOperation>(number)};
        Target canvas(Format::r8g8b8a8_unorm, target);
        EXPECT_EQ(ColourOutput(state, {}, canvas.view()).blends(), depends_on_target(state, {}, Format::r8g8b8a8_unorm))
            << +number;
    }
}

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

TEST(Blend, KnowsWhetherItReadsTheTarget) {
    Target canvas(Format::r8g8b8x8_unorm, {0, 0, 0, 0});
    EXPECT_FALSE(ColourOutput({}, {}, canvas.view()).keeps_channels());
    EXPECT_FALSE(ColourOutput({}, {.colour_mask = 0b0111}, canvas.view()).keeps_channels());
    EXPECT_TRUE(ColourOutput({}, {.colour_mask = 0b0011}, canvas.view()).keeps_channels());
    EXPECT_EQ(ColourOutput({}, {.colour_mask = 0b1011}, canvas.view()).channels_written(), 0b0011);
    EXPECT_FALSE(ColourOutput({}, {}, canvas.view()).blends());
    EXPECT_FALSE(ColourOutput({}, {.enabled = true}, canvas.view()).blends()) << "one, and zero of the target";
    EXPECT_TRUE(ColourOutput({}, {.enabled = true, .colour_target = BlendFactor::one}, canvas.view()).blends());
    EXPECT_FALSE(ColourOutput({.logic_enabled = true}, {}, canvas.view()).blends()) << "a copy";
    EXPECT_TRUE(ColourOutput({.logic_enabled = true, .logic = LogicOperation::invert}, {}, canvas.view()).blends());
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
