// Small frames for tests of the timing models: consistent in every index, drawn by nobody. Primitives are rectangles of
// quads, textures are read near the place of the quad. The same options give the same frame everywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/frame_trace/frame_trace.h"
#include "tests/models/visible_lanes.h"

namespace models::synthetic {

struct Options {
    std::uint64_t seed = 1;
    std::uint32_t width = 128, height = 96;  // pixels
    std::uint32_t passes = 1;
    std::uint32_t draws = 3;              // geometry draws of a pass
    std::uint32_t primitives = 12;        // of a draw
    std::uint32_t alu_instructions = 6;   // of the longest path, beside textures
    std::uint32_t textures = 2;           // texture instructions of the longest path
    std::uint32_t texture_blocks = 4096;  // lines of the texture
    std::uint32_t killed_per_16 = 3;      // quads that fail the early depth test
    bool depth = true, load = false, clear = true;
    // Draws are opaque and tested early, blended, tested late, and depth alone, in turn; else all are without depth.
    bool mixed = true;
};
inline constexpr Options small_frame{.width = 64, .height = 64, .passes = 2, .load = true};

class Generator {
  public:
    explicit Generator(const Options& options) : options_(options), state_(options.seed) { add_programs(); }

    Frame frame(std::uint32_t number = 0) {
        Frame frame;
        frame.number = number;
        for (std::uint32_t p = 0; p < options_.passes; ++p) add_pass(frame, p);
        find_visible_lanes(frame);
        return frame;
    }
    const FrameTrace& trace() const { return trace_; }

  private:
    std::uint64_t random() {  // splitmix64
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

    static Operand reg(RegisterFile file, std::uint32_t index) {
        Operand operand;
        operand.file = file;
        operand.components = 15;
        operand.index = static_cast<std::uint16_t>(index);
        return operand;
    }
    static Instruction instruction(Opcode opcode, const Operand& destination, const Operand& a, const Operand& b) {
        Instruction made;
        made.opcode = opcode;
        made.kind = class_of(opcode);
        made.destination = destination;
        made.source_count = 2;
        made.sources[0] = a;
        made.sources[1] = b;
        return made;
    }

    // Textures first, then arithmetic that uses them. Path 1 leaves out the second half.
    void add_program(ShaderStage stage, std::uint32_t textures, std::uint32_t alu) {
        Program program;
        program.stage = stage;
        for (std::uint32_t i = 0; i < textures; ++i) {
            program.instructions.push_back(instruction(Opcode::tex, reg(RegisterFile::temporary, i),
                                                       reg(RegisterFile::input, 0), reg(RegisterFile::sampler, 0)));
            program.instructions.back().texture_unit = 0;
        }
        for (std::uint32_t i = 0; i < alu; ++i)
            program.instructions.push_back(
                instruction(i % 5 == 4 ? Opcode::rcp : Opcode::add, reg(RegisterFile::temporary, i % 4),
                            reg(RegisterFile::temporary, (i + 1) % 4), reg(RegisterFile::constant, i)));
        program.instructions.push_back(
            instruction(Opcode::mov, reg(RegisterFile::output, 0), reg(RegisterFile::temporary, 0), Operand{}));
        const auto count = static_cast<std::uint16_t>(program.instructions.size());
        const std::uint32_t all = stage == ShaderStage::vertex ? 1 : 15;
        program.paths.push_back({{0, count, all}});
        const auto half = static_cast<std::uint16_t>(std::max<std::uint32_t>(1, textures + alu / 2));
        program.paths.push_back({{0, half, all}, {static_cast<std::uint16_t>(count - 1), 1, all}});
        trace_.programs.push_back(program);
    }

    void add_programs() {
        add_program(ShaderStage::vertex, 0, 8);
        add_program(ShaderStage::fragment, options_.textures, options_.alu_instructions);
        add_program(ShaderStage::fragment, 0, options_.alu_instructions);
        add_program(ShaderStage::vertex, options_.textures > 0 ? 1 : 0, 4);
    }

    void add_pass(Frame& frame, std::uint32_t index) {
        Pass pass;
        const std::uint32_t bytes = (options_.width + 31) / 32 * 32 * ((options_.height + 31) / 32 * 32) * 4;
        const Address base = (16U << 20) + Address{index} * 8 * bytes;
        pass.colour.push_back({base, options_.width, options_.height, 4});
        if (options_.depth) pass.depth = {base + 4 * bytes, options_.width, options_.height, 4};
        pass.width = options_.width;
        pass.height = options_.height;
        pass.tiles_x = (options_.width + 31) / 32;
        pass.tiles_y = (options_.height + 31) / 32;
        pass.colour_load = options_.load;
        pass.depth_load = options_.load && options_.depth;
        pass.depth_store = options_.load && options_.depth;
        pass.first_draw = static_cast<std::uint32_t>(frame.draws.size());
        pass.first_tile = static_cast<std::uint32_t>(frame.tiles.size());
        if (options_.clear) {
            frame.draws.emplace_back().kind = DrawKind::clear;
            frame.draws.back().first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
        }
        for (std::uint32_t d = 0; d < options_.draws; ++d) add_draw(frame, pass, d);
        pass.draw_count = static_cast<std::uint32_t>(frame.draws.size()) - pass.first_draw;
        add_tiles(frame, pass);
        pass.first_hash = static_cast<std::uint32_t>(frame.colour_hashes.size());
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t)
            frame.colour_hashes.push_back(std::uint64_t{t} * 0x9e3779b97f4a7c15ULL);
        frame.passes.push_back(pass);
    }

