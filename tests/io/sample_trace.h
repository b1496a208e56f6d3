// A small frame trace for tests: consistent, different for every seed, with every column in use. Its kernels are made
// by hand: sample_kernels.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "tests/io/sample_kernels.h"

namespace tests {

class SampleTrace {
  public:
    enum class Kernels : std::uint8_t { none, some };

    explicit SampleTrace(std::uint32_t seed = 1, Kernels kernels = Kernels::some) : random_(seed), kernels_(kernels) {}

    static std::vector<models::Program> programs();
    models::Frame frame(std::uint32_t number, int draws = 3);

  private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    models::TextureAccess access(std::vector<models::BlockNumber>& blocks);
    std::uint32_t constant_access(models::Frame& frame);
    std::uint8_t lanes_of(std::uint8_t lanes) { return static_cast<std::uint8_t>(lanes & below(16)); }
    void add_constants(models::Frame& frame, models::Draw& draw);
    void add_draw(models::Frame& frame);
    void add_quads(models::Frame& frame);

    std::mt19937 random_;
    Kernels kernels_;
};

inline std::vector<models::Program> SampleTrace::programs() {
    models::Instruction move;
    move.opcode = models::Opcode::mov;
    move.source_count = 1;
    move.destination = {models::RegisterFile::output, 15, 1, false, 0};
    move.sources[0] = {models::RegisterFile::constant, 7, 3, true, 2, 0x1b};
    models::Instruction sample;
    sample.opcode = models::Opcode::tex;
    sample.source_count = 2;
    sample.texture_unit = 1;
    sample.kind = models::InstructionClass::texture;
    sample.dependent = true;
    models::Program vertex{models::ShaderStage::vertex, 2,     3, 4, 5, {move, sample, move},
                           {{{0, 3, 1}}, {{0, 1, 1}}},  "VERT"};
    models::Program fragment{models::ShaderStage::fragment,           1,       2, 1, 0, {move, sample, sample},
                             {{{0, 3, 15}}, {{0, 1, 15}, {1, 1, 6}}}, "FRAG µ"};
    return {vertex, fragment, sample_kernel_program()};
}

inline models::TextureAccess SampleTrace::access(std::vector<models::BlockNumber>& blocks) {
    models::TextureAccess result{static_cast<std::uint32_t>(blocks.size()), static_cast<std::uint16_t>(below(4))};
    for (int i = 0; i < result.block_count; ++i) blocks.push_back(1000 + below(5000));
    result.filter = static_cast<models::TextureFilter>(1 + below(6));
    result.samples = static_cast<std::uint16_t>(1 + below(8));
    result.lod = static_cast<std::uint16_t>(below(4096));
    result.texel_bytes = static_cast<std::uint8_t>(1U << below(5));
    result.bias = static_cast<std::uint8_t>(below(256));
    return result;
}

// The row of one more access.
inline std::uint32_t SampleTrace::constant_access(models::Frame& frame) {
    const auto row = static_cast<std::uint32_t>(frame.constant_accesses.size());
    const auto count = static_cast<std::uint8_t>(1 + below(4));
    frame.constant_accesses.push_back({static_cast<std::uint32_t>(frame.constant_indices.size()), count});
    for (int i = 0; i < count; ++i) frame.constant_indices.push_back(static_cast<std::uint16_t>(below(4096)));
    return row;
}

inline void SampleTrace::add_constants(models::Frame& frame, models::Draw& draw) {
    draw.first_constant = static_cast<std::uint32_t>(frame.constants.size());
    draw.constant_count = 2;
    frame.constants.push_back({models::ShaderStage::vertex, 2, models::constant_ring + 256 * below(100), 64});
    frame.constants.push_back({models::ShaderStage::fragment, 2, 0x5000 + 16 * below(100), 4096});
    frame.uploads.push_back({static_cast<std::uint32_t>(frame.draws.size()), 0, 0x5000 + below(100), 1 + below(4096)});
}

inline void SampleTrace::add_draw(models::Frame& frame) {
    models::Draw draw;
    draw.index_bytes = 2;
    draw.colour_targets = 1;
    draw.samples = below(2) == 0 ? 4 : 1;
    draw.depth_test = true;
    draw.stencil_test = below(2) == 0;
    draw.depth_write = below(2) == 0;
    draw.stencil_write = below(2) == 0;
    draw.early_test = below(3) != 0;
    draw.early_depth = draw.early_test && below(2) == 0;
    draw.discards = below(2) == 0;
    draw.colour_mask = 0xf7;
    draw.blend = static_cast<std::uint8_t>(below(4));
    draw.partial = 1;
    draw.index_address = 0x1000000 + 2 * below(1000);
    draw.vertex_program = 0;
    draw.fragment_program = 1;
    draw.first_attribute = static_cast<std::uint32_t>(frame.attributes.size());
    draw.attribute_count = 2;
    frame.attributes.push_back({0x2000, 16, 12, 0});
    frame.attributes.push_back({0x3000, 0, 4, 1});
    draw.first_vertex = static_cast<std::uint32_t>(frame.vertices.size());
    draw.vertex_count = 3 + below(20);
    for (std::uint32_t v = 0; v < draw.vertex_count; ++v) {
        const auto path = static_cast<std::uint16_t>(below(2));
        frame.vertices.push_back(
            {v, 0, path, static_cast<std::uint32_t>(frame.vertex_accesses.size()), constant_access(frame)});
        if (path == 0) (void)constant_access(frame);
        if (path == 0) frame.vertex_accesses.push_back(access(frame.vertex_blocks));
    }
    draw.first_fetch = static_cast<std::uint32_t>(frame.fetches.size());
    draw.fetch_count = 30;
    for (std::uint32_t f = 0; f < draw.fetch_count; ++f) frame.fetches.push_back(below(draw.vertex_count));
    draw.first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
    draw.primitive_count = draw.fetch_count / 3;
    draw.assembled_primitives = draw.primitive_count + 2;
    draw.culled_primitives = 2;
    for (std::uint32_t p = 0; p < draw.primitive_count; ++p)
        frame.primitives.push_back(
            {static_cast<std::uint32_t>(frame.draws.size()), p, {3 * p, 3 * p + 1, 3 * p + 2}, 0, 0, 1, 1});
    add_constants(frame, draw);
    frame.draws.push_back(draw);
}

inline void SampleTrace::add_quads(models::Frame& frame) {
    for (models::Tile& tile : frame.tiles) {
        tile.first_quad = static_cast<std::uint32_t>(frame.quads.size());
        tile.quad_count = below(200);
        tile.input_hash = random_() * std::uint64_t{0x9e3779b97f4a7c15};
        std::vector<std::uint32_t> primitives;  // a tile meets them in order
        for (std::uint32_t q = 0; q < tile.quad_count; ++q)
            primitives.push_back(below(static_cast<std::uint32_t>(frame.primitives.size())));
        std::sort(primitives.begin(), primitives.end());
        for (const std::uint32_t primitive : primitives) {
            models::Quad quad;
            quad.primitive = primitive;
            quad.x = static_cast<std::uint8_t>(below(16));
            quad.y = static_cast<std::uint8_t>(below(16));
            quad.coverage = static_cast<std::uint8_t>(1 + below(15));
            const models::Draw& draw = frame.draws[frame.primitives[primitive].draw];
            quad.early_pass = draw.early_depth ? lanes_of(quad.coverage) : quad.coverage;
            quad.early_test = draw.early_depth  ? quad.early_pass
                              : draw.early_test ? lanes_of(quad.coverage)
                                                : quad.coverage;
            quad.written = lanes_of(quad.early_pass & quad.early_test);
            quad.visible = lanes_of(quad.early_pass);
            quad.shaded = lanes_of(quad.early_test);
            quad.reconstructed = lanes_of(quad.early_test & ~quad.shaded);
            quad.cluster = static_cast<std::uint8_t>(below(256));
            if (kernels_ == Kernels::none) {  // a machine is to play it
                quad.reconstructed = 0;
                quad.cluster = models::Quad::any_cluster;
            }
            quad.path = static_cast<std::uint16_t>(below(2));
            quad.first_access = static_cast<std::uint32_t>(frame.accesses.size());
            quad.first_constant_access = static_cast<std::uint32_t>(frame.constant_accesses.size());
            if (quad.early_pass != 0) {
                for (int i = quad.path; i < 2; ++i) frame.accesses.push_back(access(frame.blocks));
                (void)constant_access(frame);
            }
            frame.quads.push_back(quad);
        }
    }
}

inline models::Frame SampleTrace::frame(std::uint32_t number, int draws) {
    models::Frame frame;
    frame.number = number;
    frame.check = {true, 51.25, 3, 0.9875, 0.25};
    for (int d = 0; d < draws; ++d) add_draw(frame);
    models::Pass pass;
    pass.colour = {{0x10000, 60, 40, 4}, {0x20000, 60, 40, 8, true}};
    pass.depth = {0x30000, 60, 40, 4};
    pass.width = 60;
    pass.height = 40;
    if (kernels_ == Kernels::none) {  // a machine is to play it: quads are anywhere in its tiles
        pass.width = pass.height = 64;
        for (models::Surface* surface : {&pass.colour[0], &pass.colour[1], &pass.depth})
            surface->width = surface->height = 64;
    }
    pass.tiles_x = 2;
    pass.tiles_y = 2;
    pass.depth_load = true;
    pass.draw_count = static_cast<std::uint32_t>(draws);
    frame.passes.push_back(pass);
    frame.tiles.resize(4);
    for (int i = 0; i < 8; ++i) frame.colour_hashes.push_back(random_() * std::uint64_t{0x9e3779b97f4a7c15});
    add_quads(frame);
    if (kernels_ == Kernels::some) add_sample_kernels(frame, 2);
    frame.presented.push_back({{0x10000, 60, 40, 4}, 1000 + below(1000), 2000, 3000, 10000, 20000, 30000});
    return frame;
}

}  // namespace tests
