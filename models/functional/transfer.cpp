#include "models/functional/transfer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "engine/error.h"
#include "models/functional/draw_recorder.h"

namespace models::functional {

namespace {

constexpr const char* blit_2d = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 2D
  1: END
)";
constexpr const char* blit_3d = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 3D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 3D
  1: END
)";
// The mean of a pixel's samples.
constexpr const char* resolve_samples = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D_MSAA, FLOAT
DCL TEMP[0..2]
IMM[0] UINT32 {0, 1, 2, 3}
IMM[1] FLT32 {0.25, 0.25, 0.25, 0.25}
  0: F2I TEMP[0].xy, IN[0].xyyy
  1: MOV TEMP[0].w, IMM[0].xxxx
  2: TXF TEMP[1], TEMP[0], SAMP[0], 2D_MSAA
  3: MOV TEMP[0].w, IMM[0].yyyy
  4: TXF TEMP[2], TEMP[0], SAMP[0], 2D_MSAA
  5: ADD TEMP[1], TEMP[1], TEMP[2]
  6: MOV TEMP[0].w, IMM[0].zzzz
  7: TXF TEMP[2], TEMP[0], SAMP[0], 2D_MSAA
  8: ADD TEMP[1], TEMP[1], TEMP[2]
  9: MOV TEMP[0].w, IMM[0].wwww
 10: TXF TEMP[2], TEMP[0], SAMP[0], 2D_MSAA
 11: ADD TEMP[1], TEMP[1], TEMP[2]
 12: MUL OUT[0], TEMP[1], IMM[1]
 13: END
)";
constexpr const char* copy_texels = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TXF OUT[0], IN[0], SAMP[0], 2D
  1: END
)";

// The bits of a depth and stencil format that a blit of depth, stencil or both writes.
std::uint64_t written_bits(const FormatInfo& format, std::uint8_t mask) {
    const bool depth = (mask & depth_bit) != 0 || !format.depth, stencil = (mask & stencil_bit) != 0 || !format.stencil;
    if (depth && stencil) return ~0ULL;
    const Channel& kept = format.channels[depth ? 1 : 0];
    return ~(((1ULL << kept.bits) - 1) << kept.shift);
}

RawCopy raw_copy(const TransferCommand& command, std::uint32_t layer, TransferRectangle& rectangle) {
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    const FormatInfo& format = command.target.resource->format();
    const std::int32_t width = format.block_width, height = format.block_height;
    const auto blocks = [](std::int32_t texels, std::int32_t block) { return (texels + block - 1) / block; };
    RawCopy copy;
    copy.level = command.source.level;
    copy.source = command.source.resource->surface(command.source.level, static_cast<std::uint32_t>(s.z) + layer);
    copy.target = command.target.resource->surface(command.target.level, static_cast<std::uint32_t>(t.z) + layer);
    copy.x = {t.x / width, blocks(t.width, width), s.x / width, blocks(s.width, width)};
    copy.y = {t.y / height, blocks(t.height, height), s.y / height, blocks(s.height, height)};
    if (format.depth || format.stencil) copy.mask = written_bits(format, command.mask);
    rectangle.region = {t.x / width, t.y / height, t.x / width + blocks(t.width, width) - 1,
                        t.y / height + blocks(t.height, height) - 1};
    return copy;
}

// Where in its source's depth of 0 to 1 a slice of the target lies. Of fewer slices each is in the middle of those that
// it stands for where their number is even; the reference's formula has it elsewhere where it is odd.
float slice_position(const TransferCommand& command, std::uint32_t layer) {
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    const auto slices = static_cast<float>(command.source.resource->level(command.source.level).layers);
    if (s.depth == t.depth) return (static_cast<float>(static_cast<std::uint32_t>(s.z) + layer) + 0.5F) / slices;
    const float scale = static_cast<float>(s.depth) / static_cast<float>(t.depth);
    const float offset = (static_cast<float>(s.depth - 1) - static_cast<float>(t.depth - 1) * scale) * 0.5F;
    return (static_cast<float>(layer) + offset) * scale / slices;
}

// Binds the source of a blit and sets up how pixels of the target map to it.
void bind_source(const TransferCommand& command, std::uint32_t layer, FragmentWork& work) {
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    const Resource& resource = *command.source.resource;
    const Resource::Level& level = resource.level(command.source.level);
    const bool volume = resource.description().target == ResourceTarget::t3d;
    const std::uint32_t z = static_cast<std::uint32_t>(s.z) + layer;
    SamplerView view;
    view.resource = &resource;
    view.format = command.source.format;
    view.target = volume ? ResourceTarget::t3d : ResourceTarget::t2d;
    view.first_level = view.last_level = command.source.level;
    view.first_layer = view.last_layer = volume ? 0 : z;
    SamplerState sampler;
    sampler.wrap_s = sampler.wrap_t = sampler.wrap_r = Wrap::clamp_to_edge;
    sampler.min_filter = sampler.mag_filter = command.linear ? ImageFilter::linear : ImageFilter::nearest;
    work.textures.bind(0, view, sampler);
    work.sampled.push_back(command.source.resource);

    TransferRectangle& r = work.rectangle;
    r.region = {t.x, t.y, t.x + t.width - 1, t.y + t.height - 1};
    r.ds = static_cast<double>(s.width) / t.width / level.width;
    r.dt = static_cast<double>(s.height) / t.height / level.height;
    r.s = static_cast<double>(s.x) / level.width + (0.5 - t.x) * r.ds;
    r.t = static_cast<double>(s.y) / level.height + (0.5 - t.y) * r.dt;
    if (resource.description().samples > 1) {  // texels, which the program fetches
        r.ds = s.width < 0 ? -1 : 1;
        r.dt = s.height < 0 ? -1 : 1;
        r.s = s.x + (0.5 - t.x) * r.ds;
        r.t = s.y + (0.5 - t.y) * r.dt;
    } else if (!command.linear) {
        r.nearest = {.x = {t.x, t.width, s.x, s.width},
                     .y = {t.y, t.height, s.y, s.height},
                     .width = static_cast<double>(level.width),
                     .height = static_cast<double>(level.height)};
    }
    r.layer = volume ? slice_position(command, layer) : 0;
}

}  // namespace

