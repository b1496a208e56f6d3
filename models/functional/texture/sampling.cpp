#include "models/functional/texture/sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "models/functional/texture/cube.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

// The lanes `chosen` of `from`, by position.
void select(const SampleWork& from, std::span<const std::uint8_t> chosen, SampleWork& to) {
    const auto copy = [&](const auto* source, auto* target) {
        for (std::size_t n = 0; n < chosen.size(); ++n) target[n] = source[chosen[n]];
    };
    to.count = static_cast<int>(chosen.size());
    to.dense = false;
    copy(from.lane, to.lane);
    for (int a = 0; a < 3; ++a) copy(from.coordinates[a], to.coordinates[a]);
    copy(from.reference, to.reference);
    copy(from.layer, to.layer);
    copy(from.face, to.face);
    for (int k = 0; k < 2; ++k) copy(from.level[k], to.level[k]);
    copy(from.level_weight, to.level_weight);
}

// The positions of lanes for which `wanted` is true.
class Positions {
  public:
    template <class Wanted>
    Positions(int count, Wanted wanted) {
        for (int j = 0; j < count; ++j) {
            positions_[count_] = static_cast<std::uint8_t>(j);
            count_ += wanted(j) ? 1 : 0;
        }
    }
    std::span<const std::uint8_t> list() const { return {positions_.data(), count_}; }

  private:
    std::array<std::uint8_t, batch_lanes + 1> positions_;
    std::size_t count_ = 0;
};

float swizzled(const BoundTexture& texture, Swizzle swizzle, const float* rgba) {
    switch (swizzle) {
        case Swizzle::zero:
            return 0;
        case Swizzle::one:
            return texture.format->integer ? std::bit_cast<float>(1U) : 1.0F;
        default:
            return rgba[static_cast<std::size_t>(swizzle)];
    }
}

}  // namespace

void Sampling::collect_lanes() {
    SampleWork& work = scratch_.work;
    work.count = 0;
    const LaneMask lanes = whole_quads(request_.active);
    work.dense = (lanes & (lanes + 1)) == 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
        work.lane[work.count++] = static_cast<std::uint8_t>(std::countr_zero(rest));
    const int count = work.count;
    std::fill_n(work.layer, count, 0);
    std::fill_n(work.face, count, 0);
    for (int k = 0; k < 2; ++k) std::fill_n(work.level[k], count, texture_.first_level);
    std::fill_n(work.level_weight, count, 0.0F);
    pack(request_.lod, scratch_.lod);
    pack(request_.reference, work.reference);
    if (texture_.format->type != ChannelType::unorm) return;
    for (int j = 0; j < count; ++j) work.reference[j] = std::min(std::max(work.reference[j], 0.0F), 1.0F);
}

// The values of the work's lanes, one after the other; zeros if there are none.
void Sampling::pack(const float* values, float* packed) const {
    const SampleWork& work = scratch_.work;
    if (values == nullptr)
        std::fill_n(packed, work.count, 0.0F);
    else if (work.dense)
        std::copy_n(values, work.count, packed);
    else
        for (int j = 0; j < work.count; ++j) packed[j] = values[work.lane[j]];
}

void Sampling::load_coordinates() {
    SampleWork& work = scratch_.work;
    for (int a = 0; a < 3; ++a) {
        const bool used = a < texture_.dimensions || (texture_.cube && a == 2);
        pack(used ? request_.coordinates[a] : nullptr, work.coordinates[a]);
    }
    load_gradient();
    if (texture_.cube) load_cube();
    if (texture_.array) load_layers();
}

// ddx from the top two lanes and ddy from the left two, for the whole quad; cubes by rows and columns of the quad.
void Sampling::quad_differences(const float* coordinate, int axis) {
    float* __restrict const dx = scratch_.gradient.d[0][axis];
    float* __restrict const dy = scratch_.gradient.d[1][axis];
    const int count = scratch_.work.count;
    if (!texture_.cube) {
        for (int j = 0; j < count; j += 4) {
            const float* const c = coordinate + j;
            std::fill_n(dx + j, 4, c[1] - c[0]);
            std::fill_n(dy + j, 4, c[2] - c[0]);
        }
        return;
    }
    for (int j = 0; j < count; j += 4) {
        const float* const c = coordinate + j;
        std::fill_n(dx + j, 2, c[1] - c[0]);
        std::fill_n(dx + j + 2, 2, c[3] - c[2]);
        for (int i = 0; i < 2; ++i) dy[j + i] = dy[j + i + 2] = c[i + 2] - c[i];
    }
}

