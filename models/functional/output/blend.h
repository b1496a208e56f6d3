// Blending, logic operations, colour masks and the write to a colour target, for batches of quads. The numbers of the
// enumerations are those of Gallium.
#pragma once

#include <cstddef>
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

// One colour target of a draw, prepared. Channels of at most 8 bits, normalised, are blended in bytes with the rounding
// of llvmpipe, shorter ones cut off at the end; other formats in floats, clamped before and after where the format is
// normalised. Logic operations work on these bytes, or else on the bits as stored, replace blending and leave float and
// sRGB targets alone.
class ColourOutput {
  public:
    // Throws InputError by name on what is not supported.
    ColourOutput(const BlendState& state, const TargetBlend& target, const SurfaceView& surface);

    // Whether the colour that is written depends on the old one: by the equation, a factor that is not zero, or the
    // logic operation, in a channel that is written.
    bool blends() const { return writes_ && reads_target_; }
    // Whether some channels are written and others stay as they are.
    bool keeps_channels() const { return writes_ && partial_mask_; }
    bool writes() const { return writes_; }  // any channel
    // Mask of the channels that the program's colour is written to, of those the target stores: bit 0 is red.
    std::uint8_t channels_written() const { return channels_; }

    bool reads_second_source() const { return second_source_; }

    // Blends and writes the lanes of `covered`, which lie inside the surface, in one sample of its pixels. `second`:
    // the second colour, of blending that reads one.
    void write(const QuadPositions& quads, LaneMask covered, const Vec4Lanes& colour, std::uint32_t sample = 0,
               const Vec4Lanes* second = nullptr) const;

  private:
    enum class Mode : std::uint8_t { copy, blend, logic };
    struct Texel {
        std::byte bytes[16];
    };

    void write_run(const SurfaceView& surface, const QuadPositions& quads, int begin, int end, LaneMask covered,
                   const Vec4Lanes& colour, const Vec4Lanes& second) const;
    void store_words(const SurfaceView& surface, const QuadPositions& quads, int begin, int end, LaneMask covered,
                     const std::uint32_t* words) const;
    void write_integers(const SurfaceView& surface, const QuadPositions& quads, LaneMask covered,
                        const Vec4Lanes& colour) const;
    void store(std::byte* texel, const Texel& value) const;

    TargetBlend target_;
    SurfaceView surface_;
    LogicOperation logic_ = LogicOperation::copy;
    Mode mode_ = Mode::copy;
    float constant_[4] = {};
    bool second_source_ = false;  // a factor is the second colour
    bool reads_target_ = false;   // blending or the logic operation depends on the old colour
    bool bytes_ = false;          // blended in bytes
    bool partial_mask_ = false;   // some stored channel is not written
    bool writes_ = true;          // some stored channel is
    std::uint8_t channels_ = 0;   // of the colour that are
    Texel mask_{};                // bits of the texel that are written
};

}  // namespace models::functional
