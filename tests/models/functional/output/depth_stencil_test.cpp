#include "models/functional/output/depth_stencil.h"

#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "models/functional/output/clear.h"

namespace models::functional {
namespace {

constexpr LaneMask quad0 = 0xf;

// A depth-stencil buffer of 4x4 texels and the first quad of it.
class Buffer {
  public:
    explicit Buffer(Format format, double depth = 0.5, std::uint8_t stencil = 0)
        : resource_({.format = format, .width = 4, .height = 4}, space_),
          view_(resource_.surface(0, 0)) {
        clear_depth_stencil(view_, {.x = 0, .y = 0, .width = 4, .height = 4}, true, depth, true, stencil);
        quads_.count = 1;
        quads_.x[0] = quads_.y[0] = 2;
    }

    LaneMask test(const DepthStencilState& state, float depth, LaneMask covered = quad0, LaneMask back = 0) {
        float lanes[batch_lanes];
        std::fill_n(lanes, batch_lanes, depth);
        return DepthStencilUnit(state, view_).test(quads_, covered, lanes, back);
    }
    float depth(std::uint32_t lane) const {
        float rgba[1][4];
        unpack_floats(*view_.format, view_.texel(2 + lane % 2, 2 + lane / 2), 1, rgba);
        return rgba[0][0];
    }
    std::uint32_t stencil(std::uint32_t lane = 0) const {
        std::uint32_t rgba[1][4];
        unpack_integers(*view_.format, view_.texel(2 + lane % 2, 2 + lane / 2), 1, rgba);
        return rgba[0][0];
    }
    const SurfaceView& view() const { return view_; }
    QuadPositions& quads() { return quads_; }