    void add_draw(Frame& frame, const Pass& pass, std::uint32_t index) {
        Draw draw;
        draw.index_bytes = index % 2 == 0 ? 2 : 0;
        draw.colour_targets = 1;
        draw.colour_mask = 15;
        draw.depth_test = draw.depth_write = draw.early_depth = draw.early_test = true;
        if (options_.mixed) {
            const std::uint32_t kind = index % 4;
            draw.depth_test = true;
            draw.early_depth = draw.early_test = kind != 2;
            draw.depth_write = kind != 1;
            draw.blend = kind == 1;
            if (kind == 3) draw.colour_mask = draw.colour_targets = 0;
        }
        draw.index_address = 0x10000 + Address{index} * 0x4000;
        draw.vertex_program = index % 3 == 1 ? 3 : 0;
        draw.fragment_program = index % 3 == 2 ? 2 : 1;
        draw.varying_count = 2 + index % 3;
        draw.first_attribute = static_cast<std::uint32_t>(frame.attributes.size());
        draw.attribute_count = 2;
        frame.attributes.push_back({0x100000 + Address{index} * 0x10000, 28, 12, 0});
        frame.attributes.push_back({0x10000c + Address{index} * 0x10000, 28, 16, 0});
        draw.first_vertex = static_cast<std::uint32_t>(frame.vertices.size());
        draw.first_fetch = static_cast<std::uint32_t>(frame.fetches.size());
        draw.first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
        draw.vertex_count = options_.primitives + 2;
        draw.fetch_count = options_.primitives * 3;
        draw.primitive_count = options_.primitives;
        draw.assembled_primitives = options_.primitives;
        for (std::uint32_t v = 0; v < draw.vertex_count; ++v) add_vertex(frame, draw, v);
        for (std::uint32_t p = 0; p < options_.primitives; ++p) {
            add_primitive(frame, pass, p);
            for (std::uint32_t corner = 0; corner < 3; ++corner) frame.fetches.push_back(p + corner);
        }
        frame.draws.push_back(draw);
    }

    void add_vertex(Frame& frame, const Draw& draw, std::uint32_t v) {
        Vertex vertex;
        vertex.id = v;
        vertex.path = static_cast<std::uint16_t>(below(2));
        vertex.first_access = static_cast<std::uint32_t>(frame.vertex_accesses.size());
        if (draw.vertex_program == 3 && options_.textures > 0) {
            frame.vertex_accesses.push_back({static_cast<std::uint32_t>(frame.vertex_blocks.size()), 1});
            frame.vertex_blocks.push_back(0x20000 + below(64));
        }
        frame.vertices.push_back(vertex);
    }

