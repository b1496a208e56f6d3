#include "models/functional/virgl/objects.h"

#include <cstring>
#include <limits>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {
namespace {

using testing::HasSubstr;

// Decodes the operands of a CREATE_OBJECT; word 0 is the handle.
template <class Decode>
auto decoded(const WordList& operands, const Decode& decode) {
    const std::vector<std::byte> bytes = bytes_of(operands);
    return decode(Words(bytes, 20, "CREATE_OBJECT"));
}

WordList blend_words(std::uint32_t flags, std::uint32_t first, std::uint32_t second) {
    return {1, flags, 0, first, second, 0, 0, 0, 0, 0, 0};
}

TEST(BlendObject, HasFactorsFunctionsAndMaskWhereTheProtocolPutsThem) {
    // Enabled; colour subtract, source alpha, inverse source alpha; alpha max, one, zero; mask red and blue.
    const std::uint32_t target = 1U | 1U << 1 | 3U << 4 | 0x13U << 9 | 4U << 14 | 1U << 17 | 0x11U << 22 | 5U << 27;
    const BlendObject blend = decoded(blend_words(0, target, 0), decode_blend);
    EXPECT_TRUE(blend.targets[0].enabled);
    EXPECT_EQ(blend.targets[0].colour_function, BlendFunction::subtract);
    EXPECT_EQ(blend.targets[0].colour_source, BlendFactor::source_alpha);
    EXPECT_EQ(blend.targets[0].colour_target, BlendFactor::inverse_source_alpha);
    EXPECT_EQ(blend.targets[0].alpha_function, BlendFunction::max);
    EXPECT_EQ(blend.targets[0].alpha_source, BlendFactor::one);
    EXPECT_EQ(blend.targets[0].alpha_target, BlendFactor::zero);
    EXPECT_EQ(blend.targets[0].colour_mask, 5);
}

TEST(BlendObject, TakesOneTargetForAllUnlessTheyAreIndependent) {
    const std::uint32_t first = 3U << 27;
    const std::uint32_t second = 12U << 27;
    EXPECT_EQ(decoded(blend_words(0, first, second), decode_blend).targets[1].colour_mask, 3);
    EXPECT_EQ(decoded(blend_words(1, first, second), decode_blend).targets[1].colour_mask, 12);
}

TEST(BlendObject, TurnsAlphaIntoCoverageAndOne) {
    EXPECT_FALSE(decoded(blend_words(0, 0, 0), decode_blend).alpha_to_coverage);
    EXPECT_TRUE(decoded(blend_words(8, 0, 0), decode_blend).alpha_to_coverage);
    EXPECT_FALSE(decoded(blend_words(8, 0, 0), decode_blend).alpha_to_one);
    EXPECT_TRUE(decoded(blend_words(16, 0, 0), decode_blend).alpha_to_one);
}

TEST(BlendObject, RefusesNumbersThatMeanNothing) {
    EXPECT_THAT(error_of([] { decoded(blend_words(0, 1U | 0U << 4, 0), decode_blend); }),
                HasSubstr("unknown blend factor 0"));
    EXPECT_THAT(error_of([] { decoded(blend_words(0, 1U | 6U << 1, 0), decode_blend); }),
                HasSubstr("unknown blend function 6"));
}

TEST(DepthStencilAlphaObject, WritesDepthOnlyWhenItTestsIt) {
    EXPECT_FALSE(decoded({1, 2, 0, 0, 0}, decode_depth_stencil_alpha).state.depth_write);
    EXPECT_TRUE(decoded({1, 3, 0, 0, 0}, decode_depth_stencil_alpha).state.depth_write);
}

TEST(DepthStencilAlphaObject, HasTestsWhereTheProtocolPutsThem) {
    const std::uint32_t stencil = 1U | 2U << 1 | 3U << 4 | 2U << 7 | 5U << 10 | 0xf0U << 13 | 0x0fU << 21;
    const auto object =
        decoded({1, 1U | 4U << 2 | 1U << 8 | 6U << 9, stencil, 0, word(0.5F)}, decode_depth_stencil_alpha);
    EXPECT_EQ(object.state.depth_function, CompareFunction::greater);
    EXPECT_TRUE(object.alpha_test);
    EXPECT_EQ(object.alpha_function, CompareFunction::gequal);
    EXPECT_EQ(object.alpha_reference, 0.5F);
    const StencilFace& face = object.state.stencil[0];
    EXPECT_TRUE(face.enabled);
    EXPECT_EQ(face.function, CompareFunction::equal);
    EXPECT_EQ(face.fail, StencilOperation::increment);
    EXPECT_EQ(face.pass, StencilOperation::replace);
    EXPECT_EQ(face.depth_fail, StencilOperation::increment_wrap);
    EXPECT_EQ(face.value_mask, 0xf0);
    EXPECT_EQ(face.write_mask, 0x0f);
    EXPECT_FALSE(object.state.stencil[1].enabled);
}

TEST(RasterizerObject, DecodesTheStateThatGlmark2DrawsWindowsWith) {
    const RasterizerObject r = decoded({9, 0x60008282, word(1), 0, 0xffff, word(1), 0, 0, 0}, decode_rasterizer);
    EXPECT_TRUE(r.depth_clip);
    EXPECT_TRUE(r.point_quad);
    EXPECT_EQ(r.cull, CullFace::back);
    EXPECT_TRUE(r.front_counter_clockwise);
    EXPECT_TRUE(r.half_pixel_centre);
    EXPECT_FALSE(r.scissor);
}

TEST(RasterizerObject, HasOffsetsAndClipPlanes) {
    const RasterizerObject r = decoded(
        {9, 1U << 20 | 1U << 14, word(3), 5, 0x21U << 24, word(2), word(-2), word(-1), word(0.25F)}, decode_rasterizer);
    EXPECT_TRUE(r.offset_triangle);
    EXPECT_TRUE(r.scissor);
    EXPECT_EQ(r.point_size, 3);
    EXPECT_EQ(r.sprite_coordinates, 5U);
    EXPECT_EQ(r.clip_planes, 0x21);
    EXPECT_EQ(r.line_width, 2);
    EXPECT_EQ(r.offset_units, -2);
    EXPECT_EQ(r.offset_scale, -1);
    EXPECT_EQ(r.offset_clamp, 0.25F);
}

TEST(RasterizerObject, RefusesALineWidthThatIsNone) {
    const auto with_width = [](float width) {
        return error_of([&] { decoded({9, 0, word(1), 0, 0, word(width), 0, 0, 0}, decode_rasterizer); });
    };
    EXPECT_EQ(with_width(0), "nothing was thrown");
    EXPECT_EQ(with_width(std::numeric_limits<float>::infinity()), "nothing was thrown");  // cut down to the widest one
    EXPECT_THAT(with_width(-1), HasSubstr("byte 20: CREATE_OBJECT: expected a line width of at least 0, found -1.0"));
    EXPECT_THAT(with_width(std::numeric_limits<float>::quiet_NaN()),
                HasSubstr("a line width of at least 0, found nan"));
}

TEST(RasterizerObject, KnowsTheRareKindsOfDrawing) {
    const auto with = [](int bit) { return decoded({9, 1U << bit, 0, 0, 0, 0, 0, 0, 0}, decode_rasterizer); };
    EXPECT_TRUE(with(22).polygon_stipple);
    EXPECT_TRUE(with(25).multisample);
    EXPECT_TRUE(with(26).smooth_lines);
    EXPECT_TRUE(with(31).per_sample_interpolation);
    const RasterizerObject none = with(0);
    EXPECT_FALSE(none.polygon_stipple || none.multisample || none.smooth_lines || none.per_sample_interpolation);
}

TEST(VertexElements, HaveFourWordsEach) {
    const VertexElementsObject object = decoded({1, 4, 0, 0, 30, 8, 2, 1, 67}, decode_vertex_elements);
    ASSERT_EQ(object.elements.size(), 2U);
    EXPECT_EQ(object.elements[0].offset, 4U);
    EXPECT_EQ(object.elements[0].format->format, Format::r32g32b32_float);
    EXPECT_EQ(object.elements[1].divisor, 2U);
    EXPECT_EQ(object.elements[1].buffer, 1U);
    EXPECT_EQ(object.elements[1].format->format, Format::r8g8b8a8_unorm);
}

TEST(SamplerState, ClampsToTheEdgeAsTheCoreProfileDoes) {
    const SamplerState s = decoded({1, 1 | 1 << 3 | 3 << 6, 0, 0, 0, 0, 0, 0, 0}, decode_sampler_state);
    EXPECT_EQ(s.wrap_s, Wrap::clamp_to_edge);
    EXPECT_EQ(s.wrap_t, Wrap::clamp_to_edge);
    EXPECT_EQ(s.wrap_r, Wrap::clamp_to_border);
}

TEST(SamplerState, DecodesTheStateOfATrilinearTexture) {
    const SamplerState s = decoded({1, 0x832a12, word(0.5F), 0, word(1000), 1, 2, 3, 4}, decode_sampler_state);
    EXPECT_EQ(s.wrap_s, Wrap::clamp_to_edge);
    EXPECT_EQ(s.wrap_t, Wrap::clamp_to_edge);
    EXPECT_EQ(s.wrap_r, Wrap::repeat);
    EXPECT_EQ(s.min_filter, ImageFilter::linear);
    EXPECT_EQ(s.mip_filter, MipFilter::linear);
    EXPECT_EQ(s.mag_filter, ImageFilter::linear);
    EXPECT_EQ(s.max_anisotropy, 8U);
    EXPECT_EQ(s.lod_bias, 0.5F);
    EXPECT_EQ(s.max_lod, 1000);
}

class ObjectsOfATexture : public testing::Test {
  protected:
    AddressSpace addresses_;
    std::shared_ptr<Resource> texture_ = std::make_shared<Resource>(
        ResourceDescription{.format = Format::r8g8b8a8_unorm, .width = 16, .height = 8, .last_level = 3}, addresses_);

