#include "models/workload/draw_constants.h"

namespace models {

void DrawConstants::load(const Frame& frame, Address ring) {
    runs_.clear();
    first_.assign(1, 0);
    for (const Draw& draw : frame.draws)
        for (const ShaderStage stage : {ShaderStage::vertex, ShaderStage::fragment}) {
            for (std::uint32_t i = 0; i < draw.constant_count; ++i) {
                const ConstantRange& range = frame.constants[draw.first_constant + i];
                if (range.stage == stage && range.bytes > 0) runs_.push_back(run_of(range.address, range.bytes, ring));
            }
            first_.push_back(static_cast<std::uint32_t>(runs_.size()));
        }
}

}  // namespace models