void Sampling::load_gradient() {
    const SampleWork& work = scratch_.work;
    float(&d)[2][3][batch_lanes] = scratch_.gradient.d;
    const int axes = texture_.cube ? 3 : texture_.dimensions;
    for (int a = 0; a < axes; ++a) {
        if (has_gradient()) {
            pack(request_.ddx[a], d[0][a]);
            pack(request_.ddy[a], d[1][a]);
        } else if (quads_) {
            quad_differences(work.coordinates[a], a);
        } else {
            std::fill_n(d[0][a], work.count, 0.0F);
            std::fill_n(d[1][a], work.count, 0.0F);
        }
    }
}

void Sampling::load_cube() {
    SampleWork& work = scratch_.work;
    float(&d)[2][3][batch_lanes] = scratch_.gradient.d;
    for (int j = 0; j < work.count; ++j) {
        const float direction[3] = {work.coordinates[0][j], work.coordinates[1][j], work.coordinates[2][j]};
        for (auto& side : d) {
            const float change[3] = {side[0][j], side[1][j], side[2][j]};
            float derivative[2];
            project_derivative(direction, change, derivative);
            side[0][j] = derivative[0];
            side[1][j] = derivative[1];
        }
        const CubePoint point = project_to_cube(direction);
        work.face[j] = point.face;
        work.coordinates[0][j] = point.s;
        work.coordinates[1][j] = point.t;
    }
}

void Sampling::load_layers() {
    SampleWork& work = scratch_.work;
    const float* layers = request_.coordinates[layer_coordinate(texture_.target)];
    const BoundLevel& base = texture_.level(texture_.first_level);
    const int per_layer = texture_.cube ? 6 : 1;
    const int last = base.depth / per_layer - 1;
    for (int j = 0; j < work.count; ++j)
        work.layer[j] = std::clamp(rounded_to_even(layers[work.lane[j]]), 0, last) * per_layer;
}

LodInput Sampling::lod_input() {
    const TextureOperation operation = request_.operation;
    const bool is_explicit = operation == TextureOperation::sample_lod;
    const bool flat = !quads_ && !has_gradient();  // without neighbours the implicit LOD is 0
    LodInput input;
    if (!is_explicit && !flat) {
        squared_scale(texture_, scratch_.gradient, scratch_.work.count, scratch_.scale);
        input.scale = scratch_.scale;
    }
    if (is_explicit || operation == TextureOperation::sample_bias) input.lod = scratch_.lod;
    return input;
}

void Sampling::choose() {
    SampleWork& work = scratch_.work;
    LevelChoice& levels = scratch_.levels;
    if (!needs_lod()) {
        std::fill_n(levels.minified, work.count, true);
        return;
    }
    choose_levels(texture_, lod_input(), work.count, levels);
    std::copy_n(levels.first, work.count, work.level[0]);
    std::copy_n(levels.second, work.count, work.level[1]);
    std::copy_n(levels.weight, work.count, work.level_weight);
}

// Where llvmpipe filters in 8 bits.
bool Sampling::filters_in_bytes() const {
    const SamplerState& s = texture_.sampler;
    if (texture_.byte_texels == ByteTexels::none || !texture_.byte_filter_wraps) return false;
    if (s.compare || texture_.anisotropic) return false;
    const bool linear = s.min_filter == ImageFilter::linear || s.mag_filter == ImageFilter::linear;
    if (texture_.seamless && linear) return false;
    const bool lod_per_lane = (texture_.cube && texture_.mip_filter != MipFilter::none) || !quads_ ||
                              request_.operation != TextureOperation::sample;
    return !lod_per_lane || !needs_lod() || s.min_filter == s.mag_filter;
}

