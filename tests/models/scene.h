// Small frames made by hand for tests of the timing models: a pass, its draws, their primitives, quads at their places.
// Consistent in every index, so that a machine loads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "tests/models/visible_lanes.h"

namespace models {

class Scene {
  public:
    static constexpr std::uint32_t vertex_program = 0, fragment_program = 1;
    static constexpr std::uint32_t all_lanes(ShaderStage stage) { return (1U << lanes_of(stage)) - 1; }

    // The programs are one instruction long.
    Scene() {
        for (const ShaderStage stage : {ShaderStage::vertex, ShaderStage::fragment}) {
            Program program;
            program.stage = stage;
            program.instructions.resize(1);
            program.paths = {{{0, 1, all_lanes(stage)}}};
            trace.programs.push_back(program);
        }
    }

    // A pass with a target of its own, of whole tiles and 4 bytes a pixel: 64 lines a tile. References are valid until
    // the next of their kind.
    Pass& pass(std::uint32_t tiles_x = 1, std::uint32_t tiles_y = 1) {
        Pass pass;
        const Address address = Address{frame.passes.size() + 1} << 20U;
        pass.width = tiles_x * trace_tile_pixels;
        pass.height = tiles_y * trace_tile_pixels;
        pass.colour = {{address, pass.width, pass.height, 4}};
        pass.tiles_x = tiles_x;
        pass.tiles_y = tiles_y;
        pass.first_draw = static_cast<std::uint32_t>(frame.draws.size());
        pass.first_tile = static_cast<std::uint32_t>(quads_.size());
        quads_.resize(quads_.size() + std::size_t{tiles_x} * tiles_y);
        frame.passes.push_back(pass);
        return frame.passes.back();
    }
    // A draw of the last pass; a transfer needs no vertices.
    Draw& draw(DrawKind kind = DrawKind::transfer) {
        Draw draw;
        draw.kind = kind;
        draw.colour_targets = 1;
        draw.colour_mask = 15;
        draw.varying_count = 1;
        draw.vertex_program = vertex_program;
        draw.fragment_program = fragment_program;
        draw.first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
        frame.draws.push_back(draw);
        ++frame.passes.back().draw_count;
        return frame.draws.back();
    }
    // A draw of the last pass that hides what lies behind it.
    Draw& opaque_draw() {
        Draw& made = draw();
        made.early_depth = made.early_test = made.depth_test = made.depth_write = true;
        return made;
    }
    // A primitive of the last draw whose bounding box is these tiles of a row.
    Primitive& primitive(std::uint32_t tiles = 1) {
        Primitive primitive;
        primitive.draw = static_cast<std::uint32_t>(frame.draws.size() - 1);
        primitive.tile_x1 = static_cast<std::uint16_t>(tiles - 1);
        frame.primitives.push_back(primitive);
        ++frame.draws.back().primitive_count;
        ++frame.draws.back().assembled_primitives;
        return frame.primitives.back();
    }
    // A quad of the last primitive in a tile of the last pass.
    void quad(std::uint32_t tile, std::uint32_t x, std::uint32_t y = 0, std::uint8_t early_pass = 15) {
        Quad quad;
        quad.primitive = static_cast<std::uint32_t>(frame.primitives.size() - 1);
        quad.x = static_cast<std::uint8_t>(x);
        quad.y = static_cast<std::uint8_t>(y);
        quad.coverage = 15;
        quad.early_pass = early_pass;
        quads_[frame.passes.back().first_tile + tile].push_back(quad);
    }
    // So many of them, along rows.
    void quads(std::uint32_t tile, std::uint32_t count, std::uint8_t early_pass = 15) {
        for (std::uint32_t i = 0; i < count; ++i) quad(tile, i % 16, i / 16, early_pass);
    }
    // When all is there: quads are numbered tile by tile.
    const Frame& finish() {
        frame.quads.clear();
        frame.tiles.clear();
        for (const std::vector<Quad>& quads : quads_) {
            frame.tiles.push_back(
                {static_cast<std::uint32_t>(frame.quads.size()), static_cast<std::uint32_t>(quads.size())});
            frame.quads.insert(frame.quads.end(), quads.begin(), quads.end());
        }
        find_visible_lanes(frame);
        frame.colour_hashes.clear();
        for (Pass& pass : frame.passes) {
            pass.first_hash = static_cast<std::uint32_t>(frame.colour_hashes.size());
            frame.colour_hashes.resize(frame.colour_hashes.size() + pass.tiles_x * pass.tiles_y * pass.colour.size());
        }
        return frame;
    }

    FrameTrace trace;
    Frame frame;

  private:
    std::vector<std::vector<Quad>> quads_;  // by tile
};

}  // namespace models
