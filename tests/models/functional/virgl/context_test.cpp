#include "models/functional/virgl/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {
namespace {

using testing::HasSubstr;

class ContextTest : public testing::Test {
  protected:
    ContextTest() {
        resource({1, 2, 67, 10, 16, 8, 1, 1, 0, 0});   // a texture
        resource({2, 0, 64, 16, 256, 1, 1, 1, 0, 0});  // a buffer
    }

    void resource(const WordList& words) {
        const std::vector<std::byte> bytes = bytes_of(words);
        context_.create_resource(Words(bytes, 8, "RESOURCE_CREATE"));
    }
    // Applies every command; false when the last one was an action.
    bool apply(const Commands& commands) {
        const std::vector<std::byte> bytes = bytes_of(commands.words());
        CommandStream stream(Words(bytes, 100, "SUBMIT_CMD"));
        bool state_only = true;
        for (Command command; stream.next(command);) state_only = context_.apply(command);
        return state_only;
    }
    std::string refusal(VirglCommand command, const WordList& operands, ObjectType type = ObjectType::null) {
        return error_of([&] { apply(Commands().add(command, operands, type)); });
    }

    AddressSpace addresses_;
    Context context_{addresses_, false};
};

TEST_F(ContextTest, LeavesActionsToTheRenderer) {
    EXPECT_TRUE(apply(Commands().add(VirglCommand::set_stencil_ref, {0x0201})));
    EXPECT_EQ(context_.state().stencil_reference[1], 2);
    EXPECT_FALSE(apply(Commands().add(VirglCommand::draw_vbo, {})));
    EXPECT_FALSE(apply(Commands().add(VirglCommand::clear, {})));
}

TEST_F(ContextTest, BindsObjectsByHandleAndType) {
    apply(Commands().create(ObjectType::depth_stencil_alpha, {5, 3, 0, 0, 0}).bind(ObjectType::depth_stencil_alpha, 5));
    ASSERT_TRUE(context_.state().depth_stencil_alpha);
    EXPECT_TRUE(context_.state().depth_stencil_alpha->state.depth_write);
    EXPECT_THAT(refusal(VirglCommand::bind_object, {5}, ObjectType::blend), HasSubstr("there is no BLEND object 5"));
    EXPECT_THAT(refusal(VirglCommand::bind_object, {6}, ObjectType::blend), HasSubstr("there is no BLEND object 6"));
    apply(Commands().bind(ObjectType::depth_stencil_alpha, 0));
    EXPECT_FALSE(context_.state().depth_stencil_alpha);
}

TEST_F(ContextTest, KeepsABoundObjectThatIsDestroyed) {
    apply(Commands()
              .create(ObjectType::depth_stencil_alpha, {5, 3, 0, 0, 0})
              .bind(ObjectType::depth_stencil_alpha, 5)
              .add(VirglCommand::destroy_object, {5}, ObjectType::depth_stencil_alpha));
    EXPECT_TRUE(context_.state().depth_stencil_alpha->state.depth_test);
    EXPECT_THAT(refusal(VirglCommand::destroy_object, {5}), HasSubstr("there is no object 5"));
}

TEST_F(ContextTest, GivesEverySubContextObjectsAndStateOfItsOwn) {
    apply(Commands()
              .add(VirglCommand::create_sub_ctx, {3})
              .add(VirglCommand::set_sub_ctx, {3})
              .create(ObjectType::depth_stencil_alpha, {5, 3, 0, 0, 0})
              .bind(ObjectType::depth_stencil_alpha, 5)
              .add(VirglCommand::create_sub_ctx, {4})
              .add(VirglCommand::set_sub_ctx, {4}));
    EXPECT_FALSE(context_.state().depth_stencil_alpha);
    EXPECT_THAT(refusal(VirglCommand::bind_object, {5}, ObjectType::depth_stencil_alpha), HasSubstr("no DSA object"));
    apply(Commands().add(VirglCommand::set_sub_ctx, {3}));
    EXPECT_TRUE(context_.state().depth_stencil_alpha);
    EXPECT_THAT(refusal(VirglCommand::set_sub_ctx, {9}), HasSubstr("there is no sub-context 9"));
    apply(Commands().add(VirglCommand::destroy_sub_ctx, {3}));
    EXPECT_FALSE(context_.state().depth_stencil_alpha);  // back in sub-context 0
    EXPECT_THAT(refusal(VirglCommand::destroy_sub_ctx, {0}), HasSubstr("sub-context 0 cannot be destroyed"));
}

TEST_F(ContextTest, TakesConstantsInlineAndFromBuffers) {
    apply(Commands()
              .add(VirglCommand::set_constant_buffer, {0, 0, word(1), word(2), word(3), word(4), word(5)})
              .add(VirglCommand::set_uniform_buffer, {1, 2, 64, 128, 2}));
    const ConstantBuffer& constants = context_.state().stages[0].constants[0];
    ASSERT_TRUE(constants.values);
    EXPECT_EQ(constants.values->size(), 8U);  // whole vec4s
    EXPECT_EQ((*constants.values)[4], 5);
    EXPECT_EQ(context_.state().stages[1].constants[2].offset, 64U);
    EXPECT_THAT(refusal(VirglCommand::set_uniform_buffer, {1, 2, 200, 128, 2}), HasSubstr("bytes 200 to 328"));
    apply(Commands().add(VirglCommand::set_constant_buffer, {0, 0}));
    EXPECT_FALSE(context_.state().stages[0].constants[0].values);
}

TEST_F(ContextTest, SetVertexBuffersReplacesAllOfThem) {
    apply(Commands().add(VirglCommand::set_vertex_buffers, {12, 0, 2, 8, 4, 2}));
    EXPECT_EQ(context_.state().vertex_buffers[1].offset, 4U);
    apply(Commands().add(VirglCommand::set_vertex_buffers, {16, 0, 2}));
    EXPECT_EQ(context_.state().vertex_buffers[0].stride, 16U);
    EXPECT_FALSE(context_.state().vertex_buffers[1].resource);
}

TEST_F(ContextTest, KeepsAResourceThatIsStillBound) {
    apply(Commands().add(VirglCommand::set_index_buffer, {2, 2, 0}));
    const std::vector<std::byte> bytes = bytes_of({2});
    context_.destroy_resource(Words(bytes, 8, "RESOURCE_UNREF"));
    EXPECT_TRUE(context_.state().index_buffer.resource);
    EXPECT_THAT(refusal(VirglCommand::set_index_buffer, {2, 2, 0}), HasSubstr("there is no resource 2"));
}

TEST_F(ContextTest, DropsAnisotropyUnlessAskedToKeepIt) {
    const auto anisotropy = [](Context& context) {
        const Commands commands = Commands()
                                      .create(ObjectType::sampler_state, {7, 8U << 20, 0, 0, 0, 0, 0, 0, 0})
                                      .add(VirglCommand::bind_sampler_states, {1, 0, 7});
        const std::vector<std::byte> bytes = bytes_of(commands.words());
        CommandStream stream(Words(bytes, 100, "SUBMIT_CMD"));
        for (Command command; stream.next(command);) context.apply(command);
        return context.state().stages[1].samplers[0]->max_anisotropy;
    };
    EXPECT_EQ(anisotropy(context_), 0U);
    Context keeping(addresses_, true);
    EXPECT_EQ(anisotropy(keeping), 8U);
}

TEST_F(ContextTest, RefusesSlotsBeyondTheLimits) {
    EXPECT_THAT(refusal(VirglCommand::set_sampler_views, {1, 31, 0, 0}),
                HasSubstr("expected at most 32 sampler views"));
    EXPECT_THAT(refusal(VirglCommand::set_sampler_views, {1, 0xffffffff, 0, 0}), HasSubstr("expected at most 32"));
    EXPECT_THAT(refusal(VirglCommand::bind_sampler_states, {1, 32, 0}),
                HasSubstr("expected at most 32 sampler states"));
    EXPECT_THAT(refusal(VirglCommand::set_constant_buffer, {1, 32}), HasSubstr("at most 32 constant buffers"));
    EXPECT_THAT(refusal(VirglCommand::set_framebuffer_state, {9, 0}), HasSubstr("at most 8 colour targets"));
    EXPECT_THAT(refusal(VirglCommand::set_index_buffer, {2, 3, 0}), HasSubstr("indices of 1, 2 or 4 bytes, found 3"));
    EXPECT_THAT(refusal(VirglCommand::bind_shader, {0, 7}), HasSubstr("unknown shader stage 7"));
}

struct Feature {
    const char* name;
    VirglCommand command;
    WordList off;  // what drivers send for a feature that is not used
    WordList on;
};

class UnsupportedFeature : public ContextTest, public testing::WithParamInterface<Feature> {};

TEST_P(UnsupportedFeature, IsAcceptedWhenItIsOffAndRefusedByNameWhenItIsOn) {
    const Feature& feature = GetParam();
    EXPECT_EQ(refusal(feature.command, feature.off), "nothing was thrown");
    EXPECT_THAT(refusal(feature.command, feature.on), HasSubstr(feature.name));
    EXPECT_THAT(refusal(feature.command, feature.on), HasSubstr("byte 104: " + name(feature.command)));
}

INSTANTIATE_TEST_SUITE_P(
    All, UnsupportedFeature,
    testing::Values(
        Feature{"shader storage buffers", VirglCommand::set_shader_buffers, {0, 0, 0, 0, 0}, {0, 0, 0, 64, 2}},
        Feature{"shader images", VirglCommand::set_shader_images, {0, 0, 0, 0, 0, 0, 0}, {0, 0, 67, 1, 0, 0, 1}},
        Feature{"atomic counters", VirglCommand::set_atomic_buffers, {0, 0, 0, 0}, {0, 0, 4, 2}},
        Feature{"transform feedback", VirglCommand::set_streamout_targets, {0, 0}, {0, 5}},
        Feature{"render conditions", VirglCommand::set_render_condition, {0, 0, 0}, {5, 0, 0}}),
    [](const testing::TestParamInfo<Feature>& feature) { return name(feature.param.command); });

TEST_F(ContextTest, RefusesShadersOfOtherStagesWhenTheyAreBound) {
    EXPECT_THAT(error_of([&] { apply(Commands().shader(8, 2, "GEOM")); }),
                HasSubstr("geometry shaders are not supported"));
    EXPECT_THAT(error_of([&] { apply(Commands().shader(9, 4, "TESS_EVAL")); }),
                HasSubstr("tessellation evaluation shaders are not supported"));
    apply(Commands().shader(10, 0, "VERT"));
    EXPECT_THAT(refusal(VirglCommand::bind_shader, {10, 1}), HasSubstr("shader 10 is of another stage"));
}

TEST_F(ContextTest, RefusesObjectsItCannotMake) {
    EXPECT_THAT(refusal(VirglCommand::create_object, {3, 1, 0, 0, 0, 4}, ObjectType::msaa_surface),
                HasSubstr("MSAA_SURFACE are not supported"));
    EXPECT_THAT(refusal(VirglCommand::create_object, {3, 1, 0, 0}, ObjectType::streamout_target),
                HasSubstr("transform feedback is not supported; OpenGL ES 2"));
}

TEST_F(ContextTest, IgnoresWhatCannotChangeAPicture) {
    const Commands commands = Commands()
                                  .create(ObjectType::query, {11, 0, 0, 2})
                                  .add(VirglCommand::begin_query, {11})
                                  .add(VirglCommand::end_query, {11})
                                  .add(VirglCommand::get_query_result, {11, 0})
                                  .add(VirglCommand::link_shader, {1, 2, 0, 0, 0, 0})
                                  .add(VirglCommand::emit_string_marker, {0})
                                  .add(VirglCommand::texture_barrier, {1})
                                  .add(VirglCommand::set_tess_state, {0, 0, 0, 0, 0, 0});
    EXPECT_TRUE(apply(commands));
}

}  // namespace
}  // namespace models::functional
