#include "models/polygon_list_builder.h"

#include <algorithm>

namespace models {

using engine::Time;

PolygonListBuilder::PolygonListBuilder(engine::CounterList* counters, const MachineParameters& parameters,
                                       const Workload& workload, MemoryPort& memory, int client)
    : workload_(workload),
      memory_(&memory),
      tag_(RequestTag::of(client)),
      most_lines_(static_cast<std::size_t>(parameters.tiling.write_buffer())),
      period_(Clocks(parameters).gpu),
      queue_(static_cast<std::size_t>(parameters.geometry.triangle_queue())),
      primitives_(counters, "primitives", "1", "primitives written to the parameter buffer"),
      entries_(counters, "list_entries", "1", "entries written to tile lists"),
      lines_written_(counters, "parameter_lines", "1", "whole lines written to the parameter buffer"),
      parts_written_(counters, "parameter_parts", "1", "lines written in part to the parameter buffer") {
    lines_.reserve(most_lines_);
}

void PolygonListBuilder::begin_pass(std::uint32_t pass) {
    const PolygonLists& lists = workload_.lists(pass);
    pass_ = pass;
    record_line_ = static_cast<BlockNumber>(lists.records.front() / block_bytes);
    lengths_.assign(lists.tiles(), 0);
}

bool PolygonListBuilder::step(Time now, bool draining) {
    if (queue_.empty()) return draining && drain(now);
    return binning_ ? write_entry(now, queue_.front()) : write_record(now, queue_.front());
}

bool PolygonListBuilder::write_record(Time now, std::uint32_t position) {
    const PolygonLists& lists = workload_.lists(pass_);
    const Address end = lists.records[position + 1];
    if ((Address{record_line_} + 1) * block_bytes <= end) {
        if (!write(now, record_line_, true)) return false;
        ++record_line_;
    }
    if ((Address{record_line_} + 1) * block_bytes <= end) return true;
    tail_ = end % block_bytes != 0;
    ++primitives_;
    const Primitive& primitive = workload_.frame().primitives[lists.primitives[position]];
    tile_x_ = primitive.tile_x0;
    tile_y_ = primitive.tile_y0;
    binning_ = true;
    return true;
}

bool PolygonListBuilder::write_entry(Time now, std::uint32_t position) {
    const PolygonLists& lists = workload_.lists(pass_);
    const Primitive& primitive = workload_.frame().primitives[lists.primitives[position]];
    const std::uint32_t tile = tile_y_ * workload_.frame().passes[pass_].tiles_x + tile_x_;
    const std::uint32_t length = lengths_[tile];
    const BlockNumber block = lists.chunks[lists.first_chunk[tile] + length / lists.entries_per_chunk];
    const auto found =
        std::find_if(lines_.begin(), lines_.end(), [&](const ListLine& line) { return line.block == block; });
    const bool fills = (length + 1) % lists.entries_per_chunk == 0;
    if (found != lines_.end()) {
        const ListLine line{block, found->entries + 1};
        if (fills && !write(now, block, line.entries == lists.entries_per_chunk)) return false;
        lines_.erase(found);
        if (!fills) lines_.push_back(line);
    } else if (fills) {
        if (!write(now, block, lists.entries_per_chunk == 1)) return false;
    } else {
        if (lines_.size() == most_lines_) {
            if (!write(now, lines_.front().block, false)) return false;
            lines_.erase(lines_.begin());
        }
        lines_.push_back({block, 1});
    }
    ++lengths_[tile];
    ++entries_;
    next_tile(primitive);
    return true;
}

void PolygonListBuilder::next_tile(const Primitive& primitive) {
    if (tile_x_++ < primitive.tile_x1) return;
    tile_x_ = primitive.tile_x0;
    if (tile_y_++ < primitive.tile_y1) return;
    binning_ = false;
    queue_.pop();
}

bool PolygonListBuilder::drain(Time now) {
    if (tail_) {
        if (!write(now, record_line_, false)) return false;
        tail_ = false;
        return true;
    }
    if (lines_.empty() || !write(now, lines_.front().block, false)) return false;
    lines_.erase(lines_.begin());
    return true;
}

bool PolygonListBuilder::write(Time now, BlockNumber block, bool whole) {
    if (!memory_->can_send(block)) return false;
    MemoryRequest request;
    request.block = block;
    request.tag = tag_;
    request.operation = whole ? MemoryOperation::write_line : MemoryOperation::write_part;
    memory_->send(now, request, period_);
    ++in_flight_;
    ++(whole ? lines_written_ : parts_written_);
    return true;
}

}  // namespace models
