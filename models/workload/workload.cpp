#include "models/workload/workload.h"

#include <algorithm>
#include <string>

namespace models {

Workload::Workload(const Shape& shape)
    : shape_(shape),
      memory_(shape.memory, static_cast<Address>(shape.tiling.parameter_buffer.count()), shape.has_page_tables),
      next_code_(static_cast<BlockNumber>(memory_.code / block_bytes)),
      signatures_(shape.eliminates_transactions) {}

void Workload::load(const FrameTrace& trace, const Frame& frame, const ForEach& for_each) {
    decode_programs(trace);
    const bool is_immediate = shape_.rendering == Rendering::immediate;
    check_frame(trace, frame, programs_, memory_.buffers_end(), is_immediate, for_each);
    frame_ = &frame;
    order_.load(frame, programs_, for_each);
    resolves_.load(frame, order_, shape_.resolves_on_chip && !is_immediate);
    for (std::uint32_t pass = 0; pass < frame.passes.size(); ++pass)
        if (resolves_.resolving(pass) != none) order_.store_for(pass, resolves_.resolving(pass));
    signatures_.load(frame, resolves_);
    commands_.load(frame, resolves_, memory_.commands, shape_.command_bytes);
    uploads_.load(frame, memory_.constants, commands_.runs());
    constants_.load(frame, memory_.constants);
    quads_.load(frame, shape_.rendering, for_each);
    lists_.clear();
    primitives_.clear();
    targets_.clear();
    places_.assign(is_immediate ? frame.quads.size() : 0, {});
    for (std::uint32_t pass = 0; pass < frame.passes.size(); ++pass)
        if (is_immediate)
            add_order(frame.passes[pass]);
        else
            add_lists(pass);
}

void Workload::add_lists(std::uint32_t pass) {
    const Address half = static_cast<Address>(shape_.tiling.parameter_buffer.count()) * (pass % 2);
    if (resolves_.is_resolved(pass)) {
        Pass nothing;  // is left of it
        lists_.emplace_back(*frame_, nothing, shape_.tiling, memory_.parameter_buffers + half);
        return;
    }
    lists_.emplace_back(*frame_, frame_->passes[pass], shape_.tiling, memory_.parameter_buffers + half);
}

void Workload::add_order(const Pass& pass) {
    primitives_.emplace_back(*frame_, pass);
    Targets targets{{}, SurfaceBlocks(pass.depth), SurfaceBlocks(pass.depth).square_quads()};
    for (const Surface& surface : pass.colour) {
        targets.colour.emplace_back(surface);
        targets.square_quads = std::max(targets.square_quads, targets.colour.back().square_quads());
    }
    targets_.push_back(std::move(targets));
    for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t) {
        const Tile& tile = frame_->tiles[pass.first_tile + t];
        for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q)
            places_[q] = {static_cast<std::uint16_t>(t % pass.tiles_x * quads_across_tile + frame_->quads[q].x),
                          static_cast<std::uint16_t>(t / pass.tiles_x * quads_across_tile + frame_->quads[q].y)};
    }
}

void Workload::pass_over(const FrameTrace& trace, const Frame& frame, const ForEach& for_each) {
    decode_programs(trace);
    if (!shape_.eliminates_transactions) return;
    check_frame(trace, frame, programs_, memory_.buffers_end(), false, for_each);
    PassOrder order;
    order.load(frame, programs_, for_each);
    resolves_.load(frame, order, shape_.resolves_on_chip);
    signatures_.load(frame, resolves_);
}

void Workload::decode_programs(const FrameTrace& trace) {
    for (std::size_t i = programs_.size(); i < trace.programs.size(); ++i) {
        DecodedProgram& program = programs_.emplace_back(trace.programs[i]);
        program.code = next_code_;
        next_code_ += program.code_lines();
        registers_ = std::max(registers_, program.registers);
        file_registers_ = std::max(file_registers_, program.file_registers);
    }
    // A program known already may have been met on new paths since.
    for (std::size_t i = 0; i < programs_.size(); ++i) {
        if (programs_[i].paths() == trace.programs[i].paths.size()) continue;
        const BlockNumber code = programs_[i].code;
        programs_[i] = DecodedProgram(trace.programs[i]);
        programs_[i].code = code;
    }
    if (std::uint64_t{next_code_} * block_bytes > memory_.parameter_buffers)
        throw engine::InputError("the programs of the frame trace take more than the " +
                                 std::to_string(MemoryMap::code_bytes) + " bytes that the machine keeps for them");
}

std::uint32_t Workload::pass_of_tile(std::uint32_t tile) const {
    const auto& passes = frame_->passes;
    const auto after = std::upper_bound(passes.begin(), passes.end(), tile,
                                        [](std::uint32_t t, const Pass& pass) { return t < pass.first_tile; });
    return static_cast<std::uint32_t>(after - passes.begin() - 1);
}

}  // namespace models
