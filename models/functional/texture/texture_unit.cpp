#include "models/functional/texture/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "engine/error.h"
#include "models/functional/texture/sampling.h"

namespace models::functional {

namespace {

ResourceTarget target_of(TextureTarget target) {
    using enum TextureTarget;
    switch (target) {
        case buffer:
            return ResourceTarget::buffer;
        case t1d:
        case shadow1d:
            return ResourceTarget::t1d;
        case t2d:
        case t2d_multisampled:
        case shadow2d:
            return ResourceTarget::t2d;
        case t3d:
            return ResourceTarget::t3d;
        case cube:
        case shadow_cube:
            return ResourceTarget::cube;
        case rect:
        case shadow_rect:
            return ResourceTarget::rect;
        case t1d_array:
        case shadow1d_array:
            return ResourceTarget::t1d_array;
        case t2d_array:
        case shadow2d_array:
            return ResourceTarget::t2d_array;
        case cube_array:
        case shadow_cube_array:
            return ResourceTarget::cube_array;
    }
    return ResourceTarget::t2d;
}

// Programs and views must mean the same kind of texture; 2D and rectangle differ only in what the view says.
void check_target(const TextureRequest& request, const BoundTexture& texture) {
    const auto kind = [](ResourceTarget t) { return t == ResourceTarget::rect ? ResourceTarget::t2d : t; };
    const ResourceTarget wanted = target_of(request.target);
    const bool multisampled = request.target == TextureTarget::t2d_multisampled;
    if (kind(wanted) == kind(texture.target) && multisampled == (texture.samples > 1)) return;
    std::string message = "instruction ";
    message += std::to_string(request.instruction);
    message += " samples a ";
    message += multisampled ? "multisampled " : "";
    message += resource_target_name(wanted);
    message += " texture on unit ";
    message += std::to_string(request.unit);
    message += ", which holds a ";
    message += texture.samples > 1 ? "multisampled " : "";
    message += resource_target_name(texture.target);
    message += " texture";
    throw engine::InputError(message);
}

// What OpenGL returns where no texture is bound.
void black(LaneMask active, Vec4Lanes& result) {
    for (LaneMask rest = whole_quads(active); rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        for (int c = 0; c < 4; ++c) result.c[c][lane] = c == 3 ? 1.0F : 0.0F;
    }
}

// Appends the groups' blocks, without repetition within a group.
void append(const BlockLog& log, LaneMask active, LaneGrouping grouping, Footprint& footprint) {
    FootprintEntry& entry = footprint.entries.back();
    const int lanes = lanes_of(grouping);
    int before = -1;  // the lane before in the group
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const int neighbour = before >= 0 && before / lanes == lane / lanes ? before : -1;
        before = lane;
        if (neighbour >= 0 && log.blocks(neighbour) == log.blocks(lane)) continue;  // as is most often so
        std::uint16_t& count = entry.count[static_cast<std::size_t>(lane / lanes)];
        for (const BlockNumber block : log.blocks(lane)) {
            const auto group = footprint.blocks.end() - count;
            if (std::find(group, footprint.blocks.end(), block) != footprint.blocks.end()) continue;
            footprint.blocks.push_back(block);
            ++count;
        }
    }
}

}  // namespace

TextureUnit::TextureUnit() : scratch_(std::make_unique<TextureScratch>()) {}
TextureUnit::~TextureUnit() = default;

void TextureUnit::begin(const TextureBindings& bindings, LaneGrouping grouping, Footprint* footprint) {
    bindings_ = &bindings;
    grouping_ = grouping;
    footprint_ = footprint;
}

void TextureUnit::sample(const TextureRequest& request, Vec4Lanes& result) {
    assert(bindings_ != nullptr);
    const BoundTexture* texture = bindings_->find(request.unit);
    if (footprint_ != nullptr) {
        footprint_->entries.push_back({.instruction = request.instruction,
                                       .active = request.active,
                                       .first_block = static_cast<std::uint32_t>(footprint_->blocks.size()),
                                       .count = {},
                                       .cost = {},
                                       .texel_bytes = 0,
                                       .continues = request.continues});
    }
    if (texture == nullptr) return black(request.active, result);
    check_target(request, *texture);
    scratch_->cache.invalidate();
    const bool record = footprint_ != nullptr;
    if (record) scratch_->log.begin(request.active);
    Sampling sampling(*texture, request, grouping_, record, *scratch_, result);
    sampling.run();
    if (!record) return;
    append(scratch_->log, request.active, grouping_, *footprint_);
    sampling.measure(footprint_->entries.back().cost);
    footprint_->entries.back().texel_bytes = texture->texel_bytes();
}

}  // namespace models::functional
