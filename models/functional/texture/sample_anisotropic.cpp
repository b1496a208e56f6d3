// Anisotropic filtering as llvmpipe does it: an elliptical weighted average (Heckbert, "Fundamentals of Texture Mapping
// and Image Warping", 1989, p. 59) over nearest texels of one level, which is chosen by the shorter axis of the pixel's
// footprint. The ratio of the axes is not limited; max_anisotropy only turns the filter on.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/functional/texture/rounding.h"
#include "models/functional/texture/sample_work.h"

namespace models::functional {

namespace {

constexpr int weight_count = 1024;
constexpr float longest = 16384;  // texels from the centre that an ellipse may reach

// A Gaussian over the squared relative distance from the centre, 0 to 1.
const std::array<float, weight_count>& weights() {
    static const std::array<float, weight_count> table = [] {
        std::array<float, weight_count> values{};
        for (int i = 0; i < weight_count; ++i)
            values[static_cast<std::size_t>(i)] = static_cast<float>(std::exp(-2.0 * i / (weight_count - 1)));
        return values;
    }();
    return table;
}

// A u^2 + B u v + C v^2 < weight_count inside, with u and v in texels from the centre.
struct Ellipse {
    float a = 0, b = 0, c = 0;
    float centre[2] = {};
    int first[2] = {}, last[2] = {};  // bounding box in texels, ends included
};

Ellipse ellipse_of(const BoundTexture& texture, const SampleWork& work, int j) {
    const float scale = 1.0F / static_cast<float>(1 << work.level[0][j]);
    const float size[2] = {texture.base_size[0], texture.base_size[1]};
    const auto texels = [&](int direction, int axis) {
        const float texel = work.gradient[direction][axis][j] * (texture.normalised ? size[axis] : 1.0F) * scale;
        return std::isfinite(texel) ? std::clamp(texel, -longest, longest) : 0.0F;
    };
    const float ux = texels(0, 0), vx = texels(0, 1), uy = texels(1, 0), vy = texels(1, 1);
    Ellipse e;
    e.a = vx * vx + vy * vy + 1;
    e.b = -2 * (ux * vx + uy * vy);
    e.c = ux * ux + uy * uy + 1;
    const float f = e.a * e.c - e.b * e.b / 4;
    const float d = 4 * e.a * e.c - e.b * e.b;
    const float box[2] = {2 / d * std::sqrt(d * e.c * f), 2 / d * std::sqrt(e.a * d * f)};
    const float to_table = static_cast<float>(weight_count - 1) / f;
    e.a *= to_table;
    e.b *= to_table;
    e.c *= to_table;
    for (int axis = 0; axis < 2; ++axis) {
        const float scaled = texture.normalised ? size[axis] * scale : scale;
        e.centre[axis] = work.coordinates[axis][j] * scaled - 0.5F;
        const float reach = std::min(box[axis], longest);
        e.first[axis] = floored(e.centre[axis] - reach);
        e.last[axis] = truncated(std::ceil(e.centre[axis] + reach));  // NaN gives an empty box
    }
    return e;
}

// Texels of the ellipses of all lanes, one texel of each lane at a time: a work of its own for the nearest filter.
class EllipseWalk {
  public:
    EllipseWalk(const SampleContext& context, const SampleWork& work) : context_(context), work_(work) {
        for (int j = 0; j < work.count; ++j) {
            ellipses_[static_cast<std::size_t>(j)] = ellipse_of(context.texture, work, j);
            v_[j] = ellipses_[static_cast<std::size_t>(j)].first[1];
            begin_row(j);
        }
    }

