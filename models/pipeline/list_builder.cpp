#include "models/pipeline/list_builder.h"

#include <algorithm>

namespace models {

using engine::Time;

ListBuilder::ListBuilder(const engine::CounterScope& scope, const TilingParameters& parameters, int triangle_queue,
                         const Workload& workload, MemoryPort& memory, int part, Time period)
    : primitives(scope, "primitives", "1", "primitives written to the parameter buffer"),
      list_entries(scope, "list_entries", "1", "entries written to tile lists"),
      whole_lines(scope, "parameter_lines", "1", "whole lines written to the parameter buffer"),
      part_lines(scope, "parameter_parts", "1", "lines written in part to the parameter buffer"),
      workload_(workload),
      memory_(&memory),
      tag_(RequestTag::of(part)),
      most_lines_(static_cast<std::size_t>(parameters.write_buffer())),
      period_(period),
      queue_(static_cast<std::size_t>(triangle_queue)) {
    lines_.reserve(most_lines_);
}

void ListBuilder::begin_pass(std::uint32_t pass) {
    const PolygonLists& lists = workload_.lists(pass);
    pass_ = pass;
    record_line_ = static_cast<BlockNumber>(lists.records.front() / block_bytes);
    lengths_.assign(lists.tiles(), 0);
}

bool ListBuilder::step(Time now, bool draining) {
    if (queue_.empty()) return draining && drain(now);
    return binning_ ? write_entry(now, queue_.front()) : write_record(now, queue_.front());
}

bool ListBuilder::write_record(Time now, std::uint32_t position) {
    const PolygonLists& lists = workload_.lists(pass_);
    const Address end = lists.records[position + 1];
    if ((Address{record_line_} + 1) * block_bytes <= end) {
        if (!write(now, record_line_, true)) return false;
        ++record_line_;
    }
    if ((Address{record_line_} + 1) * block_bytes <= end) return true;
    tail_ = end % block_bytes != 0;
    ++primitives;
    bin_ = lists.first_tile[position];
    binning_ = bin_ < lists.first_tile[position + 1];
    if (!binning_) queue_.pop();
    return true;
}

bool ListBuilder::write_entry(Time now, std::uint32_t position) {
    const PolygonLists& lists = workload_.lists(pass_);
    const std::uint32_t tile = lists.tiles_of[bin_];
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
    ++list_entries;
    if (++bin_ < lists.first_tile[position + 1]) return true;
    binning_ = false;
    queue_.pop();
    return true;
}

bool ListBuilder::drain(Time now) {
    if (tail_) {
        if (!write(now, record_line_, false)) return false;
        tail_ = false;
        return true;
    }
    if (lines_.empty() || !write(now, lines_.front().block, false)) return false;
    lines_.erase(lines_.begin());
    return true;
}

bool ListBuilder::write(Time now, BlockNumber block, bool whole) {
    if (!memory_->can_send(block)) return false;
    MemoryRequest request;
    request.block = block;
    request.tag = tag_;
    request.client = MemoryClient::tile_lists;
    request.operation = whole ? MemoryOperation::write_line : MemoryOperation::write_part;
    memory_->send(now, request, period_);
    ++in_flight_;
    ++(whole ? whole_lines : part_lines);
    return true;
}

void ListBuilder::serialize(engine::Archive& archive) {
    archive(queue_, pass_, record_line_, tail_, binning_, bin_, lengths_, lines_, in_flight_);
}

}  // namespace models
