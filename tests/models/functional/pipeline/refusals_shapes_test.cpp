// Refused by name with the byte offset: shapes, levels, formats and programs that do not fit together.
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/refusal.h"

namespace models::functional {
namespace {

class RefusedMisfit : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedMisfit, ByNameWithItsByteOffset) {
    expect_refused(GetParam());
}

// Asks for a texture or buffer: target, format, width, height, depth, layers, last level.
Refusal resource(const char* name, const char* message, const WordList& d) {
    return {name, message, [=](Scene& s) {
                s.stream.message(VtestCommand::resource_create, {90, d[0], d[1], 10, d[2], d[3], d[4], d[5], d[6], 0});
            }};
}

// Draws with a program of stage 0 (vertex) or 1 (fragment).
Refusal program(const char* name, const char* message, std::uint32_t stage, const char* text) {
    return {name, message, [=](Scene& s) {
                s.commands.shader(90, stage, text);
                s.draw(whole_window(0));
            }};
}

// Shows a surface of a format, as a window is shown.
Refusal shown(const char* name, const char* message, std::uint32_t format) {
    return {name, message, [=](Scene& s) {
                s.stream.resource(90, 2, format, 0x8a, 8, 8);
                s.submit();
                s.stream.end_frame(90, 8, 8, {});
            }};
}

// Samples a texture of 8x8 texels of 8-bit RGBA as `format`, with the wrap modes of `sampler`.
void sample(Scene& s, std::uint32_t target, std::uint32_t format, std::uint32_t sampler) {
    s.stream.message(VtestCommand::resource_create, {90, target, 67, 10, 8, 8, 1, 1, 0, 0});
    s.commands.create(ObjectType::sampler_view, {91, 90, format, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .create(ObjectType::sampler_state, {92, sampler, 0, 0, 0, 0, 0, 0, 0})
        .add(VirglCommand::set_sampler_views, {1, 0, 91})
        .add(VirglCommand::bind_sampler_states, {1, 0, 92});
    s.fragment_shader(textured);
    s.draw(whole_window(0));
}

INSTANTIATE_TEST_SUITE_P(
    Resources, RefusedMisfit,
    testing::Values(resource("Target", "unknown texture target 9", {9, 67, 8, 8, 1, 1, 0}),
                    resource("Format", "unknown format 65536", {2, 65536, 8, 8, 1, 1, 0}),
                    resource("NoSize", "a size of 0", {2, 67, 0, 8, 1, 1, 0}),
                    resource("LargeBuffer", "buffers have at most 2^30 bytes", {0, 64, (1U << 30) + 1, 1, 1, 1, 0}),
                    resource("LongSide", "sides have at most 16384 texels", {2, 67, 16385, 1, 1, 1, 0}),
                    resource("ManyLayers", "at most 2048 layers", {7, 67, 1, 1, 1, 2049, 0}),
                    resource("ManyLevels", "level 4 would have no texels", {2, 67, 8, 8, 1, 1, 4}),
                    resource("Cube", "cubes have square faces", {4, 67, 8, 4, 1, 6, 0}),
                    resource("CubeFaces", "cubes have square faces", {4, 67, 8, 8, 1, 5, 0}),
                    resource("LargeTexture", "more than 2 GiB", {3, 67, 16384, 16384, 16, 1, 0}),
                    Refusal{"LevelOfAnUpload", "a transfer names level 3",
                            [](Scene& s) { s.stream.resource(90, 2, 67, 10, 4, 4).put(90, 3, 1, 1, {0}); }},
                    Refusal{"LevelOfABlit", "the source has no level 3",
                            [](Scene& s) {
                                const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                                s.blit(s.texture(4, {WordList(16, 0)}), 0, 4, a, 3, 4);
                            }},
                    Refusal{"CopyOfANegativeSize", "a copy of a negative size",
                            [](Scene& s) {
                                const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                                s.commands.add(VirglCommand::resource_copy_region,
                                               {s.texture(4, {WordList(16, 0)}), 0, 2, 0, 0, a, 0, 2, 0, 0, ~0U, 1, 1});
                            }},
                    Refusal{"SurfaceOfOtherTexels", "has texels of another size",
                            [](Scene& s) {
                                const std::uint32_t a = s.texture(4, {WordList(16, 0)});
                                s.commands.create(ObjectType::surface, {90, a, 10, 0, 0});
                            }},
                    Refusal{"ViewOfOtherTexels", "the resource has texels of format R8G8B8A8_UNORM",
                            [](Scene& s) { sample(s, 2, 10, 2U | 2U << 3 | 2U << 6); }},
                    Refusal{"RepeatedRectangle", "unnormalised coordinates with a repeating wrap mode",
                            [](Scene& s) { sample(s, 5, 67, 0); }},
                    Refusal{"UniformsOutsideTheirBuffer", "are not in a buffer of 64 bytes",
                            [](Scene& s) {
                                s.stream.resource(90, 0, 64, 64, 64, 1);
                                s.commands.add(VirglCommand::set_uniform_buffer, {1, 1, 32, 64, 90});
                            }},
                    Refusal{"NoIndexBuffer", "an indexed draw without an index buffer",
                            [](Scene& s) {
                                s.vertices(whole_window(0));
                                s.commands.add(VirglCommand::draw_vbo, {0, 3, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0});
                            }}),
    [](const testing::TestParamInfo<Refusal>& misfit) { return misfit.param.name; });

INSTANTIATE_TEST_SUITE_P(Shown, RefusedMisfit,
                         testing::Values(shown("Depth", "an image in format Z16_UNORM cannot be shown", 16),
                                         shown("Stencil", "an image in format S8_UINT cannot be shown", 23),
                                         shown("Integers", "an image in format R8_UINT cannot be shown", 177)),
                         [](const testing::TestParamInfo<Refusal>& misfit) { return misfit.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Programs, RefusedMisfit,
    testing::Values(program("Layer", "the fragment input LAYER", 1,
                            "FRAG\nDCL IN[0], LAYER, CONSTANT\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n"),
                    program("ViewportIndex", "the fragment input VIEWPORT_INDEX", 1,
                            "FRAG\nDCL IN[0], VIEWPORT_INDEX, CONSTANT\nDCL OUT[0], COLOR\n"
                            "  0: MOV OUT[0], IN[0]\n  1: END\n"),
                    program("NoPosition", "a vertex shader that writes no position", 0,
                            "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\n  0: MOV OUT[0], IN[0]\n  1: END\n"),
                    program("OfAnotherStage", "a stage that its text is not for", 1,
                            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n"),
                    program("SystemValueOfTheOtherStage", "a system value that vertex shaders do not have", 0,
                            "VERT\nDCL SV[0], FACE\nDCL OUT[0], POSITION\n  0: MOV OUT[0], SV[0]\n  1: END\n"),
                    program("SystemValueOfVertices", "a system value that fragment shaders do not have", 1,
                            "FRAG\nDCL SV[0], VERTEXID\nDCL OUT[0], COLOR\n  0: MOV OUT[0], SV[0]\n  1: END\n"),
                    Refusal{"MissingText", "bytes are missing",
                            [](Scene& s) {
                                s.commands.create(ObjectType::shader, {90, 1, 100, 0, 0, 0x47415246})
                                    .add(VirglCommand::bind_shader, {90, 1});
                                s.draw(whole_window(0));
                            }},
                    Refusal{"NoText", "a chunk of a shader without text",
                            [](Scene& s) { s.commands.create(ObjectType::shader, {90, 1, 100, 0, 0}); }},
                    Refusal{"ManyStreamOutputs", "expected at most 256 stream outputs, found 257",
                            [](Scene& s) { s.commands.create(ObjectType::shader, {90, 1, 100, 0, 257, 0x47415246}); }}),
    [](const testing::TestParamInfo<Refusal>& misfit) { return misfit.param.name; });

}  // namespace
}  // namespace models::functional
