// The quads of a pass in the order of immediate rendering: primitive by primitive, each primitive's tile by tile as the
// trace has them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"

namespace models {

class PrimitiveOrder {
  public:
    PrimitiveOrder(const Frame& frame, const Pass& pass);

    // Of primitive `first_primitive() + i`: quads()[first_quad(i)] to quads()[first_quad(i + 1)], in Frame::quads.
    std::uint32_t first_primitive() const { return first_primitive_; }
    std::uint32_t primitives() const { return static_cast<std::uint32_t>(first_quad_.size() - 1); }
    std::uint32_t first_quad(std::uint32_t primitive) const { return first_quad_[primitive]; }
    const std::vector<std::uint32_t>& quads() const { return quads_; }

  private:
    std::uint32_t first_primitive_ = 0;
    std::vector<std::uint32_t> first_quad_, quads_;
};

}  // namespace models
