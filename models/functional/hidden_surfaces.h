// Which lanes of a tile's quads a tile-based deferred renderer would shade: Quad::visible (frame_trace.h has the rule).
//
// Quads are told in the order in which they passed their early test, sample by sample, with their depths as keys whose
// order is that of the depths (DepthStencilUnit::keys()). Quads that nobody tells of keep what is visible of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/sampler_state.h"

namespace models::functional {

// What a draw's fragments do to those before them at their pixel.
enum class Occlusion : std::uint8_t {
    none,
    depth,   // opaque without colours: only depth is replaced
    colour,  // opaque: depth and all colours are replaced
};

class HiddenSurfaces {
  public:
    // The fragments of a quad in one sample of its pixels.
    struct Fragments {
        std::uint32_t quad = 0;  // its number in the tile
        std::uint8_t x = 0, y = 0;
        std::uint8_t sample = 0;
        std::uint8_t lanes = 0;
        std::array<std::uint32_t, 4> keys{};  // of depth, by lane
    };

    void begin_tile();
    void add_opaque(const Fragments& fragments, Occlusion occlusion);
    // Of a draw that is not opaque and tests depth with this function.
    void add_other(const Fragments& fragments, CompareFunction function);
    // Sets the visible lanes of the quads that were told of.
    void finish_tile(std::vector<Quad>& quads);

  private:
    static constexpr std::uint32_t nobody = none;
    static constexpr std::size_t tile_side = trace_tile_pixels;

    // The last opaque fragment of a sample.
    struct Front {
        std::uint32_t colour = nobody;  // quad that wrote the colour
        std::uint32_t depth = nobody;   // quad that wrote the depth
        std::uint32_t key = 0;          // its depth
    };
    struct Other {
        Fragments fragments;
        CompareFunction function = CompareFunction::always;
    };

    static std::size_t place(const Fragments& fragments, unsigned lane) {
        const std::size_t x = fragments.x * std::size_t{2} + (lane & 1U), y = fragments.y * std::size_t{2} + lane / 2;
        return (fragments.sample * tile_side + y) * tile_side + x;
    }

    std::vector<Front> fronts_;  // by sample and pixel; as many samples as were told of
    std::vector<Fragments> opaque_;
    std::vector<bool> writes_colour_;  // of opaque_
    std::vector<Other> others_;
};

}  // namespace models::functional
