// When blending is said to read the old colour: where what is drawn depends on it.
#include <algorithm>
#include <initializer_list>

#include <gtest/gtest.h>

#include "tests/models/functional/output/blend_target.h"

namespace models::functional {
namespace {

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

}  // namespace
}  // namespace models::functional
