// BLIT and RESOURCE_COPY_REGION as rectangles of quads. A blit samples its source with a built-in program and writes
// through the colour output, so it scales and converts; copies, and blits of depth and stencil, move bits from the
// nearest pixel. Blits from several samples to one give their mean, of depth and stencil the first.
//
// Refused by name: blits that convert depth or stencil, that blend, or that would show what is outside their source.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/functional/draw_pipeline.h"
#include "models/functional/fragment_work.h"

namespace models::functional {

// Bits of TransferCommand::mask.
inline constexpr std::uint8_t colour_bits = 0x0f, depth_bit = 0x10, stencil_bit = 0x20;

struct TransferBox {
    std::int32_t x = 0, y = 0, z = 0;
    std::int32_t width = 0, height = 0, depth = 0;  // negative: mirrored
};

struct TransferSide {
    std::shared_ptr<Resource> resource;
    std::uint32_t level = 0;
    Format format = Format::unknown;
    TransferBox box;

    std::uint32_t samples() const { return resource->description().samples; }
};

struct TransferCommand {
    std::uint64_t offset = 0;  // in the stream
    TransferSide source, target;
    std::uint8_t mask = colour_bits;  // red, green, blue, alpha, depth, stencil
    bool linear = false;
    bool scissored = false;
    Scissor scissor;
    bool copy = false;  // RESOURCE_COPY_REGION
};

// `context` resolves the handles.
TransferCommand decode_blit(const Words& words, const Context& context);
TransferCommand decode_copy_region(const Words& words, const Context& context);

// Copies between buffers, which are no pass of the frame.
void copy_buffer(const TransferCommand& command);

// One layer of a transfer: its target and the work for the tiles.
struct TransferLayer {
    RenderTargets targets;
    std::unique_ptr<FragmentWork> work;  // null: the rectangle is empty
    bool covers_target = false;
};
std::int32_t layer_count(const TransferCommand& command);
TransferLayer make_layer(const TransferCommand& command, std::int32_t layer, ProgramLibrary& library);

// Appends the draw and primitive of a transfer; call it after the pass began.
void record_transfer(FragmentWork& work, std::uint32_t samples, Frame& frame);

}  // namespace models::functional