    SamplerViewObject view(const WordList& operands) {
        return decoded(operands, [&](const Words& words) { return decode_sampler_view(words, texture_); });
    }
    SurfaceObject surface(const WordList& operands) {
        return decoded(operands, [&](const Words& words) { return decode_surface(words, texture_); });
    }
};

TEST_F(ObjectsOfATexture, AViewHasFormatTargetLevelsAndSwizzle) {
    const SamplerView v = view({1, 1, 67 | 2U << 24, 0, 1 | 3U << 8, 2U | 1U << 3 | 0U << 6 | 5U << 9}).view;
    EXPECT_EQ(v.format, Format::r8g8b8a8_unorm);
    EXPECT_EQ(v.target, ResourceTarget::t2d);
    EXPECT_EQ(v.first_level, 1U);
    EXPECT_EQ(v.last_level, 3U);
    EXPECT_EQ(v.swizzle[0], Swizzle::z);
    EXPECT_EQ(v.swizzle[3], Swizzle::one);
}

TEST_F(ObjectsOfATexture, AViewWithoutATargetHasThatOfItsTexture) {
    EXPECT_EQ(view({1, 1, 67, 0, 0, 0}).view.target, ResourceTarget::t2d);
}

TEST_F(ObjectsOfATexture, ASurfaceOfALevelThatIsNotThereIsRefused) {
    EXPECT_EQ(surface({1, 1, 67, 2, 0}).level, 2U);
    EXPECT_NE(error_of([&] { surface({1, 1, 67, 4, 0}); }), "nothing was thrown");
    EXPECT_THAT(error_of([&] { surface({1, 1, 67, 0, 0U | 1U << 16}); }), HasSubstr("layered render targets"));
}

TEST(ShaderObject, IsPutTogetherFromChunks) {
    const auto text = [](std::string_view letters) {
        std::uint32_t value = 0;
        std::memcpy(&value, letters.data(), letters.size());
        return value;
    };
    ShaderObject shader = decoded({1, 1, 10, 5, 0, text("FRAG"), text("MENT")}, decode_shader);
    EXPECT_EQ(shader.stage, ShaderStage::fragment);
    EXPECT_EQ(shader.missing_bytes, 2U);
    const WordList second{1, 1, 8 | 0x80000000U, 5, 0, text("S")};
    const std::vector<std::byte> bytes = bytes_of(second);
    append_shader(shader, Words(bytes, 60, "CREATE_OBJECT"));
    EXPECT_EQ(shader.missing_bytes, 0U);
    EXPECT_EQ(shader.text, "FRAGMENTS");
}

TEST(ShaderObject, RefusesChunksOutOfPlace) {
    ShaderObject shader = decoded({1, 1, 10, 5, 0, 0x41414141}, decode_shader);
    const std::vector<std::byte> bytes = bytes_of({1, 1, 8 | 0x80000000U, 5, 0, 0x41414141});
    EXPECT_THAT(error_of([&] { append_shader(shader, Words(bytes, 60, "CREATE_OBJECT")); }),
                HasSubstr("expected the chunk of the shader at byte 4, found the one at byte 8"));
    EXPECT_THAT(error_of([] { decoded({1, 1, 10 | 0x80000000U, 5, 0, 0x41414141}, decode_shader); }),
                HasSubstr("expected the first chunk"));
}

TEST(ShaderObject, OfAnotherStageSaysSo) {
    EXPECT_EQ(decoded({1, 2, 4, 5, 0, 0x41414141}, decode_shader).unsupported, "geometry shaders");
}

TEST(ShaderObject, OfComputeHasSharedMemoryInThePlaceOfStreamOutputs) {
    const ShaderObject shader = decoded({1, 5, 4, 5, 512, 0x41414141}, decode_shader);
    EXPECT_EQ(shader.stage, ShaderStage::compute);
    EXPECT_EQ(shader.shared_bytes, 512U);
    EXPECT_EQ(shader.text, "AAAA");
    EXPECT_THAT(error_of([] { decoded({1, 5, 4, 5, 1U << 21, 0x41414141}, decode_shader); }),
                HasSubstr("at most 1048576 bytes of shared memory"));
}

TEST(ShaderObject, OfAnUnknownStageIsRefused) {
    EXPECT_THAT(error_of([] { decoded({1, 6, 4, 5, 0, 0x41414141}, decode_shader); }),
                HasSubstr("unknown shader stage 6"));
}

}  // namespace
}  // namespace models::functional
