// What the renderer does not support it names, with the byte offset of the command; it never draws it wrong.
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/refusal.h"

namespace models::functional {
namespace {

void draw_something(Scene& scene) {
    scene.draw(whole_window(0, red));
}

// Draws to a texture with four samples: surface 90 of resource 91.
void multisampled(Scene& s) {
    s.stream.message(VtestCommand::resource_create, {91, 2, 67, 10, 8, 8, 1, 1, 0, 4});
    s.commands.create(ObjectType::surface, {90, 91, 67, 0, 0});
    s.target({90}, 0, 8, 8);
    s.rasterizer(Scene::plain | 1U << 25);
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, ByNameWithItsByteOffset) {
    expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Draws, Refused,
    testing::Values(
        Refusal{"PolygonsAsLines", "polygons drawn as lines or points",
                [](Scene& s) {
                    s.rasterizer(Scene::plain | 1U << 10);
                    draw_something(s);
                }},
        Refusal{"Patches", "patches are not supported", [](Scene& s) { s.draw(whole_window(0), 14); }},
        Refusal{"Adjacency", "primitives with adjacency", [](Scene& s) { s.draw(whole_window(0), 10); }},
        Refusal{"CountFromTransformFeedback", "a count from transform feedback",
                [](Scene& s) {
                    s.vertices(whole_window(0));
                    s.commands.add(VirglCommand::draw_vbo, {0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 0, 5});
                }},
        Refusal{"NumberOfDrawsFromABuffer", "a number of draws from a buffer is not supported",
                [](Scene& s) {
                    s.commands.add(VirglCommand::draw_vbo,
                                   {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 16, 1, 0, 1});
                }},
        Refusal{"IndirectDrawWithoutItsBuffer", "there is no resource 77",
                [](Scene& s) {
                    s.commands.add(VirglCommand::draw_vbo,
                                   {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 77, 0, 16, 1, 0, 0});
                }},
        Refusal{"ParametersOutsideTheirBuffer", "the parameters of draws at bytes 4 to 36 of a buffer of 32 bytes",
                [](Scene& s) { s.draw_indirect({3, 1, 0, 0, 3, 1, 0, 0}, {.offset = 4, .draws = 2}); }},
        Refusal{"ManyParametersOutsideTheirBuffer", "to 18446744065119617041 of a buffer of 16 bytes",
                [](Scene& s) { s.draw_indirect({3, 1, 0, 0}, {.offset = 0xffffffff, .draws = ~0U, .stride = ~0U}); }},
        Refusal{"IndicesOfAnIndirectDrawOutsideTheirBuffer", "are not in the index buffer of 12 bytes",
                [](Scene& s) {
                    s.vertices(whole_window(0));
                    s.draw_indexed({0, 1, 2}, Scene::triangles);
                    s.draw_indirect({3, 1, 1, 0, 0}, {.indexed = true});
                }},
        Refusal{"TooManyVerticesOfAnIndirectDraw", "a draw of more than 16777216 vertices",
                [](Scene& s) { s.draw_indirect({~0U, ~0U, 0, 0}); }},
        Refusal{"TooManyVertices", "a draw of more than 16777216 vertices",
                [](Scene& s) { s.draw_call(0xffffffff, Scene::triangles); }},
        Refusal{"TooManyInstances", "a draw of more than 16777216 vertices",
                [](Scene& s) { s.draw_call(3, Scene::triangles, 0, 0x7fffffff); }},
        Refusal{"VerticesBeyondWhatTheRecordingJustifies", "bytes of memory; a recording of this size",
                [](Scene& s) { s.draw_call(max_draw_vertices, Scene::points); }},
        Refusal{"InstancesBeyondWhatTheRecordingJustifies", "bytes of memory; a recording of this size",
                [](Scene& s) {
                    s.vertices(whole_window(0));
                    s.draw_indexed({0, 1, 2}, Scene::triangles);
                    s.commands.add(VirglCommand::draw_vbo, {0, 3, 4, 1, 4000000, 0, 0, 0, 0, 0, 0, 0});
                }},
        Refusal{"IndicesOutsideTheirBuffer", "are not in the index buffer of 12 bytes",
                [](Scene& s) {
                    s.vertices(whole_window(0));
                    s.draw_indexed({0, 1, 2}, Scene::triangles);
                    s.commands.add(VirglCommand::draw_vbo, {0, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0});
                }},
        Refusal{"NoVertexShader", "a draw without a vertex shader",
                [](Scene& s) {
                    s.commands.add(VirglCommand::bind_shader, {0, 0});
                    draw_something(s);
                }},
        Refusal{"NoFragmentShader", "a draw without a fragment shader",
                [](Scene& s) {
                    s.commands.add(VirglCommand::bind_shader, {0, 1});
                    draw_something(s);
                }},
        Refusal{"ShaderThatIsNoTgsi", "TGSI 1:1",
                [](Scene& s) {
                    s.fragment_shader("precision mediump float;");
                    draw_something(s);
                }},
        Refusal{"UndefinedShader", "the fragment shader may read TEMP[0], which it never writes",
                [](Scene& s) {
                    s.fragment_shader("FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\n  0: MOV OUT[0], TEMP[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"ShiftOfFloats", "a fragment shader that shifts floats is not supported",
                [](Scene& s) {
                    s.fragment_shader(
                        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM[0] FLT32 {2.0, 0, 0, 0}\n"
                        "  0: SHL OUT[0], IN[0], IMM[0].xxxx\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"SamplingWhatIsWritten",
                "sampling the surface that the same draw writes is not supported (texture unit 0)",
                [](Scene& s) {
                    const std::uint32_t texture = s.texture(8, {WordList(64, 0)});
                    s.commands.create(ObjectType::surface, {90, texture, 67, 0, 0});
                    s.target({90}, 0, 8, 8);
                    s.bind_texture(texture);
                    s.fragment_shader(textured);
                    draw_something(s);
                }},
        Refusal{"ShadingPerSample", "shading per sample is not supported",
                [](Scene& s) {
                    multisampled(s);
                    s.commands.add(VirglCommand::set_min_samples, {4});
                    draw_something(s);
                }},
        Refusal{"InputsPerSample", "shading per sample is not supported",
                [](Scene& s) {
                    multisampled(s);
                    s.fragment_shader(
                        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\nDCL OUT[0], COLOR\n"
                        "  0: MOV OUT[0], IN[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"SamplePositions", "shading per sample is not supported",
                [](Scene& s) {
                    multisampled(s);
                    s.fragment_shader(
                        "FRAG\nDCL SV[0], SAMPLEPOS\nDCL OUT[0], COLOR\n  0: MOV OUT[0], SV[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"CoveredSamples", "fragment shaders that read which samples are covered are not supported",
                [](Scene& s) {
                    multisampled(s);
                    s.fragment_shader(
                        "FRAG\nDCL SV[0], SAMPLEMASK\nDCL OUT[0], COLOR\n  0: MOV OUT[0], SV[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"TargetsWithDifferentSamples", "surfaces with different numbers of samples",
                [](Scene& s) {
                    multisampled(s);
                    s.target({90}, Scene::depth_surface, 8, 8);
                    draw_something(s);
                }},
        Refusal{"SamplingAMultisampledTextureAsAPlainOne", "which holds a multisampled 2D texture",
                [](Scene& s) {
                    multisampled(s);
                    s.target({Scene::window_surface}, 0, 8, 8);
                    s.bind_texture(91);
                    s.fragment_shader(textured);
                    draw_something(s);
                }},
        Refusal{"DualSourceBlendingWithoutASecondColour", "dual-source blending without a second colour",
                [](Scene& s) {
                    s.blend(Scene::opaque | 1 | 9U << 4 | 1U << 9 | 1U << 17 | 1U << 22);
                    draw_something(s);
                }},
        Refusal{"PolygonStipple", "stippled polygons are not supported",
                [](Scene& s) {
                    s.rasterizer(Scene::plain | 1U << 22);
                    draw_something(s);
                }},
        Refusal{"InterpolationPerSample", "shading per sample is not supported",
                [](Scene& s) {
                    multisampled(s);
                    s.rasterizer(Scene::plain | 1U << 25 | 1U << 31);
                    draw_something(s);
                }},
        Refusal{"PrimitiveNumbers", "the fragment input PRIMID",
                [](Scene& s) {
                    s.fragment_shader(
                        "FRAG\nDCL IN[0], PRIMID, CONSTANT\nDCL OUT[0], COLOR\n"
                        "  0: MOV OUT[0], IN[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"StencilFromAShader", "stencil written by a fragment shader",
                [](Scene& s) {
                    s.fragment_shader(
                        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], STENCIL\n"
                        "  0: MOV OUT[0].y, IN[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"WindowSpacePositions", "a vertex shader with window-space positions",
                [](Scene& s) {
                    s.commands.shader(90, 0,
                                      "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0]\n"
                                      "DCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n");
                    draw_something(s);
                }},
        Refusal{"ClearOfADepthBufferOfColours", "CLEAR: unsupported format B8G8R8A8_UNORM of a depth buffer",
                [](Scene& s) {
                    s.target({}, Scene::window_surface, 8, 8);
                    s.clear(Scene::clear_all);
                }},
        Refusal{"DepthBufferOfColours", "DRAW_VBO: unsupported format B8G8R8A8_UNORM of a depth buffer",
                [](Scene& s) {
                    s.target({}, Scene::window_surface, 8, 8);
                    draw_something(s);
                }},
        Refusal{"ColourTargetOfDepths", "CLEAR: unsupported format Z16_UNORM of a colour target",
                [](Scene& s) {
                    s.target({Scene::depth_surface}, 0, 8, 8);
                    s.clear(Scene::clear_all);
                }},
        Refusal{"CompressedVertices", "unsupported format DXT1_RGB of a vertex attribute",
                [](Scene& s) { s.commands.create(ObjectType::vertex_elements, {s.handle(), 0, 0, 0, 105}); }},
        Refusal{"NoAttachments", "a framebuffer without attachments",
                [](Scene& s) {
                    s.commands.add(VirglCommand::set_framebuffer_state, {0, 0});
                    draw_something(s);
                }}),
    [](const testing::TestParamInfo<Refusal>& refusal) { return refusal.param.name; });

WordList blit_words(std::uint32_t flags, std::uint32_t target, std::uint32_t format, std::uint32_t source,
                    std::uint32_t target_width, std::uint32_t source_width = 4) {
    return {flags, 0,      0, target, 0, format,       0, 0, 0, target_width, 4, 1, source,
            0,     format, 0, 0,      0, source_width, 4, 1};
}

INSTANTIATE_TEST_SUITE_P(
    Transfers, Refused,
    testing::Values(
        Refusal{"BlitThatBlends", "blits that blend",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    const std::uint32_t b = s.texture(4, {WordList(16, 0)});
                    s.commands.add(VirglCommand::blit, blit_words(0xf | 1U << 12, a, 67, b, 4));
                }},
        Refusal{"BlitOfWhatIsOutside", "the box leaves the source of 4x4x1 texels",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    const std::uint32_t b = s.texture(4, {WordList(16, 0)});
                    s.commands.add(VirglCommand::blit, blit_words(0xf, a, 67, b, 4, 5));
                }},
        Refusal{"BlitFarBeyondItsTarget", "the box leaves the target of 4x4x1 texels",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    const std::uint32_t b = s.texture(4, {WordList(16, 0)});
                    s.commands.add(VirglCommand::blit, blit_words(0xf, a, 67, b, 0x80000000));
                }},
        Refusal{"BlitToMissingLayers", "the box leaves the target of 4x4x1 texels",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    const std::uint32_t b = s.texture(4, {WordList(16, 0)});
                    WordList words = blit_words(0xf, a, 67, b, 4);
                    words[11] = 2;
                    s.commands.add(VirglCommand::blit, words);
                }},
        Refusal{"BlitThatConvertsDepth", "blits that convert depth or stencil are not supported",
                [](Scene& s) {
                    s.stream.resource(90, 2, 16, 1, 4, 4).resource(91, 2, 18, 1, 4, 4);
                    WordList words = blit_words(0x10, 90, 16, 91, 4);
                    words[14] = 18;  // the source's format
                    s.commands.add(VirglCommand::blit, words);
                }},
        Refusal{"BlitBesideItself", "to a place beside it in itself",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.commands.add(VirglCommand::blit, blit_words(0xf, a, 67, a, 2));
                }},
        Refusal{"CopyOntoItself", "onto itself",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.copy(a, 1, 1, a, 2);
                }},
        Refusal{"CopyBetweenFormats", "copies from R8G8B8A8_UNORM to A8_UNORM",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.stream.resource(90, 2, 10, 10, 4, 4);
                    s.copy(90, 0, 0, a, 2);
                }},
        Refusal{"BlitOfABuffer", "blits of buffers",
                [](Scene& s) {
                    s.stream.resource(90, 0, 64, 16, 64, 1).resource(91, 0, 64, 16, 64, 1);
                    s.commands.add(VirglCommand::blit, blit_words(0xf, 90, 64, 91, 4));
                }},
        Refusal{"BlitThatScalesLayers", "scale or mirror layers",
                [](Scene& s) {
                    s.stream.message(VtestCommand::resource_create, {90, 3, 67, 10, 4, 4, 4, 1, 0, 0})
                        .message(VtestCommand::resource_create, {91, 3, 67, 10, 4, 4, 4, 1, 0, 0});
                    WordList words = blit_words(0xf, 90, 67, 91, 4);
                    words[11] = 2;  // layers of the target
                    s.commands.add(VirglCommand::blit, words);
                }},
        Refusal{"CopyBetweenBlocks", "copies from ASTC_5x5 to ASTC_5x4",
                [](Scene& s) {
                    s.stream.resource(90, 2, 281, 10, 20, 20).resource(91, 2, 280, 10, 20, 20);
                    s.copy(91, 0, 0, 90, 20);
                }},
        Refusal{"UploadThatCutsABlock", "cuts a compressed block",
                [](Scene& s) {
                    s.stream.resource(90, 2, 281, 10, 20, 20)
                        .message(VtestCommand::transfer_put, {90, 0, 0, 0, 4, 0, 0, 5, 5, 1, 16, 0, 0, 0, 0});
                }},
        Refusal{"UnknownFormat", "unsupported format BPTC_RGBA_UNORM of a texture",
                [](Scene& s) { s.stream.resource(90, 2, 255, 10, 4, 4); }},
        Refusal{"LayeredTargets", "layered render targets are not supported",
                [](Scene& s) {
                    s.stream.message(VtestCommand::resource_create, {90, 7, 67, 10, 4, 4, 1, 2, 0, 0});
                    s.commands.create(ObjectType::surface, {91, 90, 67, 0, 1U << 16});
                }},
        Refusal{"EightSamples", "multisampling with 8 samples is not supported",
                [](Scene& s) { s.stream.message(VtestCommand::resource_create, {90, 2, 67, 2, 4, 4, 1, 1, 0, 8}); }},
        Refusal{"MultisampledArrays", "multisampled textures other than 2D without mipmaps",
                [](Scene& s) { s.stream.message(VtestCommand::resource_create, {90, 7, 67, 2, 4, 4, 1, 2, 0, 4}); }},
        Refusal{"UploadToSamples", "transfers of multisampled textures",
                [](Scene& s) {
                    s.stream.message(VtestCommand::resource_create, {90, 2, 67, 2, 4, 4, 1, 1, 0, 4})
                        .put(90, 0, 4, 4, WordList(16, 0));
                }},
        Refusal{"ResolveThatScales", "blits that scale multisampled textures",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.stream.message(VtestCommand::resource_create, {90, 2, 67, 2, 4, 4, 1, 1, 0, 4});
                    s.commands.add(VirglCommand::blit, blit_words(0xf, a, 67, 90, 2));
                }},
        Refusal{"ResolveOfIntegers", "resolves of multisampled integers",
                [](Scene& s) {
                    s.stream.message(VtestCommand::resource_create, {90, 2, 180, 2, 4, 4, 1, 1, 0, 4})
                        .message(VtestCommand::resource_create, {91, 2, 180, 2, 4, 4, 1, 1, 0, 0});
                    s.commands.add(VirglCommand::blit, blit_words(0xf, 91, 180, 90, 4));
                }},
        Refusal{"BlitOfSomeChannelsToSamples", "blits to multisampled textures other than copies",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.stream.message(VtestCommand::resource_create, {90, 2, 67, 2, 4, 4, 1, 1, 0, 4});
                    s.commands.add(VirglCommand::blit, blit_words(0x7, 90, 67, a, 4));
                }},
        Refusal{"CopyBetweenSamples", "copies between textures with different numbers of samples",
                [](Scene& s) {
                    const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                    s.stream.message(VtestCommand::resource_create, {90, 2, 67, 2, 4, 4, 1, 1, 0, 4});
                    s.copy(a, 0, 0, 90, 2);
                }},
        Refusal{"UploadOutsideItsLevel", "TRANSFER_PUT",
                [](Scene& s) { s.stream.resource(90, 2, 67, 10, 4, 4).put(90, 0, 5, 4, WordList(20, 0)); }},
        Refusal{"UploadThatIsTooShort", "TRANSFER_PUT",
                [](Scene& s) { s.stream.resource(90, 2, 67, 10, 4, 4).put(90, 0, 4, 4, WordList(15, 0)); }}),
    [](const testing::TestParamInfo<Refusal>& refusal) { return refusal.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Commands, Refused,
    testing::Values(Refusal{"LaunchWithoutProgram", "LAUNCH_GRID: a launch without a compute shader",
                            [](Scene& s) { s.commands.add(VirglCommand::launch_grid, {1, 1, 1, 1, 1, 1, 0, 0}); }},
                    Refusal{"Transfer3d", "TRANSFER3D: not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::transfer3d, WordList(13, 1)); }},
                    Refusal{"ClearOfBlocks", "clears of compressed textures are not supported",
                            [](Scene& s) {
                                s.stream.resource(90, 2, 105, 10, 8, 8);
                                s.commands.add(VirglCommand::clear_texture, {90, 0, 0, 0, 0, 4, 4, 1, 0, 0, 0, 0});
                            }},
                    Refusal{"ClearOutsideItsLevel", "the box 5x4x1 at (0, 0, 0) leaves level 0",
                            [](Scene& s) {
                                s.stream.resource(90, 2, 67, 10, 4, 4);
                                s.commands.add(VirglCommand::clear_texture, {90, 0, 0, 0, 0, 5, 4, 1, 0, 0, 0, 0});
                            }},
                    Refusal{"QueryResultToBuffer", "GET_QUERY_RESULT_QBO: query results in buffers are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::get_query_result_qbo, WordList(6, 1)); }},
                    Refusal{"Tweaks", "SET_TWEAKS: not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_tweaks, {0, 1}); }},
                    Refusal{"StorageBuffers", "shader storage buffers are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_shader_buffers, {1, 0, 0, 16, 1}); }},
                    Refusal{"ShaderImages", "shader images are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_shader_images, {1, 0, 67, 1, 0, 0, 1}); }},
                    Refusal{"AtomicCounters", "atomic counters are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_atomic_buffers, {0, 0, 16, 1}); }},
                    Refusal{"TransformFeedback", "stream outputs (transform feedback) are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_streamout_targets, {0, 1}); }},
                    Refusal{"TransformFeedbackTargets", "transform feedback is not supported",
                            [](Scene& s) { s.commands.create(ObjectType::streamout_target, {90, 1, 0, 16}); }},
                    Refusal{"ConditionalRendering", "render conditions are not supported",
                            [](Scene& s) { s.commands.add(VirglCommand::set_render_condition, {5, 0, 0}); }},
                    Refusal{"GeometryShaders", "geometry shaders are not supported",
                            [](Scene& s) { s.commands.shader(90, 2, "GEOM\n"); }},
                    Refusal{"TessellationShaders", "tessellation control shaders are not supported",
                            [](Scene& s) { s.commands.shader(90, 3, "TESS_CTRL\n"); }},
                    Refusal{"ProtocolVersion", "protocol version 2 is not supported",
                            [](Scene& s) { s.stream.message(VtestCommand::protocol_version, {2}); }},
                    Refusal{"MissingResource", "there is no resource 77",
                            [](Scene& s) { s.stream.message(VtestCommand::resource_unref, {77}); }}),
    [](const testing::TestParamInfo<Refusal>& refusal) { return refusal.param.name; });

}  // namespace
}  // namespace models::functional
