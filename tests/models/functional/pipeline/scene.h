// Small recordings written by hand: a window, a depth buffer, plain state, and draws of coloured or textured triangles.
// Positions are in clip space; the viewport maps y = -1 to row 0, so rows count upwards with y.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/functional/renderer.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {

struct SceneVertex {
    float x = 0, y = 0, z = 0, w = 1;
    std::array<float, 4> value = {1, 1, 1, 1};  // a colour, or a texture coordinate
};
using SceneVertices = std::vector<SceneVertex>;

inline constexpr std::array<float, 4> red{1, 0, 0, 1}, green{0, 1, 0, 1}, blue{0, 0, 1, 1}, white{1, 1, 1, 1};

// Two triangles over the whole window at depth z, -1 nearest; their values run from 0 to 1 when `value` is missing.
inline SceneVertices whole_window(float z, std::optional<std::array<float, 4>> value = std::nullopt) {
    const auto corner = [&](float x, float y) {
        return SceneVertex{x, y, z, 1, value.value_or(std::array{(x + 1) / 2, (y + 1) / 2, 0.0F, 1.0F})};
    };
    return {corner(-1, -1), corner(1, -1), corner(-1, 1), corner(-1, 1), corner(1, -1), corner(1, 1)};
}

inline constexpr std::string_view pass_through = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";
inline constexpr std::string_view coloured = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";
inline constexpr std::string_view textured = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 2D
  1: END
)";
// Samples only where x < 0.5 and discards where x > 0.75.
inline constexpr std::string_view branching = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {0x3f000000, 0x3f400000, 0x00000000, 0x3f800000}
  0: MOV TEMP[0], IN[0]
  1: SLT TEMP[1].x, IN[0].xxxx, IMM[0].xxxx
  2: IF TEMP[1].xxxx :4
  3:   TEX TEMP[0], IN[0], SAMP[0], 2D
  4: ENDIF
  5: SLT TEMP[1].x, IMM[0].yyyy, IN[0].xxxx
  6: KILL_IF -TEMP[1].xxxx
  7: MOV OUT[0], TEMP[0]
  8: END
)";

class Scene {
  public:
    static constexpr std::uint32_t window = 1, depth = 2;  // resources
    static constexpr std::uint32_t window_surface = 11, depth_surface = 12;
    static constexpr std::uint32_t less_and_write = 3 | 1 << 2, less_only = 1 | 1 << 2;  // depth tests
    static constexpr std::uint32_t opaque = 0xfU << 27;                                  // blend words of a target
    static constexpr std::uint32_t translucent = opaque | 1 | 3U << 4 | 0x13U << 9 | 3U << 17 | 0x13U << 22;
    static constexpr std::uint32_t plain = 1U << 1 | 1U << 29;  // rasteriser: depth clip, half pixel centre
    static constexpr std::uint32_t scissored = plain | 1U << 14;
    static constexpr std::uint32_t clear_all = 7;
    static constexpr std::uint32_t points = 0, lines = 1, triangles = 4, triangle_strip = 5;

    Scene(std::uint32_t width, std::uint32_t height, std::uint32_t depth_format = 16, std::uint32_t depth_bind = 1)
        : width_(width),
          height_(height) {
        stream.resource(window, 2, 1, 0x8a, width, height).resource(depth, 2, depth_format, depth_bind, width, height);
        commands.create(ObjectType::surface, {window_surface, window, 1, 0, 0})
            .create(ObjectType::surface, {depth_surface, depth, depth_format, 0, 0})
            .create(ObjectType::vertex_elements, {13, 0, 0, 0, 31, 16, 0, 0, 31})
            .bind(ObjectType::vertex_elements, 13)
            .shader(14, 0, pass_through)
            .shader(15, 1, coloured);
        target({window_surface}, depth_surface, width, height);
        blend(opaque);
        depth_test(0);
        rasterizer(plain);
    }

