// Depth and stencil test and write, and the alpha test, for batches of quads. Depth is compared as the buffer stores
// it: a fragment's depth is first quantised to the buffer's format.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/functional/output/quads.h"
#include "models/functional/texture/sampler_state.h"

namespace models::functional {

enum class StencilOperation : std::uint8_t {
    keep,
    zero,
    replace,
    increment,  // saturating
    decrement,
    increment_wrap,
    decrement_wrap,
    invert,
};

struct StencilFace {
    bool enabled = false;
    CompareFunction function = CompareFunction::always;
    StencilOperation fail = StencilOperation::keep, depth_fail = StencilOperation::keep, pass = StencilOperation::keep;
    std::uint8_t value_mask = 0xff, write_mask = 0xff;
};

struct DepthStencilState {
    bool depth_test = false;
    bool depth_write = false;  // has effect only with depth_test
    CompareFunction depth_function = CompareFunction::less;
    StencilFace stencil[2];  // front, back; when only the front is enabled it serves both
    std::uint8_t reference[2] = {};
};

class DepthStencilUnit {
  public:
    // `surface` has a depth or stencil format. Tests that need what the format lacks always pass.
    DepthStencilUnit(const DepthStencilState& state, const SurfaceView& surface);

    bool active() const { return depth_test_ || stencil_test_; }
    bool tests_depth() const { return depth_test_; }
    bool tests_stencil() const { return stencil_test_; }
    // Whether test() may change the buffer.
    bool writes() const { return writes_depth() || writes_stencil(); }
    bool writes_depth() const { return depth_test_ && state_.depth_write; }
    bool writes_stencil() const;
    bool changes_on_failure() const;  // stencil, where a fragment does not pass

    // Tests and updates the buffer for the lanes in `covered`, which lie inside the surface. depth: one float per lane,
    // clamped to 0..1 for unorm formats. back: lanes of primitives that face away. Returns the lanes that pass. sample:
    // of the surface's pixels. updates: lanes that change the buffer; for the others the test is only made.
    LaneMask test(const QuadPositions& quads, LaneMask covered, const float* depth, LaneMask back,
                  std::uint32_t sample = 0, LaneMask updates = ~LaneMask{0}) const;

    // Numbers that compare as the depths do when the buffer stores them.
    void keys(const float* depth, int lanes, std::uint32_t* keys) const;
    CompareFunction depth_function() const { return state_.depth_function; }

  private:
    template <class DepthFormat>
    bool test_texel(std::byte* texel, typename DepthFormat::Depth incoming, std::size_t face_index, bool updates) const;
    template <class DepthFormat>
    LaneMask test_as(const QuadPositions& quads, LaneMask covered, const float* depth, LaneMask back,
                     std::uint32_t sample, LaneMask updates) const;

    DepthStencilState state_;
    SurfaceView surface_;
    bool depth_test_ = false;
    bool stencil_test_ = false;
};

// Lanes of `covered` whose alpha compares true with the reference.
LaneMask alpha_test(CompareFunction function, float reference, const float* alpha, LaneMask covered);

}  // namespace models::functional
