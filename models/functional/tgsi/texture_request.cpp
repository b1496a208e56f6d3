// Texture instructions: operands as TGSI lays them out become a TextureRequest.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "engine/error.h"
#include "models/functional/tgsi/lane_choices.h"
#include "models/functional/tgsi/state.h"
#include "models/functional/tgsi/texture_target.h"

namespace models::functional::tgsi {
namespace {

TextureOperation operation_of(Opcode opcode, ShaderStage stage) {
    const bool fragment = stage == ShaderStage::fragment;  // elsewhere there are no quads: level 0
    switch (opcode) {
        case Opcode::txb:
        case Opcode::txb2:
            return fragment ? TextureOperation::sample_bias : TextureOperation::sample_lod;
        case Opcode::txl:
        case Opcode::txl2:
        case Opcode::tex_lz:
            return TextureOperation::sample_lod;
        case Opcode::txd:
            return TextureOperation::sample_gradient;
        case Opcode::txf:
        case Opcode::txf_lz:
            return TextureOperation::fetch;
        case Opcode::txq:
            return TextureOperation::size_query;
        case Opcode::tg4:
            return TextureOperation::gather;
        case Opcode::lodq:
            return TextureOperation::lod_query;
        default:
            return fragment ? TextureOperation::sample : TextureOperation::sample_lod;
    }
}

// The pixels of a quad sample together. OpenGL wants the same texture for all of a draw; llvmpipe takes that of the
// last pixel of a vector, so what it shows depends on the processor.
void check_quads(const std::array<std::int32_t, batch_lanes>& units, LaneMask active, int instruction) {
    for (std::size_t quad = 0; quad < batch_lanes; quad += 4) {
        std::int32_t first = -1;
        for (std::size_t i = quad; i < quad + 4; ++i) {
            if ((active >> i & 1) == 0) continue;
            if (first < 0) first = units[i];
            if (units[i] == first) continue;
            throw engine::InputError("textures of an array that differ within a quad are not supported (instruction " +
                                     std::to_string(instruction) + ": units " + std::to_string(first) + " and " +
                                     std::to_string(units[i]) + ")");
        }
    }
}

}  // namespace

void State::sample(const Op& op) {
    const Operation& operation = *op.operation;
    const Opcode opcode = operation.opcode;
    const TargetInfo& target = target_info(operation.target);
    const float* const zeros = source_[scratch_space] + zero_row * batch_lanes;

    TextureRequest request;
    request.unit = operation.unit;
    request.target = operation.target;
    request.operation = operation_of(opcode, code_->stage);
    request.instruction = static_cast<int>(&op - code_->ops.data());
    request.active = active_;
    request.gather_component = operation.gather_component;
    for (std::size_t i = 0; i < 3; ++i) request.offset[i] = operation.texel_offset[i];
    if (opcode != Opcode::txq)
        for (std::size_t c = 0; c < target.coordinates; ++c) request.coordinates[c] = source_row(op, 0, c);

    const bool has_reference =
        opcode != Opcode::txf && opcode != Opcode::txf_lz && opcode != Opcode::txq && opcode != Opcode::lodq;
    if (has_reference && target.reference >= 0)
        request.reference = source_row(op, 0, static_cast<std::size_t>(target.reference));
    else if (has_reference && operation.target == TextureTarget::shadow_cube_array)
        request.reference = source_row(op, 1, 0);

    switch (opcode) {
        case Opcode::txb:
        case Opcode::txl:
            request.lod = source_row(op, 0, 3);
            break;
        case Opcode::txb2:
        case Opcode::txl2:
            request.lod = source_row(op, 1, 0);
            break;
        case Opcode::txf:
            request.lod = target.has_levels ? source_row(op, 0, 3) : zeros;
            break;
        case Opcode::txq:
            request.lod = source_row(op, 0, 0);
            break;
        case Opcode::txd:
            for (std::size_t c = 0; c < target.derivatives; ++c) {
                request.ddx[c] = source_row(op, 1, c);
                request.ddy[c] = source_row(op, 2, c);
            }
            break;
        default:
            request.lod = zeros;
    }
    if (opcode == Opcode::txp && target.projection == Projection::divides) project(op, request);

    if (textures_ == nullptr) throw engine::InternalError("a shader with textures runs without a texture sampler");
    if (!operation.unit_indirect)
        return operation.computed_offset ? answer_by_offsets(op, request) : answer(op, request);
    const auto units = indices(*operation.unit_indirect, operation.unit);
    if (code_->stage == ShaderStage::fragment) check_quads(units, active_, request.instruction);
    const LaneMask active = std::exchange(active_, 0);
    for_each_choice(units, active, [&](std::int32_t unit, LaneMask lanes) {
        request.unit = unit;
        request.active = active_ = lanes;
        if (operation.computed_offset)
            answer_by_offsets(op, request);
        else
            answer(op, request);
        request.continues = true;
    });
    active_ = active;
}

// Lanes with the same computed texel offset ask together.
void State::answer_by_offsets(const Op& op, TextureRequest& request) {
    const std::size_t source = op.operation->source_count - std::size_t{1};
    const std::size_t axes = target_info(op.operation->target).derivatives;
    const LaneMask active = active_;
    for (LaneMask rest = active; rest != 0; rest &= ~active_) {
        const int first = std::countr_zero(rest);
        active_ = rest;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const float* const row = source_row(op, source, axis);
            const auto offset = std::bit_cast<std::int32_t>(row[first]);
            LaneMask same = 0;
            for (int i = 0; i < batch_lanes; ++i) same |= LaneMask{std::bit_cast<std::int32_t>(row[i]) == offset} << i;
            active_ &= same;
            request.offset[axis] = std::clamp(offset, -most_texel_offset, most_texel_offset);
        }
        request.active = active_;
        answer(op, request);
        request.continues = true;
    }
    active_ = active;
}

// Has the request's lanes sampled and stores the result for the lanes that execute.
void State::answer(const Op& op, TextureRequest& request) {
    Vec4Lanes& result = scratch_[result_row / 4];
    textures_->sample(request, result);
    float* rows[4] = {result.c[0], result.c[1], result.c[2], result.c[3]};
    store(op, rows);
}

// Divides the coordinates and the reference by the last component.
void State::project(const Op& op, TextureRequest& request) {
    const float* divisor = source_row(op, 0, 3);
    Vec4Lanes& projected = scratch_[coordinate_row / 4];
    const auto divide = [&](const float*& row, int to) {
        for (int i = 0; i < batch_lanes; ++i) projected.c[to][i] = row[i] / divisor[i];
        row = projected.c[to];
    };
    for (int c = 0; c < 3; ++c)
        if (request.coordinates[c] != nullptr) divide(request.coordinates[c], c);
    if (request.reference != nullptr) divide(request.reference, 3);
}

}  // namespace models::functional::tgsi