void copy_buffer(const TransferCommand& command) {
    const auto size = static_cast<std::size_t>(command.source.box.width);
    std::memmove(command.target.resource->bytes().data() + command.target.box.x,
                 std::as_const(*command.source.resource).bytes().data() + command.source.box.x, size);
}

std::int32_t layer_count(const TransferCommand& command) {
    return command.target.box.depth;
}

TransferLayer make_layer(const TransferCommand& command, std::int32_t layer, ProgramLibrary& library) {
    const auto number = static_cast<std::uint32_t>(layer);
    const auto target_layer = static_cast<std::uint32_t>(command.target.box.z) + number;
    auto surface = std::make_shared<SurfaceObject>(
        SurfaceObject{command.target.resource, command.target.format, command.target.level, target_layer});
    TransferLayer made;
    made.targets.framebuffer.colour.push_back(surface);
    const SurfaceView view = view_of(*surface);
    const FormatInfo& format = *view.format;
    made.targets.samples = view.samples;
    made.targets.width = (view.width + format.block_width - 1) / format.block_width;
    made.targets.height = (view.height + format.block_height - 1) / format.block_height;

    auto work = std::make_unique<FragmentWork>();
    work->kind = DrawKind::transfer;
    work->offset = command.offset;
    work->writes = true;
    if (command.copy) {
        work->program = &library.compile(copy_texels, command.offset);
        work->copy = raw_copy(command, number, work->rectangle);
    } else {
        const bool volume = command.source.resource->description().target == ResourceTarget::t3d;
        const bool resolve = command.source.samples() > 1;
        work->program = &library.compile(resolve ? resolve_samples : volume ? blit_3d : blit_2d, command.offset);
        bind_source(command, number, *work);
        TargetBlend blend;
        blend.colour_mask = command.mask & colour_bits;
        work->outputs.push_back({0, ColourOutput(BlendState{}, blend, view), -1, false});
        work->colour_mask = work->outputs[0].target.channels_written();
        work->partial = work->outputs[0].target.keeps_channels() ? 1 : 0;
    }
    Region all{0, 0, static_cast<std::int32_t>(made.targets.width) - 1,
               static_cast<std::int32_t>(made.targets.height) - 1};
    if (command.scissored) {
        const Scissor& s = command.scissor;
        all = intersection(all, {static_cast<std::int32_t>(s.x0), static_cast<std::int32_t>(s.y0),
                                 static_cast<std::int32_t>(s.x1) - 1, static_cast<std::int32_t>(s.y1) - 1});
    }
    work->rectangle.region = intersection(work->rectangle.region, all);
    made.covers_target = work->rectangle.region == Region{0, 0, static_cast<std::int32_t>(made.targets.width) - 1,
                                                          static_cast<std::int32_t>(made.targets.height) - 1} &&
                         (work->copy ? work->copy->mask == ~0ULL : command.mask >= colour_bits);
    if (!work->rectangle.region.empty()) made.work = std::move(work);
    return made;
}

void record_transfer(FragmentWork& work, std::uint32_t samples, Frame& frame) {
    const auto tile = [](std::int32_t pixel) {
        return static_cast<std::uint16_t>(pixel / static_cast<std::int32_t>(trace_tile_pixels));
    };
    const Region& region = work.rectangle.region;
    Draw draw = describe_fragments(work);
    draw.colour_targets = 1;
    draw.samples = static_cast<std::uint8_t>(samples);
    if (work.copy) {
        draw.colour_mask = 15;
        draw.partial = work.copy->mask != ~0ULL ? 1 : 0;  // depths or stencils alone
    }
    draw.first_primitive = static_cast<std::uint32_t>(frame.primitives.size());
    draw.primitive_count = draw.assembled_primitives = 1;
    work.rectangle_primitive = draw.first_primitive;
    frame.primitives.push_back({static_cast<std::uint32_t>(frame.draws.size()),
                                0,
                                {},
                                tile(region.x0),
                                tile(region.y0),
                                tile(region.x1),
                                tile(region.y1)});
    frame.draws.push_back(draw);
}

}  // namespace models::functional