    void run(Colours& sums, float* totals, int* counts) {
        SampleWork texels;
        float weight[batch_lanes];
        int owner[batch_lanes];
        while (true) {
            texels.count = 0;
            for (int j = 0; j < work_.count; ++j) {
                const float found = next(j);
                if (found <= 0) continue;
                const int n = texels.count++;
                take(texels, n, j);
                weight[n] = found;
                owner[n] = j;
            }
            if (texels.count == 0) return;
            Colours colours;
            sample_floats(context_, texels, 0, false, colours);
            for (int n = 0; n < texels.count; ++n) {
                for (int c = 0; c < 4; ++c) sums[owner[n]][c] += colours[n][c] * weight[n];
                totals[owner[n]] += weight[n];
                ++counts[owner[n]];
            }
        }
    }

  private:
    // Moves lane j on to its next texel inside the ellipse, held in at_u_ and at_v_; its weight, or 0 at the end.
    float next(int j) {
        const Ellipse& e = ellipses_[static_cast<std::size_t>(j)];
        while (true) {
            const float v = static_cast<float>(v_[j]) - e.centre[1];
            while (u_[j] <= row_last_[j]) {
                const float u = static_cast<float>(u_[j]) - e.centre[0];
                at_u_[j] = u_[j]++;
                at_v_[j] = v_[j];
                const int q = truncated((e.c * v + e.b * u) * v + e.a * u * u);
                if (q < weight_count) return weights()[static_cast<std::size_t>(std::max(q, 0))];
            }
            if (v_[j] >= e.last[1]) return 0;
            ++v_[j];
            begin_row(j);
        }
    }

    // The texels of row v_[j] that can be inside, with one to spare at both ends.
    void begin_row(int j) {
        const Ellipse& e = ellipses_[static_cast<std::size_t>(j)];
        const float v = static_cast<float>(v_[j]) - e.centre[1];
        const float inside = e.b * e.b * v * v - 4 * e.a * (e.c * v * v - static_cast<float>(weight_count));
        const float half = std::sqrt(std::max(inside, 0.0F)) / (2 * e.a);
        const float middle = e.centre[0] - e.b * v / (2 * e.a);
        u_[j] = std::max(e.first[0], floored(middle - half) - 1);
        row_last_[j] = std::min(e.last[0], floored(middle + half) + 2);
    }

    void take(SampleWork& texels, int n, int j) const {
        const BoundLevel& level = context_.texture.level(work_.level[0][j]);
        const bool normalised = context_.texture.normalised;
        texels.lane[n] = work_.lane[j];
        texels.coordinates[0][n] = static_cast<float>(at_u_[j]) / (normalised ? static_cast<float>(level.width) : 1.0F);
        texels.coordinates[1][n] =
            static_cast<float>(at_v_[j]) / (normalised ? static_cast<float>(level.height) : 1.0F);
        texels.coordinates[2][n] = work_.coordinates[2][j];
        texels.reference[n] = work_.reference[j];
        texels.layer[n] = work_.layer[j];
        texels.face[n] = work_.face[j];
        texels.level[0][n] = work_.level[0][j];
    }

    const SampleContext& context_;
    const SampleWork& work_;
    std::array<Ellipse, batch_lanes> ellipses_;
    int u_[batch_lanes], v_[batch_lanes], row_last_[batch_lanes];
    int at_u_[batch_lanes], at_v_[batch_lanes];
};

}  // namespace

void sample_anisotropic(const SampleContext& context, const SampleWork& work, Colours& colours, int* texels) {
    float totals[batch_lanes] = {};
    for (int j = 0; j < work.count; ++j) std::fill_n(colours[j], 4, 0.0F);
    std::fill_n(texels, work.count, 0);
    EllipseWalk(context, work).run(colours, totals, texels);
    bool empty = false;
    for (int j = 0; j < work.count; ++j) {
        if (totals[j] > 0)
            for (int c = 0; c < 4; ++c) colours[j][c] /= totals[j];
        else
            empty = true;
    }
    if (!empty) return;
    Colours linear;
    sample_floats(context, work, 0, true, linear);
    for (int j = 0; j < work.count; ++j)
        if (totals[j] <= 0) std::copy_n(linear[j], 4, colours[j]);
}

}  // namespace models::functional
