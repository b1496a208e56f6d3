// Instructions on buffers, images and shared memory: operands as TGSI lays them out become StorageRequests.
#include "engine/error.h"
#include "models/functional/tgsi/lane_choices.h"
#include "models/functional/tgsi/state.h"

namespace models::functional::tgsi {
namespace {

StorageOperation operation_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::store:
            return StorageOperation::store;
        case Opcode::resq:
            return StorageOperation::size;
        case Opcode::atomuadd:
            return StorageOperation::add;
        case Opcode::atomxchg:
            return StorageOperation::exchange;
        case Opcode::atomcas:
            return StorageOperation::compare_exchange;
        case Opcode::atomand:
            return StorageOperation::bit_and;
        case Opcode::atomor:
            return StorageOperation::bit_or;
        case Opcode::atomxor:
            return StorageOperation::bit_xor;
        case Opcode::atomumin:
            return StorageOperation::unsigned_min;
        case Opcode::atomumax:
            return StorageOperation::unsigned_max;
        case Opcode::atomimin:
            return StorageOperation::signed_min;
        case Opcode::atomimax:
            return StorageOperation::signed_max;
        default:
            return StorageOperation::load;
    }
}

}  // namespace

void State::reach_storage(const Op& op) {
    const Operation& operation = *op.operation;
    if (storage_ == nullptr) throw engine::InternalError("a shader with buffers or images runs without storage");
    StorageRequest request;
    request.space = operation.storage->space;
    request.operation = operation_of(operation.opcode);
    request.instruction = static_cast<std::int32_t>(&op - code_->ops.data());
    request.components = operation.destination.mask;
    request.active = active_;
    const auto row = [&](std::size_t source, std::size_t component) {
        return source < operation.source_count ? source_row(op, source, component) : nullptr;
    };
    for (std::size_t c = 0; c < 3; ++c) request.address[c] = row(0, c);
    for (std::size_t c = 0; c < 4; ++c) request.value[c] = row(1, c);
    request.replacement = row(2, 0);

    Vec4Lanes& result = scratch_[result_row / 4];
    if (const auto& indirect = operation.storage->indirect) {
        const auto slots = indices(*indirect, operation.storage->slot);
        for_each_choice(slots, active_, [&](std::int32_t slot, LaneMask lanes) {
            request.slot = static_cast<std::uint32_t>(slot);
            request.active = lanes;
            storage_->access(request, result);
            request.continues = true;
        });
    } else {
        request.slot = static_cast<std::uint32_t>(operation.storage->slot);
        storage_->access(request, result);
    }
    if (op.count == 0) return;
    float* rows[4] = {result.c[0], result.c[1], result.c[2], result.c[3]};
    store(op, rows);
}

}  // namespace models::functional::tgsi
