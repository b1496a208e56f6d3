#include "io/cut/use.h"

#include <algorithm>
#include <span>

#include "models/functional/draw_call.h"
#include "models/functional/transfer.h"

namespace io {

using models::functional::Command;
using models::functional::DrawingState;
using models::functional::Message;
using models::functional::VirglCommand;
using models::functional::VtestCommand;
using models::functional::Words;

namespace {

bool is_one_surface(const models::functional::Resource& resource) {
    return resource.levels() == 1 && resource.level(0).layers == 1;
}

// A box of level 0, from word `first` on, that is all there is.
bool is_whole(const models::functional::Resource& resource, const Words& words, std::uint32_t level,
              std::uint32_t first) {
    return is_one_surface(resource) && level == 0 && words[first] == 0 && words[first + 1] == 0 &&
           words[first + 3] == resource.level(0).width && words[first + 4] == resource.level(0).height &&
           words[first + 5] == 1;
}

struct Size {
    std::uint32_t width = ~0U, height = ~0U;
};

// A clear reaches no further than the smallest of the surfaces.
Size size_of(const models::functional::Framebuffer& framebuffer) {
    Size size;
    const auto narrow = [&](const std::shared_ptr<const models::functional::SurfaceObject>& surface) {
        if (!surface) return;
        const models::functional::Resource::Level& level = surface->resource->level(surface->level);
        size = {std::min(size.width, level.width), std::min(size.height, level.height)};
    };
    std::ranges::for_each(framebuffer.colour, narrow);
    narrow(framebuffer.depth);
    return size;
}

// Nothing is left of a resource if all of this surface is cleared within `size`.
bool is_all_of_resource(const models::functional::SurfaceObject& surface, Size size) {
    const models::functional::Resource& resource = *surface.resource;
    return is_one_surface(resource) && size.width == resource.level(0).width && size.height == resource.level(0).height;
}

}  // namespace

std::vector<ClearedSurface> cleared_surfaces(const models::functional::Framebuffer& framebuffer,
                                             std::uint32_t buffers) {
    std::vector<ClearedSurface> cleared;
    const Size size = size_of(framebuffer);
    for (std::size_t i = 0; i < framebuffer.colour.size(); ++i) {
        const auto& surface = framebuffer.colour[i];
        if (surface && (buffers >> i & models::functional::clear_first_colour_bit) != 0)
            cleared.push_back({surface->resource, is_all_of_resource(*surface, size)});
    }
    constexpr std::uint32_t both = models::functional::clear_depth_bit | models::functional::clear_stencil_bit;
    if (!framebuffer.depth || (buffers & both) == 0) return cleared;
    const auto& resource = framebuffer.depth->resource;
    const bool same_format = framebuffer.depth->format == resource->format().format;
    const std::uint32_t all = (resource->format().depth ? models::functional::clear_depth_bit : 0) |
                              (resource->format().stencil ? models::functional::clear_stencil_bit : 0);
    cleared.push_back(
        {resource, same_format && (buffers & all) == all && is_all_of_resource(*framebuffer.depth, size)});
    return cleared;
}

void ResourceUse::read(const std::shared_ptr<Resource>& resource) {
    if (resource && !overwritten_.contains(resource.get())) needed_.insert(resource.get());
}

void ResourceUse::overwrite(const std::shared_ptr<Resource>& resource) {
    if (!needed_.contains(resource.get())) overwritten_.insert(resource.get());
}

void ResourceUse::see(const Message& message) {
    const Words& words = message.words;
    if (message.command == VtestCommand::transfer_get) read(context_->resource(words, words[0]));
    if (message.command != VtestCommand::transfer_put) return;
    const auto& resource = context_->resource(words, words[0]);
    if (is_whole(*resource, words, words[1], 4))
        overwrite(resource);
    else
        read(resource);
}

void ResourceUse::see_draw(const Words& words) {
    const DrawingState& state = context_->state();
    for (const auto& surface : state.framebuffer.colour)
        if (surface) read(surface->resource);
    if (state.framebuffer.depth) read(state.framebuffer.depth->resource);
    for (const auto& stage : std::span(state.stages).first(models::functional::compute_stage)) {
        for (const auto& view : stage.views)
            if (view) read(view->resource);
        for (const auto& constants : stage.constants) read(constants.resource);
    }
    for (const auto& buffer : state.vertex_buffers) read(buffer.resource);
    read(state.index_buffer.resource);
    const std::uint32_t parameters = models::functional::indirect_buffer(words);
    if (parameters != 0) read(context_->resource(words, parameters));
}

// What a kernel writes it may leave in part as it was.
void ResourceUse::see_launch(const Words& words) {
    const models::functional::StageState& stage = context_->compute_state();
    for (const auto& view : stage.views)
        if (view) read(view->resource);
    for (const auto& constants : stage.constants) read(constants.resource);
    for (const auto& buffer : stage.buffers) read(buffer.resource);
    for (const auto& image : stage.images) read(image.resource);
    constexpr std::uint32_t indirect = 6;  // the word that names the grid's buffer, or 0
    if (words[indirect] != 0) read(context_->resource(words, words[indirect]));
}

void ResourceUse::see_clear(std::uint32_t buffers) {
    const models::functional::Framebuffer& framebuffer = context_->state().framebuffer;
    for (const ClearedSurface& cleared : cleared_surfaces(framebuffer, buffers))
        cleared.whole ? overwrite(cleared.resource) : read(cleared.resource);
    // The trace has the final colours of all targets of a pass, also of those that nothing in it writes.
    for (const auto& surface : framebuffer.colour)
        if (surface) read(surface->resource);
}

void ResourceUse::see(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::draw_vbo:
            see_draw(words);
            break;
        case VirglCommand::launch_grid:
            see_launch(words);
            break;
        case VirglCommand::clear:
            see_clear(words[0]);
            break;
        case VirglCommand::blit: {
            const auto blit = models::functional::decode_blit(words, *context_);
            read(blit.source.resource);
            read(blit.target.resource);
            break;
        }
        case VirglCommand::resource_copy_region: {
            const auto copy = models::functional::decode_copy_region(words, *context_);
            read(copy.source.resource);
            read(copy.target.resource);
            break;
        }
        case VirglCommand::resource_inline_write:
        case VirglCommand::clear_texture:
            read(context_->resource(words, words[0]));
            break;
        default:
            break;
    }
}

}  // namespace io