void Sampling::store(const SampleWork& part, int j, const float* rgba) {
    for (int c = 0; c < 4; ++c) result_.c[c][part.lane[j]] = swizzled(texture_, texture_.swizzle[c], rgba);
}

void Sampling::store_words(const SampleWork& part) {
    for (int c = 0; c < 4; ++c) {
        const unsigned source = texture_.byte_source[c];
        float values[batch_lanes];
        if (source >= 4)
            std::fill_n(values, part.count, source == source_one ? 1.0F : 0.0F);
        else
            for (int j = 0; j < part.count; ++j)
                values[j] = from_unorm((scratch_.words[j] >> (8 * source)) & 0xffU, 255);
        if (part.dense)
            std::copy_n(values, part.count, result_.c[c]);
        else
            for (int j = 0; j < part.count; ++j) result_.c[c][part.lane[j]] = values[j];
    }
}

// Reads the second level of the lanes that have one and mixes it in.
void Sampling::mix_second_level(const SampleWork& part, bool linear, bool bytes) {
    const Positions chosen(part.count, [&](int j) { return part.level_weight[j] > 0; });
    const std::span<const std::uint8_t> lanes = chosen.list();
    if (lanes.empty()) return;
    const bool all = lanes.size() == static_cast<std::size_t>(part.count);
    if (!all) select(part, lanes, scratch_.second);
    const SampleWork& second = all ? part : scratch_.second;
    if (bytes)
        sample_bytes(context_, second, 1, linear, scratch_.words1);
    else
        sample_floats(context_, second, 1, linear, scratch_.colours1);
    for (std::size_t n = 0; n < lanes.size(); ++n) {
        const std::size_t j = lanes[n];
        const float weight = part.level_weight[j];
        if (bytes) {
            const auto of256 = static_cast<std::uint32_t>(weight * 256.0F) & 0xffU;
            scratch_.words[j] = mix_words(of256, scratch_.words[j], scratch_.words1[n]);
            continue;
        }
        for (int c = 0; c < 4; ++c) {
            float& value = scratch_.colours[j][c];
            value += weight * (scratch_.colours1[n][c] - value);
        }
    }
}

void Sampling::sample_part(const SampleWork& part, bool linear) {
    const bool bytes = filters_in_bytes();
    if (bytes)
        sample_bytes(context_, part, 0, linear, scratch_.words);
    else
        sample_floats(context_, part, 0, linear, scratch_.colours);
    if (texture_.mip_filter == MipFilter::linear) mix_second_level(part, linear, bytes);
    if (bytes) return store_words(part);
    for (int j = 0; j < part.count; ++j) store(part, j, scratch_.colours[j]);
}

void Sampling::sample() {
    const SamplerState& s = texture_.sampler;
    SampleWork& work = scratch_.work;
    if (reads_black()) {
        for (int j = 0; j < work.count; ++j)
            for (auto& component : result_.c) component[work.lane[j]] = 0;
        return;
    }
    choose();
    if (texture_.anisotropic) {
        for (int direction = 0; direction < 2; ++direction)
            for (int a = 0; a < 2; ++a)
                std::copy_n(scratch_.gradient.d[direction][a], work.count, work.gradient[direction][a]);
        sample_anisotropic(context_, work, scratch_.colours, scratch_.ellipse_texels);
        for (int j = 0; j < work.count; ++j) store(work, j, scratch_.colours[j]);
        return;
    }
    if (s.min_filter == s.mag_filter) return sample_part(work, s.min_filter == ImageFilter::linear);
    for (int k = 0; k < 2; ++k) {
        const auto filter = [&](int j) { return scratch_.levels.minified[j] ? s.min_filter : s.mag_filter; };
        const Positions chosen(work.count, [&](int j) { return (filter(j) == ImageFilter::linear) == (k == 1); });
        select(work, chosen.list(), scratch_.parts[k]);
    }
    for (int k = 0; k < 2; ++k)
        if (scratch_.parts[k].count > 0) sample_part(scratch_.parts[k], k == 1);
}

}  // namespace models::functional
