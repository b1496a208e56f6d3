// Two passes for tests, the second of which does nothing but bring the samples of the first together: a pass of two
// tiles with four samples a pixel, and a transfer over the whole of a target of the same size.
#pragma once

#include "models/workload/workload.h"
#include "tests/models/scene.h"

namespace models {

class ResolvingScene : public Scene {
  public:
    static constexpr std::uint32_t texture_program = 2;

    ResolvingScene() {
        Program program = trace.programs[fragment_program];
        program.instructions[0].opcode = Opcode::tex;
        trace.programs.push_back(program);
        pass(2).colour[0].bytes_per_texel = 16;
        draw().samples = 4;
        primitive(2);
        quad(0, 3);
        quad(1, 4);
        pass(2);
        draw().fragment_program = texture_program;
        primitive(2);
        for (std::uint32_t tile = 0; tile < 2; ++tile) quads(tile, 256);
        reads_line(frame.passes[0].colour[0].address);
    }
    // All quads of textured draws read this line, and those before.
    void reads_line(Address address) {
        if (frame.accesses.empty()) frame.accesses.push_back({});
        ++frame.accesses[0].block_count;
        frame.blocks.push_back(static_cast<BlockNumber>(address / block_bytes));
    }
    // A pass that reads these lines by one quad.
    Pass& pass_that_reads(Address address) {
        pass(2);
        draw().fragment_program = texture_program;
        primitive();
        quad(0, 0);
        own_access_ = static_cast<std::uint32_t>(frame.accesses.size());
        frame.accesses.push_back({static_cast<std::uint32_t>(frame.blocks.size()), 1});
        frame.blocks.push_back(static_cast<BlockNumber>(address / block_bytes));
        return frame.passes.back();
    }
    const Frame& finish() {
        Scene::finish();
        if (own_access_ != 0) frame.quads.back().first_access = own_access_;
        return frame;
    }

  private:
    std::uint32_t own_access_ = 0;
};

}  // namespace models