    void target(const WordList& colours, std::uint32_t depth_handle, std::uint32_t width, std::uint32_t height) {
        WordList words{static_cast<std::uint32_t>(colours.size()), depth_handle};
        words.insert(words.end(), colours.begin(), colours.end());
        const float x = static_cast<float>(width) / 2;
        const float y = static_cast<float>(height) / 2;
        commands.add(VirglCommand::set_framebuffer_state, words);
        commands.add(VirglCommand::set_viewport_state, {0, word(x), word(y), word(0.5F), word(x), word(y), word(0.5F)});
    }
    void blend(std::uint32_t target) { create_and_bind(ObjectType::blend, {0, 0, target, 0, 0, 0, 0, 0, 0, 0}); }
    void depth_test(std::uint32_t flags, std::uint32_t stencil = 0, float alpha_reference = 0) {
        create_and_bind(ObjectType::depth_stencil_alpha, {flags, stencil, 0, word(alpha_reference)});
    }
    void rasterizer(std::uint32_t flags) {
        create_and_bind(ObjectType::rasterizer, {flags, word(1), 0, 0, word(1), 0, 0, 0});
    }
    void fragment_shader(std::string_view text) { commands.shader(next_++, 1, text); }
    void clear(std::uint32_t buffers, std::array<float, 4> colour = {}) {
        commands.add(VirglCommand::clear, {buffers, word(colour[0]), word(colour[1]), word(colour[2]), word(colour[3]),
                                           0, 0x3ff00000, 0});  // depth 1
    }

    // A texture of 8-bit RGBA; level n is put as given by `levels[n]`. Bound to unit 0 with linear filters.
    std::uint32_t texture(std::uint32_t size, const std::vector<WordList>& levels) {
        const std::uint32_t handle = next_++;
        const auto last = static_cast<std::uint32_t>(levels.size() - 1);
        stream.resource(handle, 2, 67, 10, size, size, last);
        for (std::uint32_t level = 0; level < levels.size(); ++level)
            stream.put(handle, level, size >> level, size >> level, levels[level]);
        return handle;
    }
    void bind_texture(std::uint32_t handle, std::uint32_t last_level = 0, bool linear = false) {
        const std::uint32_t filters = linear ? 1U << 9 | 1U << 11 | 1U << 13 : 2U << 11;
        const std::uint32_t clamped = 2U | 2U << 3 | 2U << 6;
        const std::uint32_t view = next_++;
        const std::uint32_t sampler = next_++;
        commands
            .create(ObjectType::sampler_view, {view, handle, 67, 0, last_level << 8, 0U | 1U << 3 | 2U << 6 | 3U << 9})
            .create(ObjectType::sampler_state, {sampler, clamped | filters, 0, 0, word(1000), 0, 0, 0, 0})
            .add(VirglCommand::set_sampler_views, {1, 0, view})
            .add(VirglCommand::bind_sampler_states, {1, 0, sampler});
    }

