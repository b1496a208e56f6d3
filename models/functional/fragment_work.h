// All that the tiles need to know of one draw. Made when the draw is issued, read by many threads when its pass is
// rendered; holds what it refers to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/functional/bound_constants.h"
#include "models/functional/hidden_surfaces.h"
#include "models/functional/linkage.h"
#include "models/functional/output/blend.h"
#include "models/functional/output/depth_stencil.h"
#include "models/functional/primitive_stage.h"
#include "models/functional/program_library.h"
#include "models/functional/target_use.h"
#include "models/functional/texture/texture_unit.h"
#include "models/functional/virgl/context.h"

namespace models::functional {

// Pixels of a transfer along an axis; size_from is negative where it mirrors.
struct TransferAxis {
    std::int32_t to = 0, size_to = 1, from = 0, size_from = 1;

    // The source of a pixel of the target: the one at the same share of the box, the later of two. Of a helper lane's
    // pixel, which may be outside the box, it may be outside the source.
    std::int32_t source(std::int32_t pixel) const {
        const std::int64_t twice = 2 * static_cast<std::int64_t>(size_to);
        const std::int64_t at = (2 * static_cast<std::int64_t>(pixel - to) + 1) * size_from + from * twice;
        return static_cast<std::int32_t>((at < 0 ? at - twice + 1 : at) / twice);
    }
};

// A rectangle of a transfer: pixel (x, y) of the target reads its source at (s + x * ds, t + y * dt).
struct TransferRectangle {
    // The middles of the texels that are nearest. Between two, as in every pixel of a picture of half the size, s and t
    // would be rounded to either of them.
    struct Nearest {
        TransferAxis x, y;
        double width = 1, height = 1;  // of the source
    };
    Region region;
    double s = 0, t = 0, ds = 0, dt = 0;  // in what the sampler takes: normalised coordinates, or texels for a fetch
    float layer = 0;                      // third coordinate
    std::optional<Nearest> nearest;       // instead of s and t
};

// A colour output of the fragment program and the target it is written to.
struct BoundOutput {
    int output = -1;  // register of the fragment program
    ColourOutput target;
    int second = -1;     // register of the second colour that blending reads
    bool clamp = false;  // the colour is clamped to 0..1 before it is blended
};

// A transfer that moves bytes instead of sampling and blending. Pixels of compressed formats are their blocks.
struct RawCopy {
    SurfaceView source, target;
    TransferAxis x, y;
    std::uint32_t level = 0;     // of the source
    std::uint64_t mask = ~0ULL;  // bits of a pixel that are written; not all only for pixels of at most 8 bytes
};

struct FragmentWork {
    DrawKind kind = DrawKind::geometry;
    std::uint64_t offset = 0;  // of the command in the stream, for errors
    const CompiledShader* program = nullptr;
    BoundConstants constants;
    TextureBindings textures;
    std::vector<std::shared_ptr<Resource>> sampled;  // resources that textures read
    std::vector<InputRule> inputs;
    int position_input = -1;
    float pixel_centre = 0.5F;  // what the fragment position adds to the number of a pixel
    float flipped_height = 0;   // not 0: the fragment position counts rows from below, as this minus its row
    PrimitiveKind primitive_kind = PrimitiveKind::triangle;

    bool smooth_lines = false;  // alpha is multiplied by the share of the pixel that the line covers

    std::optional<DepthStencilUnit> depth;
    bool depth_test = false, stencil_test = false;    // enabled
    bool depth_write = false, stencil_write = false;  // can change
    bool early_depth = false;                         // tested and written before shading
    bool early_test = false;                          // could be tested before shading
    bool discards = false;                            // fragments, by the program, their alpha or a sample mask
    Occlusion occlusion = Occlusion::none;
    bool tests() const { return depth_test || stencil_test; }
    int depth_output = -1;     // register whose z is the fragment's depth
    bool clamp_depth = false;  // to the range of the viewport, where nothing is clipped to it
    float least_depth = 0, most_depth = 1;
    bool alpha_test = false;
    CompareFunction alpha_function = CompareFunction::always;
    float alpha_reference = 0;
    int alpha_output = -1;  // register whose w is tested
    // Of a framebuffer with several samples. Each pixel is shaded once.
    std::uint32_t samples = 1;
    bool multisample = false;         // false: the samples of a pixel are all at its centre
    std::uint32_t sample_mask = ~0U;  // samples that are drawn
    int sample_mask_output = -1;      // register whose x says so for a fragment
    int coverage_alpha = -1;          // register whose w is turned into covered samples
    bool alpha_to_one = false;
    bool centroids = false;  // an input is interpolated where the pixel is covered

    std::vector<BoundOutput> outputs;
    bool writes = false;  // colour, depth or stencil can change
    TargetUse use;
    // Of the colour targets: whose old colour is blended with, whose channels are written only in part (a bit each),
    // and the channels written (four bits each).
    std::uint8_t blend = 0, partial = 0;
    std::uint32_t colour_mask = 0;

    std::uint64_t input_hash = 0;  // of all but the primitives, where a frame is traced

    // Geometry.
    ShadedVertices shaded;
    DrawnPrimitives drawn;
    // Transfers.
    TransferRectangle rectangle;
    std::optional<RawCopy> copy;
    std::uint32_t rectangle_primitive = 0;  // number in Frame::primitives
};

}  // namespace models::functional
