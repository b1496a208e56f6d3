// The constant buffers of a shader stage for one draw, as the executor takes them. What lies in resources is copied
// when the draw is issued, so that later writes to the resource do not reach back into it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "models/functional/virgl/context.h"

namespace models::functional {

class BoundConstants {
  public:
    BoundConstants() = default;
    // `declared`: how many vec4s of each buffer the program can reach; the rest of a resource is not copied.
    BoundConstants(const StageState& state, ShaderStage stage, std::span<const std::uint32_t> declared);
    BoundConstants(const BoundConstants&) = delete;
    BoundConstants& operator=(const BoundConstants&) = delete;
    BoundConstants(BoundConstants&&) noexcept = default;
    BoundConstants& operator=(BoundConstants&&) noexcept = default;
    ~BoundConstants() = default;

    std::span<const std::span<const float>> spans() const { return spans_; }
    std::uint32_t bytes() const { return bytes_; }  // of all buffers
    // Where the buffers that the program declares are in simulated memory, as far as it reaches.
    std::span<const ConstantRange> ranges() const { return ranges_; }

  private:
    std::vector<std::shared_ptr<const std::vector<float>>> held_;
    std::vector<std::span<const float>> spans_;  // by buffer
    std::vector<ConstantRange> ranges_;          // by buffer
    std::uint32_t bytes_ = 0;
};

}  // namespace models::functional
