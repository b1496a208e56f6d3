#include "models/functional/texture/texture_unit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include "engine/error.h"
#include "models/functional/texture/cube.h"
#include "models/functional/texture/level_of_detail.h"
#include "models/functional/texture/rounding.h"
#include "models/functional/texture/sample_work.h"

namespace models::functional {

struct TextureScratch {
    BlockCache cache;
    BlockLog log;
    SampleWork work;
    SampleWork parts[2];  // lanes with the nearest and with the linear filter
    SampleWork second;    // lanes that read a second level
    CoordinateGradient gradient;
    float scale[batch_lanes];  // squared texels per pixel
    float lod[batch_lanes];    // the request's, packed as the work is
    LevelChoice levels;
    Colours colours, colours1;
    std::uint32_t words[batch_lanes], words1[batch_lanes];
};

namespace {

constexpr std::array<float, 256> byte_values = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 255.0F;
    return values;
}();

LaneMask whole_quads(LaneMask active) {
    LaneMask quads = (active | (active >> 1) | (active >> 2) | (active >> 3)) & 0x1111111111111111ULL;
    return quads * 0xfULL;
}

int bits_of(float value) {
    return std::bit_cast<int>(value);
}

// The coordinate that holds an array's layer.
int layer_coordinate(ResourceTarget target) {
    return target == ResourceTarget::t1d_array ? 1 : target == ResourceTarget::t2d_array ? 2 : 3;
}

void copy_lane(const SampleWork& from, int j, SampleWork& to) {
    const int n = to.count++;
    to.lane[n] = from.lane[j];
    for (int a = 0; a < 3; ++a) to.coordinates[a][n] = from.coordinates[a][j];
    to.reference[n] = from.reference[j];
    to.layer[n] = from.layer[j];
    to.face[n] = from.face[j];
    for (int k = 0; k < 2; ++k) to.level[k][n] = from.level[k][j];
    to.level_weight[n] = from.level_weight[j];
}

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

// One request on one bound texture.
class Sampling {
  public:
    Sampling(const BoundTexture& texture, const TextureRequest& request, LaneGrouping grouping, bool record,
             TextureScratch& scratch, Vec4Lanes& result)
        : texture_(texture),
          request_(request),
          scratch_(scratch),
          result_(result),
          quads_(grouping == LaneGrouping::quads),
          context_{texture, scratch.cache, record ? &scratch.log : nullptr, {}, false} {
        std::copy_n(request.offset, 3, context_.offset);
        context_.compare = texture.sampler.compare && request.reference != nullptr;
        collect_lanes();
    }

    void run() {
        switch (request_.operation) {
            case TextureOperation::size_query:
                return query_size();
            case TextureOperation::fetch:
                return fetch();
            default:
                break;
        }
        load_coordinates();
        switch (request_.operation) {
            case TextureOperation::gather:
                return gather();
            case TextureOperation::lod_query:
                return query_lod();
            default:
                sample();
        }
    }

  private:
    void collect_lanes();
    void load_coordinates();
    void load_cube();
    void load_layers();
    void load_gradient();
    void quad_differences(const float* coordinate, int axis);
    LodInput lod_input();
    void choose();
    bool filters_in_bytes() const;
    void sample();
    void sample_part(const SampleWork& part, bool linear);
    void second_levels(const SampleWork& part);
    void fetch();
    void gather();
    void query_size();
    void query_lod();
    void store(const SampleWork& part, int j, const float* rgba);
    void store_words(const SampleWork& part);

    bool needs_lod() const {
        const SamplerState& s = texture_.sampler;
        return texture_.mip_filter != MipFilter::none || s.min_filter != s.mag_filter;
    }
    bool has_gradient() const { return request_.operation == TextureOperation::sample_gradient; }

