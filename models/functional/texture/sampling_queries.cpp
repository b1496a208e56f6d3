// Requests that filter nothing: fetches, gathers and queries.
#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "engine/error.h"
#include "models/functional/texture/rounding.h"
#include "models/functional/texture/sampling.h"

namespace models::functional {

namespace {

[[noreturn]] void refuse_written(int unit) {
    throw engine::InputError("fetching from the surface that the same draw writes is not supported (texture unit " +
                             std::to_string(unit) + ")");
}

int bits_of(float value) {
    return std::bit_cast<int>(value);
}

}  // namespace

int Sampling::fetched_level(int lane) const {
    const bool chosen = texture_.samples == 1 && request_.lod != nullptr;
    const int lod = chosen ? bits_of(request_.lod[lane]) : 0;
    return texture_.first_level + (lod >= 0 && lod <= texture_.last_level - texture_.first_level ? lod : 0);
}

void Sampling::fetch() {
    const SampleWork& work = scratch_.work;
    const int layer_axis = texture_.array ? layer_coordinate(texture_.target) : -1;
    assert(texture_.dimensions <= 3);
    for (int j = 0; j < work.count; ++j) {
        const int lane = work.lane[j];
        const bool multisampled = texture_.samples > 1;
        const int chosen = request_.lod != nullptr ? bits_of(request_.lod[lane]) : 0;
        const int lod = multisampled ? 0 : chosen;
        const bool level_exists = lod >= 0 && lod <= texture_.last_level - texture_.first_level;
        const int number = fetched_level(lane);
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
        if (multisampled) {
            inside = inside && chosen >= 0 && chosen < texture_.samples;
            position[2] = inside ? chosen : 0;
        }
        float rgba[4];
        if (inside) {
            if ((texture_.written_levels >> number & 1) != 0) refuse_written(request_.unit);
            fetch_floats(texture_, level, scratch_.cache, position[0], position[1], position[2], rgba);
            if (context_.log != nullptr && context_.log->records(lane))
                context_.log->add(lane, level.texel_address(position[0], position[1], position[2]));
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
    for (int j = 0; j < work.count; ++j)
        for (int c = 0; c < 4; ++c) result_.c[c][work.lane[j]] = scratch_.colours[j][c];
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

}  // namespace models::functional
