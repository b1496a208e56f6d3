// A small frame trace for tests: consistent, different for every seed, with every column in use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "models/frame_trace/frame_trace.h"

namespace tests {

class SampleTrace {
  public:
    explicit SampleTrace(std::uint32_t seed = 1) : random_(seed) {}

    static std::vector<models::Program> programs();
    models::Frame frame(std::uint32_t number, int draws = 3);

  private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    models::TextureAccess access(std::vector<models::BlockNumber>& blocks);
    void add_draw(models::Frame& frame);
    void add_quads(models::Frame& frame);

    std::mt19937 random_;
};

inline std::vector<models::Program> SampleTrace::programs() {
    models::Instruction move;
    move.opcode = models::Opcode::mov;
    move.source_count = 1;
    move.destination = {models::RegisterFile::output, 15, 1, false, 0};
    move.sources[0] = {models::RegisterFile::constant, 7, 3, true, 2};
    models::Instruction sample;
    sample.opcode = models::Opcode::tex;
    sample.source_count = 2;
    sample.texture_unit = 1;
    models::Program vertex{models::ShaderStage::vertex, 2, 3, 4, 5, {move, sample, move}, {{{0, 3}}, {{0, 1}}}, "VERT"};
    models::Program fragment{models::ShaderStage::fragment, 1,       2, 1, 0, {move, sample, sample},
                             {{{0, 3}}, {{0, 2}}},          "FRAG µ"};
    return {vertex, fragment};
}

inline models::TextureAccess SampleTrace::access(std::vector<models::BlockNumber>& blocks) {
    models::TextureAccess result{static_cast<std::uint32_t>(blocks.size()), static_cast<std::uint16_t>(below(4))};
    for (int i = 0; i < result.block_count; ++i) blocks.push_back(1000 + below(5000));
    return result;
}

inline void SampleTrace::add_draw(models::Frame& frame) {
    models::Draw draw;
    draw.index_bytes = 2;
    draw.colour_targets = 1;
    draw.early_depth = below(2) == 0;
    draw.blend = below(2) == 0;
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
        frame.vertices.push_back({v, 0, path, static_cast<std::uint32_t>(frame.vertex_accesses.size())});
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
    frame.draws.push_back(draw);
}

inline void SampleTrace::add_quads(models::Frame& frame) {
    for (models::Tile& tile : frame.tiles) {
        tile.first_quad = static_cast<std::uint32_t>(frame.quads.size());
        tile.quad_count = below(200);
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
            quad.early_pass = static_cast<std::uint8_t>(quad.coverage & below(16));
            quad.written = static_cast<std::uint8_t>(quad.early_pass & below(16));
            quad.path = static_cast<std::uint16_t>(below(2));
            quad.first_access = static_cast<std::uint32_t>(frame.accesses.size());
            if (quad.early_pass != 0)
                for (int i = quad.path; i < 2; ++i) frame.accesses.push_back(access(frame.blocks));
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
    pass.colour = {{0x10000, 60, 40, 4}, {0x20000, 60, 40, 8}};
    pass.depth = {0x30000, 60, 40, 4};
    pass.width = 60;
    pass.height = 40;
    pass.tiles_x = 2;
    pass.tiles_y = 2;
    pass.depth_load = true;
    pass.draw_count = static_cast<std::uint32_t>(draws);
    frame.passes.push_back(pass);
    frame.tiles.resize(4);
    add_quads(frame);
    return frame;
}

}  // namespace tests