  private:
    AddressSpace space_;
    Resource resource_;
    SurfaceView view_;
    QuadPositions quads_;
};

DepthStencilState depth_state(CompareFunction function, bool write = true) {
    DepthStencilState state;
    state.depth_test = true;
    state.depth_write = write;
    state.depth_function = function;
    return state;
}

class DepthFormats : public testing::TestWithParam<Format> {};

TEST_P(DepthFormats, EveryFunctionComparesTheFragmentWithTheBuffer) {
    struct Row {
        CompareFunction function;
        bool less, equal, greater;
    };
    for (const Row row :
         {Row{CompareFunction::never, false, false, false}, Row{CompareFunction::less, true, false, false},
          Row{CompareFunction::equal, false, true, false}, Row{CompareFunction::lequal, true, true, false},
          Row{CompareFunction::greater, false, false, true}, Row{CompareFunction::notequal, true, false, true},
          Row{CompareFunction::gequal, false, true, true}, Row{CompareFunction::always, true, true, true}}) {
        for (const auto& [depth, passes] : {std::pair{0.25F, row.less}, {0.5F, row.equal}, {0.75F, row.greater}}) {
            Buffer buffer(GetParam());
            EXPECT_EQ(buffer.test(depth_state(row.function), depth), passes ? quad0 : 0);
            EXPECT_NEAR(buffer.depth(3), passes ? depth : 0.5F, 1.0 / 65535);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, DepthFormats,
                         testing::Values(Format::z16_unorm, Format::z32_unorm, Format::z32_float,
                                         Format::z24_unorm_s8_uint, Format::s8_uint_z24_unorm, Format::z24x8_unorm,
                                         Format::x8z24_unorm, Format::z32_float_s8x24_uint),
                         [](const auto& each) { return format_name(each.param); });

TEST(Depth, OnlyCoveredLanesAreTestedAndWritten) {
    Buffer buffer(Format::z32_float);
    EXPECT_EQ(buffer.test(depth_state(CompareFunction::less), 0.25F, 0b0101), 0b0101U);
    EXPECT_EQ(buffer.depth(0), 0.25F);
    EXPECT_EQ(buffer.depth(1), 0.5F);
    EXPECT_EQ(buffer.depth(2), 0.25F);
    EXPECT_EQ(buffer.depth(3), 0.5F);
}

TEST(Depth, WithoutTheWriteMaskNothingChanges) {
    Buffer buffer(Format::z24_unorm_s8_uint);
    EXPECT_EQ(buffer.test(depth_state(CompareFunction::less, false), 0.25F), quad0);
    EXPECT_NEAR(buffer.depth(0), 0.5F, 1e-6);
    EXPECT_FALSE(DepthStencilUnit(depth_state(CompareFunction::less, false), buffer.view()).writes());
    EXPECT_TRUE(DepthStencilUnit(depth_state(CompareFunction::less, true), buffer.view()).writes());
}

TEST(Depth, IsComparedInTheBuffersPrecision) {
    Buffer coarse(Format::z16_unorm);
    EXPECT_EQ(coarse.test(depth_state(CompareFunction::equal), 0.5F + 0x1p-20F), quad0);
    Buffer fine(Format::z32_float);
    EXPECT_EQ(fine.test(depth_state(CompareFunction::equal), 0.5F + 0x1p-20F), 0U);
}

TEST(Depth, ClampsToTheRangeOfNormalisedFormats) {
    Buffer buffer(Format::z24x8_unorm, 1.0);
    EXPECT_EQ(buffer.test(depth_state(CompareFunction::equal), 7.0F), quad0);
    EXPECT_EQ(buffer.test(depth_state(CompareFunction::always), -1.0F), quad0);
    EXPECT_EQ(buffer.depth(0), 0.0F);
}

TEST(Depth, ClampsToTheSameRangeInFloats) {
    for (const Format format : {Format::z32_float, Format::z32_float_s8x24_uint}) {
        Buffer buffer(format, 0.5);
        EXPECT_EQ(buffer.test(depth_state(CompareFunction::always), 1.5F), quad0);
        EXPECT_EQ(buffer.depth(0), 1.0F);
        EXPECT_EQ(buffer.test(depth_state(CompareFunction::less), -0.25F), quad0);
        EXPECT_EQ(buffer.depth(0), 0.0F);
        EXPECT_EQ(buffer.test(depth_state(CompareFunction::less), -0.5F), 0U);
    }
}

TEST(Depth, QuadsOfABatchAreDoneInOrder) {
    Buffer buffer(Format::z32_float);
    buffer.quads().count = 2;
    buffer.quads().x[1] = buffer.quads().y[1] = 2;  // the same quad again
    EXPECT_EQ(buffer.test(depth_state(CompareFunction::less), 0.25F, 0xff), 0x0fU);
}

TEST(Depth, TestsThatNeedWhatIsNotThereAreOff) {
    Buffer depth_only(Format::z32_float), stencil_only(Format::s8_uint);
    DepthStencilState state;
    state.stencil[0] = {.enabled = true, .function = CompareFunction::never};
    EXPECT_EQ(depth_only.test(state, 0.1F), quad0);
    EXPECT_EQ(stencil_only.test(depth_state(CompareFunction::never), 0.1F), quad0);
    EXPECT_EQ(stencil_only.test(state, 0.1F), 0U);
}

class StencilFormats : public testing::TestWithParam<Format> {};

DepthStencilState stencil_state(CompareFunction function, std::uint8_t reference, std::uint8_t mask = 0xff) {
    DepthStencilState state;
    state.stencil[0] = {.enabled = true,
                        .function = function,
                        .fail = StencilOperation::zero,
                        .depth_fail = StencilOperation::invert,
                        .pass = StencilOperation::replace,
                        .value_mask = mask};
    state.reference[0] = reference;
    return state;
}

TEST_P(StencilFormats, TheReferenceIsComparedWithTheBuffer) {
    Buffer less(GetParam(), 0.5, 7);
    EXPECT_EQ(less.test(stencil_state(CompareFunction::less, 6), 0), quad0);
    EXPECT_EQ(less.stencil(3), 6U);
    Buffer greater(GetParam(), 0.5, 7);
    EXPECT_EQ(greater.test(stencil_state(CompareFunction::less, 8), 0), 0U);
    EXPECT_EQ(greater.stencil(), 0U);
    Buffer masked(GetParam(), 0.5, 0x37);
    EXPECT_EQ(masked.test(stencil_state(CompareFunction::equal, 0x97, 0x0f), 0), quad0);
    EXPECT_EQ(masked.stencil(), 0x97U);
}

INSTANTIATE_TEST_SUITE_P(All, StencilFormats,
                         testing::Values(Format::z24_unorm_s8_uint, Format::s8_uint_z24_unorm,
                                         Format::z32_float_s8x24_uint, Format::s8_uint, Format::x24s8_uint,
                                         Format::s8x24_uint, Format::x32_s8x24_uint),
                         [](const auto& each) { return format_name(each.param); });

TEST(Stencil, DepthFailureHasItsOwnOperation) {
    Buffer buffer(Format::z24_unorm_s8_uint, 0.5, 0x0f);
    DepthStencilState state = stencil_state(CompareFunction::always, 1);
    state.depth_test = state.depth_write = true;
    EXPECT_EQ(buffer.test(state, 0.75F), 0U);
    EXPECT_EQ(buffer.stencil(), 0xf0U);
    EXPECT_NEAR(buffer.depth(0), 0.5, 1e-6);
}

TEST(Stencil, EveryOperation) {
    struct Row {
        StencilOperation operation;
        std::uint8_t before, after;
    };
    using enum StencilOperation;
    for (const Row row :
         {Row{keep, 9, 9}, Row{zero, 9, 0}, Row{replace, 9, 0x42}, Row{increment, 9, 10}, Row{increment, 255, 255},
          Row{decrement, 9, 8}, Row{decrement, 0, 0}, Row{increment_wrap, 255, 0}, Row{increment_wrap, 9, 10},
          Row{decrement_wrap, 0, 255}, Row{decrement_wrap, 9, 8}, Row{invert, 0xa5, 0x5a}}) {
        Buffer buffer(Format::z24_unorm_s8_uint, 0.5, row.before);
        DepthStencilState state = stencil_state(CompareFunction::always, 0x42);
        state.stencil[0].pass = row.operation;
        EXPECT_EQ(buffer.test(state, 0), quad0);
        EXPECT_EQ(buffer.stencil(), row.after) << static_cast<int>(row.operation);
    }
}

TEST(Stencil, TheWriteMaskKeepsBits) {
    Buffer buffer(Format::s8_uint, 0, 0xa5);
    DepthStencilState state = stencil_state(CompareFunction::always, 0x3c);
    state.stencil[0].write_mask = 0x0f;
    buffer.test(state, 0);
    EXPECT_EQ(buffer.stencil(), 0xacU);
}

TEST(Stencil, BackFacesHaveTheirOwnState) {
    DepthStencilState state = stencil_state(CompareFunction::always, 5);
    state.stencil[1] = state.stencil[0];
    state.stencil[1].function = CompareFunction::never;
    state.stencil[1].fail = StencilOperation::invert;
    Buffer buffer(Format::s8_uint, 0, 1);
    EXPECT_EQ(buffer.test(state, 0, quad0, 0b0010), 0b1101U);
    EXPECT_EQ(buffer.stencil(0), 5U);
    EXPECT_EQ(buffer.stencil(1), 0xfeU);
}

TEST(Stencil, OneFaceServesBothWhenTheBackIsOff) {
    Buffer buffer(Format::s8_uint, 0, 1);
    EXPECT_EQ(buffer.test(stencil_state(CompareFunction::always, 5), 0, quad0, quad0), quad0);
    EXPECT_EQ(buffer.stencil(), 5U);
}

TEST(AlphaTest, KeepsCoveredLanesThatPass) {
    float alpha[batch_lanes];
    for (int i = 0; i < batch_lanes; ++i) alpha[i] = static_cast<float>(i) / 64.0F;
    EXPECT_EQ(alpha_test(CompareFunction::greater, 0.5F, alpha, ~0ULL), ~0ULL << 33);
    EXPECT_EQ(alpha_test(CompareFunction::gequal, 0.5F, alpha, ~0ULL), ~0ULL << 32);
    EXPECT_EQ(alpha_test(CompareFunction::less, 0.5F, alpha, 0xf0f0), 0xf0f0U);
    EXPECT_EQ(alpha_test(CompareFunction::never, 0.5F, alpha, ~0ULL), 0U);
}

}  // namespace
}  // namespace models::functional