    void add_primitive(Frame& frame, const Pass& pass, std::uint32_t p) {
        Rectangle r;
        const std::uint32_t across = (pass.width + 1) / 2, down = (pass.height + 1) / 2;
        r.x0 = below(across);
        r.y0 = below(down);
        r.x1 = std::min(across - 1, r.x0 + below(across / 2 + 1));
        r.y1 = std::min(down - 1, r.y0 + below(down / 2 + 1));
        rectangles_.resize(frame.primitives.size());
        rectangles_.push_back(r);
        Primitive primitive;
        primitive.draw = static_cast<std::uint32_t>(frame.draws.size());
        primitive.source = p;
        for (std::uint32_t corner = 0; corner < 3; ++corner) primitive.vertices[corner] = 3 * p + corner;
        primitive.tile_x0 = static_cast<std::uint16_t>(r.x0 / 16);
        primitive.tile_y0 = static_cast<std::uint16_t>(r.y0 / 16);
        primitive.tile_x1 = static_cast<std::uint16_t>(r.x1 / 16);
        primitive.tile_y1 = static_cast<std::uint16_t>(r.y1 / 16);
        frame.primitives.push_back(primitive);
    }

    void add_tiles(Frame& frame, const Pass& pass) {
        const std::uint32_t first = frame.draws[pass.first_draw].first_primitive;
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t) {
            Tile tile;
            tile.first_quad = static_cast<std::uint32_t>(frame.quads.size());
            for (std::uint32_t p = first; p < frame.primitives.size(); ++p)
                add_quads(frame, p, t % pass.tiles_x * 16, t / pass.tiles_x * 16);
            tile.quad_count = static_cast<std::uint32_t>(frame.quads.size()) - tile.first_quad;
            frame.tiles.push_back(tile);
        }
    }

    void add_quads(Frame& frame, std::uint32_t primitive, std::uint32_t left, std::uint32_t top) {
        const Rectangle& r = rectangles_[primitive];
        for (std::uint32_t y = std::max(r.y0, top); y <= std::min(r.y1, top + 15); ++y) {
            for (std::uint32_t x = std::max(r.x0, left); x <= std::min(r.x1, left + 15); ++x) {
                Quad quad;
                quad.primitive = primitive;
                quad.x = static_cast<std::uint8_t>(x - left);
                quad.y = static_cast<std::uint8_t>(y - top);
                quad.coverage = static_cast<std::uint8_t>(1 + below(15));
                quad.early_pass = below(16) < options_.killed_per_16 ? std::uint8_t{0} : quad.coverage;
                quad.path = static_cast<std::uint16_t>(below(2));
                quad.first_access = static_cast<std::uint32_t>(frame.accesses.size());
                const Draw& draw = frame.draws[frame.primitives[primitive].draw];
                if (quad.early_pass != 0 && draw.fragment_program == 1) add_accesses(frame, x, y);
                frame.quads.push_back(quad);
            }
        }
    }

    void add_accesses(Frame& frame, std::uint32_t x, std::uint32_t y) {
        for (std::uint32_t i = 0; i < options_.textures; ++i) {
            TextureAccess access;
            access.first_block = static_cast<std::uint32_t>(frame.blocks.size());
            access.block_count = static_cast<std::uint16_t>(below(5));
            const std::uint32_t near = (y / 2 * 64 + x / 2 + i * 1000) % options_.texture_blocks;
            for (std::uint32_t b = 0; b < access.block_count; ++b)
                frame.blocks.push_back(0x30000 + (near + b) % options_.texture_blocks);
            frame.accesses.push_back(access);
        }
    }

    struct Rectangle {
        std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // in quads, both ends included
    };
    Options options_;
    std::uint64_t state_;
    FrameTrace trace_;
    std::vector<Rectangle> rectangles_;  // by primitive
};

}  // namespace models::synthetic