    // Puts the vertices in a new buffer and binds it.
    void vertices(const SceneVertices& list) {
        const std::uint32_t buffer = next_++;
        WordList words;
        for (const SceneVertex& v : list) {
            for (const float f : {v.x, v.y, v.z, v.w}) words.push_back(word(f));
            for (const float f : v.value) words.push_back(word(f));
        }
        const auto bytes = static_cast<std::uint32_t>(words.size() * 4);
        stream.resource(buffer, 0, 64, 16, bytes, 1).put(buffer, 0, bytes, 1, words);
        commands.add(VirglCommand::set_vertex_buffers, {32, 0, buffer});
    }
    void draw(const SceneVertices& list, std::uint32_t mode = triangles) {
        vertices(list);
        draw_call(static_cast<std::uint32_t>(list.size()), mode);
    }
    void draw_call(std::uint32_t count, std::uint32_t mode, std::uint32_t start = 0, std::uint32_t instances = 1) {
        commands.add(VirglCommand::draw_vbo, {start, count, mode, 0, instances, 0, 0, 0, 0, 0, 0xffffffff, 0});
    }
    struct Indirect {
        bool indexed = false;
        std::uint32_t mode = triangles, offset = 0, draws = 1, stride = 0;
    };
    // Draws with parameters in a buffer, which is filled here unless there is one.
    void draw_indirect(const WordList& parameters, const Indirect& how, std::uint32_t buffer = 0) {
        if (buffer == 0) {
            buffer = next_++;
            const auto bytes = static_cast<std::uint32_t>(parameters.size() * 4);
            stream.resource(buffer, 0, 64, 16, bytes, 1).put(buffer, 0, bytes, 1, parameters);
        }
        commands.add(VirglCommand::draw_vbo, {0,          0,         how.mode,   how.indexed ? 1U : 0U,
                                              1,          0,         0,          0,
                                              0,          0,         0xffffffff, 0,
                                              0,          0,         buffer,     how.offset,
                                              how.stride, how.draws, 0,          0});
    }
    void draw_indirect(const WordList& parameters) { draw_indirect(parameters, {}); }
    // Indices of four bytes.
    void draw_indexed(const WordList& indices, std::uint32_t mode, std::uint32_t bias = 0,
                      std::optional<std::uint32_t> restart = std::nullopt) {
        const std::uint32_t buffer = next_++;
        const auto bytes = static_cast<std::uint32_t>(indices.size() * 4);
        stream.resource(buffer, 0, 64, 32, bytes, 1).put(buffer, 0, bytes, 1, indices);
        commands.add(VirglCommand::set_index_buffer, {buffer, 4, 0});
        commands.add(VirglCommand::draw_vbo, {0, static_cast<std::uint32_t>(indices.size()), mode, 1, 1, bias, 0,
                                              restart ? 1U : 0U, restart.value_or(0), 0, 0xffffffff, 0});
    }

    // A whole-surface blit of one level; both surfaces are of 8-bit RGBA.
    void blit(std::uint32_t target_handle, std::uint32_t target_level, std::uint32_t target_size, std::uint32_t source,
              std::uint32_t source_level, std::uint32_t source_size, bool linear = true) {
        commands.add(VirglCommand::blit, {0xf | (linear ? 1U : 0U) << 8,
                                          0,
                                          0,
                                          target_handle,
                                          target_level,
                                          67,
                                          0,
                                          0,
                                          0,
                                          target_size,
                                          target_size,
                                          1,
                                          source,
                                          source_level,
                                          67,
                                          0,
                                          0,
                                          0,
                                          source_size,
                                          source_size,
                                          1});
    }
    void copy(std::uint32_t target_handle, std::uint32_t x, std::uint32_t y, std::uint32_t source, std::uint32_t size) {
        commands.add(VirglCommand::resource_copy_region,
                     {target_handle, 0, x, y, 0, source, 0, 0, 0, 0, size, size, 1});
    }

    // Sends what has been said so far.
    void submit() {
        stream.submit(commands);
        commands = {};
    }
    void end_frame(const WordList& reference = {}) {
        submit();
        stream.end_frame(window, width_, height_, reference);
    }

    std::uint32_t handle() { return next_++; }

    StreamWriter stream;
    Commands commands;

  private:
    void create_and_bind(ObjectType type, const WordList& words) {
        WordList all{next_++};
        all.insert(all.end(), words.begin(), words.end());
        commands.create(type, all).bind(type, all[0]);
    }

    std::uint32_t width_, height_;
    std::uint32_t next_ = 100;
};

struct RenderedFrame {
    Frame frame;
    Image image, reference;

    // 0xRRGGBBAA
    std::uint32_t pixel(std::uint32_t x, std::uint32_t y) const {
        const std::uint8_t* p = &image.rgba[std::size_t{4} * (y * image.width + x)];
        return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
    }
};

struct Rendering {
    std::vector<RenderedFrame> frames;
    std::vector<Program> programs;
};

inline Rendering render(Bytes stream, int threads = 1, bool trace = true) {
    FunctionalRenderer renderer(stream, {.threads = threads});
    Rendering rendering;
    for (RenderedFrame f; renderer.next_frame(trace ? &f.frame : nullptr, &f.image, &f.reference); f = {})
        rendering.frames.push_back(f);
    rendering.programs = renderer.programs();
    return rendering;
}

// The first frame of a scene.
inline RenderedFrame first_frame(const Scene& scene, int threads = 1) {
    return render(scene.stream.bytes(), threads).frames.at(0);
}

}  // namespace models::functional
