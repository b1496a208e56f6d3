#include "models/workload/workload.h"

#include <algorithm>
#include <string>

namespace models {
namespace {

constexpr Address code_bytes = 4 << 20;  // room for 256 Ki instructions

}  // namespace

Workload::Workload(const Shape& shape)
    : shape_(shape),
      parameter_buffers_(shape.memory - 2 * static_cast<Address>(shape.tiling.parameter_buffer.count())),
      code_(parameter_buffers_ > code_bytes ? parameter_buffers_ - code_bytes : 0),
      next_code_(static_cast<BlockNumber>(code_ / block_bytes)) {}

void Workload::load(const FrameTrace& trace, const Frame& frame) {
    decode_programs(trace);
    check_frame(trace, frame, programs_, code_);
    frame_ = &frame;
    lists_.clear();
    for (const Pass& pass : frame.passes) {
        const auto half = static_cast<Address>(shape_.tiling.parameter_buffer.count()) * (lists_.size() % 2);
        lists_.emplace_back(frame, pass, shape_.tiling, parameter_buffers_ + half);
    }
    quads_.load(frame, shape_.rendering);
    order_.load(frame, programs_);
}

void Workload::decode_programs(const FrameTrace& trace) {
    for (std::size_t i = programs_.size(); i < trace.programs.size(); ++i) {
        DecodedProgram& program = programs_.emplace_back(trace.programs[i]);
        program.code = next_code_;
        next_code_ += program.code_lines();
        registers_ = std::max(registers_, program.registers);
    }
    // A program known already may have been met on new paths since.
    for (std::size_t i = 0; i < programs_.size(); ++i) {
        if (programs_[i].paths() == trace.programs[i].paths.size()) continue;
        const BlockNumber code = programs_[i].code;
        programs_[i] = DecodedProgram(trace.programs[i]);
        programs_[i].code = code;
    }
    if (std::uint64_t{next_code_} * block_bytes > parameter_buffers_)
        throw engine::InputError("the programs of the frame trace take more than the " + std::to_string(code_bytes) +
                                 " bytes that the machine keeps for them");
}

std::uint32_t Workload::pass_of_tile(std::uint32_t tile) const {
    const auto& passes = frame_->passes;
    const auto after = std::upper_bound(passes.begin(), passes.end(), tile,
                                        [](std::uint32_t t, const Pass& pass) { return t < pass.first_tile; });
    return static_cast<std::uint32_t>(after - passes.begin() - 1);
}

}  // namespace models
