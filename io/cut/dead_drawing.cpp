#include "io/cut/dead_drawing.h"

#include <algorithm>
#include <cstring>

#include "io/cut/use.h"
#include "models/functional/draw_call.h"
#include "models/functional/transfer.h"

namespace io {

using models::functional::Command;
using models::functional::DrawingState;
using models::functional::VirglCommand;

namespace {

constexpr std::uint64_t header_bytes = 4;
constexpr std::uint32_t length_bits = 0xffff0000;  // of a header; what is left is the number of NOP, 0

void make_nop(std::span<std::byte> stream, std::uint64_t offset) {
    std::uint32_t header = 0;
    std::memcpy(&header, &stream[offset], sizeof header);
    header &= length_bits;
    std::memcpy(&stream[offset], &header, sizeof header);
}

}  // namespace

void DeadDrawing::note(const std::shared_ptr<Resource>& resource, How how) {
    if (!resource) return;
    const auto number = static_cast<std::uint32_t>(resources_.size());
    uses_.push_back({resources_.emplace(resource, number).first->second, how});
}

void DeadDrawing::note_draw(const models::functional::Words& words) {
    const DrawingState& state = context_->state();
    for (const auto& surface : state.framebuffer.colour)
        if (surface) note(surface->resource, How::writes);
    if (state.framebuffer.depth) {
        note(state.framebuffer.depth->resource, How::writes);
        note(state.framebuffer.depth->resource, How::reads);  // the test decides which colours are written
    }
    for (const auto& stage : std::span(state.stages).first(models::functional::compute_stage)) {
        for (const auto& view : stage.views)
            if (view) note(view->resource, How::reads);
        for (const auto& constants : stage.constants) note(constants.resource, How::reads);
    }
    for (const auto& buffer : state.vertex_buffers) note(buffer.resource, How::reads);
    note(state.index_buffer.resource, How::reads);
    const std::uint32_t parameters = models::functional::indirect_buffer(words);
    if (parameters != 0) note(context_->resource(words, parameters), How::reads);
}

void DeadDrawing::note_launch(const models::functional::Words& words) {
    const models::functional::StageState& stage = context_->compute_state();
    for (const auto& view : stage.views)
        if (view) note(view->resource, How::reads);
    for (const auto& constants : stage.constants) note(constants.resource, How::reads);
    const auto note_both = [this](const std::shared_ptr<Resource>& resource) {
        note(resource, How::reads);
        note(resource, How::writes);
    };
    for (const auto& buffer : stage.buffers) note_both(buffer.resource);
    for (const auto& image : stage.images) note_both(image.resource);
    constexpr std::uint32_t indirect = 6;  // the word that names the grid's buffer, or 0
    if (words[indirect] != 0) note(context_->resource(words, words[indirect]), How::reads);
}

void DeadDrawing::note_clear(std::uint32_t buffers) {
    for (const ClearedSurface& cleared : cleared_surfaces(context_->state().framebuffer, buffers))
        note(cleared.resource, cleared.whole ? How::overwrites : How::writes);
}

void DeadDrawing::see(const Command& command) {
    const std::size_t first = uses_.size();
    switch (command.command) {
        case VirglCommand::draw_vbo:
            note_draw(command.words);
            break;
        case VirglCommand::launch_grid:
            note_launch(command.words);
            break;
        case VirglCommand::clear:
            note_clear(command.words[0]);
            break;
        case VirglCommand::blit: {
            const auto blit = models::functional::decode_blit(command.words, *context_);
            note(blit.source.resource, How::reads);
            note(blit.target.resource, How::writes);
            break;
        }
        case VirglCommand::resource_copy_region: {
            const auto copy = models::functional::decode_copy_region(command.words, *context_);
            note(copy.source.resource, How::reads);
            note(copy.target.resource, How::writes);
            break;
        }
        default:
            return;
    }
    drawings_.push_back({command.words.offset() - header_bytes, first, uses_.size()});
}

std::size_t DeadDrawing::erase(std::span<std::byte> stream, const std::set<const Resource*>& needed) const {
    std::vector<bool> live(resources_.size());
    for (const auto& [resource, number] : resources_) live[number] = needed.contains(resource.get());
    std::size_t erased = 0;
    for (auto drawing = drawings_.rbegin(); drawing != drawings_.rend(); ++drawing) {
        const auto uses = std::span(uses_).subspan(drawing->first_use, drawing->end_of_uses - drawing->first_use);
        if (std::ranges::none_of(uses, [&](const Use& use) { return use.how != How::reads && live[use.resource]; })) {
            make_nop(stream, drawing->header);
            ++erased;
            continue;
        }
        for (const Use& use : uses)
            if (use.how == How::overwrites) live[use.resource] = false;
        for (const Use& use : uses)
            if (use.how == How::reads) live[use.resource] = true;
    }
    return erased;
}

}  // namespace io
