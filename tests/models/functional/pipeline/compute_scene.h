// Small recordings of compute programs written by hand: buffers, programs and launches, without a window.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "models/functional/renderer.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {

class ComputeScene {
  public:
    static constexpr std::uint32_t stage = 5;

    // A buffer with these dwords.
    std::uint32_t buffer(const WordList& words) {
        const std::uint32_t handle = next_++;
        const auto bytes = static_cast<std::uint32_t>(words.size() * 4);
        stream.resource(handle, 0, 64, 0x4000, bytes, 1).put(handle, 0, bytes, 1, words);
        return handle;
    }
    std::uint32_t texture(std::uint32_t format, std::uint32_t width, std::uint32_t height, const WordList& texels) {
        const std::uint32_t handle = next_++;
        stream.resource(handle, 2, format, 0xa, width, height);
        if (!texels.empty()) stream.put(handle, 0, width, height, texels);
        return handle;
    }
    void bind_buffer(std::uint32_t slot, std::uint32_t handle, std::uint32_t bytes, std::uint32_t offset = 0) {
        commands.add(VirglCommand::set_shader_buffers, {stage, slot, offset, bytes, handle});
    }
    void bind_image(std::uint32_t slot, std::uint32_t handle, std::uint32_t format, std::uint32_t layers = 0,
                    std::uint32_t level = 0) {
        commands.add(VirglCommand::set_shader_images, {stage, slot, format, 3, layers, level, handle});
    }
    void program(std::string_view text, std::uint32_t shared_bytes = 0) {
        const std::uint32_t handle = next_++;
        WordList words{handle, stage, static_cast<std::uint32_t>(text.size() + 1), 300, shared_bytes};
        std::vector<char> padded(text.begin(), text.end());
        padded.resize((text.size() + 4) / 4 * 4);
        const std::size_t first = words.size();
        words.resize(first + padded.size() / 4);
        std::memcpy(words.data() + first, padded.data(), padded.size());
        commands.create(ObjectType::shader, words).add(VirglCommand::bind_shader, {handle, stage});
    }
    void launch(std::array<std::uint32_t, 3> block, std::array<std::uint32_t, 3> grid, std::uint32_t indirect = 0,
                std::uint32_t offset = 0) {
        commands.add(VirglCommand::launch_grid,
                     {block[0], block[1], block[2], grid[0], grid[1], grid[2], indirect, offset});
    }
    void submit() {
        stream.submit(commands);
        commands = {};
    }
    // The client reads a whole buffer back; `reply` is what the recording says it had.
    void read_back(std::uint32_t handle, const WordList& reply) {
        submit();
        const auto bytes = static_cast<std::uint32_t>(reply.size() * 4);
        stream.message(VtestCommand::resource_busy_wait, {handle, 1});
        stream.message(VtestCommand::transfer_get, {handle, 0, bytes, 0, 0, 0, 0, bytes, 1, 1, bytes});
        stream.record(1, bytes_of(reply));
        stream.message(VtestCommand::resource_busy_wait, {handle, 1});
    }

    StreamWriter stream;
    Commands commands;

  private:
    std::uint32_t next_ = 1;
};

// The dwords of a buffer or texture when all of the scene has run.
inline WordList contents(ComputeScene& scene, std::uint32_t handle, int threads = 1) {
    scene.submit();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = threads});
    while (renderer.next_frame(nullptr, nullptr, nullptr)) {
    }
    const Resource& resource = *renderer.context().resources().at(handle);
    WordList words(resource.bytes().size() / 4);
    std::memcpy(words.data(), resource.bytes().data(), words.size() * 4);
    return words;
}

// A program for blocks of `width` threads that knows its global number in TEMP[0].x and four times that in TEMP[1].x.
// `declarations` and `body` follow; IMM[0] is {4, 1, 0, width}.
inline std::string linear_program(std::uint32_t width, const std::string& declarations, const std::string& body) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH " + std::to_string(width) +
           "\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\n"
           "DCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\nDCL TEMP[0..9]\nDCL ADDR[0]\n"
           "IMM[0] UINT32 {4, 1, 0, " +
           std::to_string(width) + "}\n" + declarations +
           "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].wwww, SV[0].xxxx\nUMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n" + body +
           "END\n";
}

}  // namespace models::functional