    const BoundTexture& texture_;
    const TextureRequest& request_;
    TextureScratch& scratch_;
    Vec4Lanes& result_;
    bool quads_;
    SampleContext context_;
};

void Sampling::collect_lanes() {
    SampleWork& work = scratch_.work;
    work.count = 0;
    for (LaneMask rest = whole_quads(request_.active); rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const int j = work.count++;
        work.lane[j] = static_cast<std::uint8_t>(lane);
        work.layer[j] = work.face[j] = 0;
        work.level[0][j] = work.level[1][j] = texture_.first_level;
        work.level_weight[j] = 0;
        scratch_.lod[j] = request_.lod != nullptr ? request_.lod[lane] : 0.0F;
        float reference = request_.reference != nullptr ? request_.reference[lane] : 0.0F;
        if (texture_.format->type == ChannelType::unorm) reference = std::clamp(reference, 0.0F, 1.0F);
        work.reference[j] = reference;
    }
}

void Sampling::load_coordinates() {
    SampleWork& work = scratch_.work;
    for (int a = 0; a < 3; ++a) {
        const bool used = a < texture_.dimensions || (texture_.cube && a == 2);
        for (int j = 0; j < work.count; ++j) {
            work.coordinates[a][j] = used ? request_.coordinates[a][work.lane[j]] : 0.0F;
        }
    }
    load_gradient();
    if (texture_.cube) load_cube();
    if (texture_.array) load_layers();
}

// ddx from the top two lanes and ddy from the left two, for the whole quad; cubes by rows and columns of the quad.
void Sampling::quad_differences(const float* coordinate, int axis) {
    float(&d)[2][3][batch_lanes] = scratch_.gradient.d;
    for (int j = 0; j < scratch_.work.count; j += 4) {
        const float* c = coordinate + j;
        const float x[2] = {c[1] - c[0], c[3] - c[2]};
        const float y[2] = {c[2] - c[0], c[3] - c[1]};
        for (int i = 0; i < 4; ++i) {
            d[0][axis][j + i] = texture_.cube ? x[i >> 1] : x[0];
            d[1][axis][j + i] = texture_.cube ? y[i & 1] : y[0];
        }
    }
}

void Sampling::load_gradient() {
    const SampleWork& work = scratch_.work;
    float(&d)[2][3][batch_lanes] = scratch_.gradient.d;
    const int axes = texture_.cube ? 3 : texture_.dimensions;
    for (int a = 0; a < axes; ++a) {
        if (has_gradient()) {
            for (int j = 0; j < work.count; ++j) {
                d[0][a][j] = request_.ddx[a][work.lane[j]];
                d[1][a][j] = request_.ddy[a][work.lane[j]];
            }
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
    for (int j = 0; j < work.count; ++j) {
        work.layer[j] = std::clamp(rounded_to_even(layers[work.lane[j]]), 0, last) * per_layer;
    }
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
    for (int j = 0; j < work.count; ++j) {
        work.level[0][j] = levels.first[j];
        work.level[1][j] = levels.second[j];
        work.level_weight[j] = levels.weight[j];
    }
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
        if (source >= 4) {
            const float value = source == source_one ? 1.0F : 0.0F;
            for (int j = 0; j < part.count; ++j) result_.c[c][part.lane[j]] = value;
            continue;
        }
        for (int j = 0; j < part.count; ++j) {
            result_.c[c][part.lane[j]] = byte_values[(scratch_.words[j] >> (8 * source)) & 0xffU];
        }
    }
}

// Lanes of the part that read a second level, in the scratch's `second`.
void Sampling::second_levels(const SampleWork& part) {
    scratch_.second.count = 0;
    for (int j = 0; j < part.count; ++j) {
        if (part.level_weight[j] > 0) copy_lane(part, j, scratch_.second);
    }
}

void Sampling::sample_part(const SampleWork& part, bool linear) {
    const bool bytes = filters_in_bytes();
    if (bytes) {
        sample_bytes(context_, part, 0, linear, scratch_.words);
    } else {
        sample_floats(context_, part, 0, linear, scratch_.colours);
    }
    second_levels(part);
    if (scratch_.second.count > 0) {
        if (bytes) {
            sample_bytes(context_, scratch_.second, 1, linear, scratch_.words1);
        } else {
            sample_floats(context_, scratch_.second, 1, linear, scratch_.colours1);
        }
        for (int j = 0, n = 0; j < part.count; ++j) {
            const float weight = part.level_weight[j];
            if (!(weight > 0)) continue;
            if (bytes) {
                const auto of256 = static_cast<std::uint32_t>(weight * 256.0F) & 0xffU;
                scratch_.words[j] = mix_words(of256, scratch_.words[j], scratch_.words1[n]);
            } else {
                for (int c = 0; c < 4; ++c) {
                    float& value = scratch_.colours[j][c];
                    value += weight * (scratch_.colours1[n][c] - value);
                }
            }
            ++n;
        }
    }
    if (bytes) return store_words(part);
    for (int j = 0; j < part.count; ++j) store(part, j, scratch_.colours[j]);
}

void Sampling::sample() {
    const SamplerState& s = texture_.sampler;
    SampleWork& work = scratch_.work;
    const bool any_linear = s.min_filter == ImageFilter::linear || s.mag_filter == ImageFilter::linear ||
                            texture_.mip_filter == MipFilter::linear;
    if (texture_.format->integer && any_linear) {  // incomplete by the rules of OpenGL
        for (int j = 0; j < work.count; ++j) {
            for (auto& component : result_.c) component[work.lane[j]] = 0;
        }
        return;
    }
    choose();
    if (texture_.anisotropic) {
        for (int direction = 0; direction < 2; ++direction) {
            for (int a = 0; a < 2; ++a) {
                std::copy_n(scratch_.gradient.d[direction][a], work.count, work.gradient[direction][a]);
            }
        }
        sample_anisotropic(context_, work, scratch_.colours);
        for (int j = 0; j < work.count; ++j) store(work, j, scratch_.colours[j]);
        return;
    }
    if (s.min_filter == s.mag_filter) return sample_part(work, s.min_filter == ImageFilter::linear);
    for (SampleWork& part : scratch_.parts) part.count = 0;
    for (int j = 0; j < work.count; ++j) {
        const ImageFilter filter = scratch_.levels.minified[j] ? s.min_filter : s.mag_filter;
        copy_lane(work, j, scratch_.parts[filter == ImageFilter::linear ? 1 : 0]);
    }
    for (int k = 0; k < 2; ++k) {
        if (scratch_.parts[k].count > 0) sample_part(scratch_.parts[k], k == 1);
    }
}

void Sampling::fetch() {
    const SampleWork& work = scratch_.work;
    const int layer_axis = texture_.array ? layer_coordinate(texture_.target) : -1;
    for (int j = 0; j < work.count; ++j) {
        const int lane = work.lane[j];
        const int lod = request_.lod != nullptr ? bits_of(request_.lod[lane]) : 0;
        const bool level_exists = lod >= 0 && lod <= texture_.last_level - texture_.first_level;
        const int number = texture_.first_level + (level_exists ? lod : 0);
        const BoundLevel& level = texture_.level(number);
        const int sizes[3] = {level.width, level.height, level.depth};
        int position[3] = {};
        bool inside = level_exists;
        for (int a = 0; a < texture_.dimensions; ++a) {
            const auto shifted = std::int64_t{bits_of(request_.coordinates[a][lane])} + request_.offset[a];
            inside = inside && shifted >= 0 && shifted < sizes[a];
            position[a] = static_cast<int>(inside ? shifted : 0);
        }
        if (layer_axis >= 0) {
            position[2] = bits_of(request_.coordinates[layer_axis][lane]);
            inside = inside && position[2] >= 0 && position[2] < level.depth;
        }
        float rgba[4];
        if (inside) {
            fetch_floats(texture_, level, scratch_.cache, position[0], position[1], position[2], rgba);
            if (context_.log != nullptr && context_.log->records(lane)) {
                context_.log->add(lane, level.texel_address(position[0], position[1], position[2]));
            }
        } else {
            const float one = texture_.format->integer ? std::bit_cast<float>(1U) : 1.0F;
            for (int c = 0; c < 4; ++c) rgba[c] = texture_.format->source[c] == source_one ? one : 0.0F;
        }
        store(work, j, rgba);
    }
}

void Sampling::gather() {
    const SampleWork& work = scratch_.work;
    const Swizzle swizzle = texture_.swizzle[context_.compare ? 0 : request_.gather_component];
    gather_texels(context_, work, swizzle, scratch_.colours);
    for (int j = 0; j < work.count; ++j) {
        for (int c = 0; c < 4; ++c) result_.c[c][work.lane[j]] = scratch_.colours[j][c];
    }
}

void Sampling::query_size() {
    const SampleWork& work = scratch_.work;
    for (int j = 0; j < work.count; ++j) {
        const int lod = request_.lod != nullptr ? bits_of(request_.lod[work.lane[j]]) : 0;
        const int levels = texture_.last_level - texture_.first_level + 1;
        int answer[4] = {0, 0, 0, texture_.target == ResourceTarget::buffer ? 0 : levels};
        if (lod >= 0 && lod < levels) {
            const BoundLevel& level = texture_.level(texture_.first_level + lod);
            answer[0] = level.width;
            if (texture_.dimensions >= 2) answer[1] = level.height;
            if (texture_.dimensions == 3) answer[2] = level.depth;
            if (texture_.array) answer[texture_.dimensions] = level.depth / (texture_.cube ? 6 : 1);
        }
        for (int c = 0; c < 4; ++c) result_.c[c][work.lane[j]] = std::bit_cast<float>(answer[c]);
    }
}

void Sampling::query_lod() {
    const SampleWork& work = scratch_.work;
    const LodInput input = lod_input();
    float clamped[batch_lanes];
    clamped_lods(texture_, input, work.count, clamped);
    const auto last = static_cast<float>(texture_.last_level - texture_.first_level);
    for (int j = 0; j < work.count; ++j) {
        float level = 0;
        if (texture_.mip_filter != MipFilter::none) {
            const bool nearest = texture_.mip_filter == MipFilter::nearest;
            level = std::clamp(nearest ? static_cast<float>(rounded_to_even(clamped[j])) : clamped[j], 0.0F, last);
        }
        const float answer[4] = {level, raw_lod(texture_, input, j), 0, 0};
        for (int c = 0; c < 4; ++c) result_.c[c][work.lane[j]] = answer[c];
    }
}

ResourceTarget target_of(TextureTarget target) {
    using enum TextureTarget;
    switch (target) {
        case buffer:
            return ResourceTarget::buffer;
        case t1d:
        case shadow1d:
            return ResourceTarget::t1d;
        case t2d:
        case shadow2d:
            return ResourceTarget::t2d;
        case t3d:
            return ResourceTarget::t3d;
        case cube:
        case shadow_cube:
            return ResourceTarget::cube;
        case rect:
        case shadow_rect:
            return ResourceTarget::rect;
        case t1d_array:
        case shadow1d_array:
            return ResourceTarget::t1d_array;
        case t2d_array:
        case shadow2d_array:
            return ResourceTarget::t2d_array;
        case cube_array:
        case shadow_cube_array:
            return ResourceTarget::cube_array;
    }
    return ResourceTarget::t2d;
}

// Programs and views must mean the same kind of texture; 2D and rectangle differ only in what the view says.
void check_target(const TextureRequest& request, const BoundTexture& texture) {
    const auto kind = [](ResourceTarget t) { return t == ResourceTarget::rect ? ResourceTarget::t2d : t; };
    const ResourceTarget wanted = target_of(request.target);
    if (kind(wanted) == kind(texture.target)) return;
    std::string message = "instruction ";
    message += std::to_string(request.instruction);
    message += " samples a ";
    message += resource_target_name(wanted);
    message += " texture on unit ";
    message += std::to_string(request.unit);
    message += ", which holds a ";
    message += resource_target_name(texture.target);
    message += " texture";
    throw engine::InputError(message);
}

// What OpenGL returns where no texture is bound.
void black(LaneMask active, Vec4Lanes& result) {
    for (LaneMask rest = whole_quads(active); rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        for (int c = 0; c < 4; ++c) result.c[c][lane] = c == 3 ? 1.0F : 0.0F;
    }
}

// Appends the groups' blocks, without repetition within a group.
void append(const BlockLog& log, LaneMask active, LaneGrouping grouping, Footprint& footprint) {
    FootprintEntry& entry = footprint.entries.back();
    const int lanes = grouping == LaneGrouping::quads ? 4 : 1;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::uint16_t& count = entry.count[static_cast<std::size_t>(lane / lanes)];
        for (const BlockNumber block : log.blocks(lane)) {
            const auto group = footprint.blocks.end() - count;
            if (std::find(group, footprint.blocks.end(), block) != footprint.blocks.end()) continue;
            footprint.blocks.push_back(block);
            ++count;
        }
    }
}

}  // namespace

TextureUnit::TextureUnit() : scratch_(std::make_unique<TextureScratch>()) {}
TextureUnit::~TextureUnit() = default;

void TextureUnit::begin(const TextureBindings& bindings, LaneGrouping grouping, Footprint* footprint) {
    bindings_ = &bindings;
    grouping_ = grouping;
    footprint_ = footprint;
}

void TextureUnit::sample(const TextureRequest& request, Vec4Lanes& result) {
    assert(bindings_ != nullptr);
    const BoundTexture* texture = bindings_->find(request.unit);
    if (footprint_ != nullptr) {
        footprint_->entries.push_back({.instruction = request.instruction,
                                       .active = request.active,
                                       .first_block = static_cast<std::uint32_t>(footprint_->blocks.size()),
                                       .count = {}});
    }
    if (texture == nullptr) return black(request.active, result);
    check_target(request, *texture);
    scratch_->cache.invalidate();
    const bool record = footprint_ != nullptr;
    if (record) scratch_->log.begin(request.active);
    Sampling(*texture, request, grouping_, record, *scratch_, result).run();
    if (record) append(scratch_->log, request.active, grouping_, *footprint_);
}

}  // namespace models::functional
