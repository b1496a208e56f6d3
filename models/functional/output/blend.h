// Blending, logic operations, colour masks and the write to a colour target, for batches of quads. The numbers of the
// enumerations are those of Gallium. Dual-source factors are refused.
#pragma once

#include <cstdint>

#include "models/functional/output/quads.h"
#include "models/functional/texture/resource.h"

namespace models::functional {

enum class BlendFactor : std::uint8_t {
    one = 1,
    source_colour,
    source_alpha,
    target_alpha,
    target_colour,
    source_alpha_saturate,
    constant_colour,
    constant_alpha,
    source1_colour,
    source1_alpha,
    zero = 0x11,
    inverse_source_colour,
    inverse_source_alpha,
    inverse_target_alpha,
    inverse_target_colour,
    inverse_constant_colour = 0x17,
    inverse_constant_alpha,
    inverse_source1_colour,
    inverse_source1_alpha,
};

enum class BlendFunction : std::uint8_t { add, subtract, reverse_subtract, min, max };

enum class LogicOperation : std::uint8_t {
    clear,
    nor,
    and_inverted,
    copy_inverted,
    and_reverse,
    invert,
    exclusive_or,
    nand,
    conjunction,
    equivalent,
    no_operation,
    or_inverted,
    copy,
    or_reverse,
    disjunction,
    set,
};

struct TargetBlend {
    bool enabled = false;
    BlendFunction colour_function = BlendFunction::add, alpha_function = BlendFunction::add;
    BlendFactor colour_source = BlendFactor::one, colour_target = BlendFactor::zero;
    BlendFactor alpha_source = BlendFactor::one, alpha_target = BlendFactor::zero;
    std::uint8_t colour_mask = 0xf;  // bit 0 = red
};

struct BlendState {
    bool logic_enabled = false;
    LogicOperation logic = LogicOperation::copy;
    float constant[4] = {};
};

// One colour target of a draw, prepared.
class ColourOutput {
  public:
    // Throws InputError by name on what is not supported.
    ColourOutput(const BlendState& state, const TargetBlend& target, const SurfaceView& surface);

    // Whether write() reads the old colour.
    bool reads_target() const { return reads_target_; }
    bool writes() const { return writes_; }

    // Blends and writes the lanes of `covered`, which lie inside the surface.
    void write(const QuadPositions& quads, LaneMask covered, const Vec4Lanes& colour) const;

  private:
    void write_floats(const QuadPositions& quads, LaneMask covered, const Vec4Lanes& colour) const;
    void write_integers(const QuadPositions& quads, LaneMask covered, const Vec4Lanes& colour) const;

    BlendState state_;
    TargetBlend target_;
    SurfaceView surface_;
    bool reads_target_ = false;
    bool writes_ = true;
};

}  // namespace models::functional
