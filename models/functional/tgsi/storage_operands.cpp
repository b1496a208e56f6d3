// Buffers, images and shared memory of compute programs: their declarations, and the operands of what reaches them.
#include <algorithm>

#include "models/functional/tgsi/parser.h"
#include "models/functional/tgsi/texture_target.h"

namespace models::functional::tgsi {
namespace {

constexpr std::uint32_t most_slots = 32;  // of buffers, and of images

bool is_qualifier(std::string_view name) {
    return name == "COHERENT" || name == "VOLATILE" || name == "RESTRICT" || name == "STREAM_CACHE_POLICY";
}

bool is_image_target(TextureTarget target) {
    switch (target) {
        case TextureTarget::buffer:
        case TextureTarget::t1d:
        case TextureTarget::t2d:
        case TextureTarget::t3d:
        case TextureTarget::cube:
        case TextureTarget::rect:
        case TextureTarget::t1d_array:
        case TextureTarget::t2d_array:
            return true;
        default:
            return false;
    }
}

}  // namespace

// "BUFFER[0..2]", "BUFFER[0], ATOMIC", "IMAGE[0], 2D, PIPE_FORMAT_R32_FLOAT, WR" or "MEMORY[1], SHARED"
void Parser::storage_declaration(std::string_view file) {
    cursor_.expect('[');
    const std::uint32_t first = cursor_.number(most_slots - 1, "a slot");
    std::uint32_t last = first;
    if (cursor_.take('.')) {
        cursor_.expect('.');
        last = cursor_.number(most_slots - 1, "a slot");
    }
    if (last < first) cursor_.fail_expected("a range of slots that does not end before it starts");
    cursor_.expect(']');
    StorageDeclaration declared{.declared = true};
    if (file == "IMAGE") image(declared);
    while (cursor_.take(',')) {
        cursor_.peek();
        const std::size_t start = cursor_.position();
        const std::string_view name = cursor_.word();
        const bool known = file == "BUFFER"  ? name == "ATOMIC" || name == "SHARED"
                           : file == "IMAGE" ? name == "WR" || name == "RAW" || name.starts_with("PIPE_FORMAT_")
                                             : name == "SHARED";
        if (!known) cursor_.unsupported(start, name, "in a declaration of " + std::string(file));
    }
    if (file == "MEMORY") {
        shared_memory_ = true;
        return;
    }
    std::vector<StorageDeclaration>& slots = file == "BUFFER" ? shader_.buffers : shader_.images;
    if (slots.size() <= last) slots.resize(last + 1);
    std::fill(slots.begin() + first, slots.begin() + last + 1, declared);
}

// ", 2D": the format that follows says no more than what is bound.
void Parser::image(StorageDeclaration& declared) {
    cursor_.expect(',');
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    const auto target = find_target(name);
    if (!target || !is_image_target(*target)) cursor_.unsupported(start, name, "target of an image");
    declared.target = *target;
}

// A destination, the storage operand (before it, or in its place in a STORE) and the registers.
void Parser::storage_operands(Operation& operation) {
    if (operation.opcode != Opcode::store) {
        operation.destination = destination();
        cursor_.expect(',');
    }
    storage_operand(operation);
    if (operation.opcode == Opcode::store) operation.destination.mask = write_mask();
    const OpcodeInfo& info = opcode_info(operation.opcode);
    const int sources = info.source_count - (operation.opcode == Opcode::store ? 0 : 1);
    for (int i = 0; i < sources; ++i) {
        cursor_.expect(',');
        operation.sources[static_cast<std::size_t>(i)] = source();
    }
    operation.source_count = static_cast<std::uint8_t>(sources);
    storage_qualifiers(operation);
    note_storage_use(operation);
}

// "BUFFER[1]", "IMAGE[ADDR[2].x]", "MEMORY[0]"
void Parser::storage_operand(Operation& operation) {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    StorageOperand operand;
    std::size_t slots = 1;
    if (name == "BUFFER") {
        slots = shader_.buffers.size();
    } else if (name == "IMAGE") {
        operand.space = StorageSpace::image;
        slots = shader_.images.size();
    } else if (name == "MEMORY" && operation.opcode != Opcode::resq) {
        operand.space = StorageSpace::shared;
    } else {
        cursor_.unsupported(start, name, "an operand of " + std::string(opcode_info(operation.opcode).name));
    }
    cursor_.expect('[');
    if (cursor_.peek() >= '0' && cursor_.peek() <= '9') {
        operand.slot = static_cast<std::int32_t>(cursor_.number(most_slots - 1, "a slot"));
    } else {
        indirect_index(RegisterFile::none, operand.slot, operand.indirect);
        operand.indirect->last = static_cast<std::int32_t>(slots) - 1;
    }
    cursor_.expect(']');
    const auto declared = [&](const std::vector<StorageDeclaration>& list) {
        return operand.indirect ? !list.empty()
                                : static_cast<std::size_t>(operand.slot) < list.size() &&
                                      list[static_cast<std::size_t>(operand.slot)].declared;
    };
    const bool known = operand.space == StorageSpace::buffer  ? declared(shader_.buffers)
                       : operand.space == StorageSpace::image ? declared(shader_.images)
                                                              : shared_memory_;
    if (!known) cursor_.fail(start, std::string(name) + "[" + std::to_string(operand.slot) + "] is not declared");
    operation.target = TextureTarget::buffer;
    if (operand.space == StorageSpace::image) {
        const auto first = std::find_if(shader_.images.begin(), shader_.images.end(),
                                        [](const StorageDeclaration& image) { return image.declared; });
        operation.target =
            operand.indirect ? first->target : shader_.images[static_cast<std::size_t>(operand.slot)].target;
    }
    operation.storage = operand;
}

// ", COHERENT, 2D, PIPE_FORMAT_R32_UINT": memory operations take effect in order here, and the target is declared.
void Parser::storage_qualifiers(const Operation& operation) {
    while (cursor_.take(',')) {
        cursor_.peek();
        const std::size_t start = cursor_.position();
        const std::string_view name = cursor_.word();
        if (is_qualifier(name) || name.starts_with("PIPE_FORMAT_")) continue;
        if (const auto target = find_target(name); !target || *target != operation.target)
            cursor_.fail(start, "expected the target " + std::string(target_info(operation.target).name) + ", found " +
                                    std::string(name.substr(0, 40)));
    }
}

void Parser::note_storage_use(const Operation& operation) {
    const StorageOperand& operand = *operation.storage;
    const Opcode opcode = operation.opcode;
    if (operand.space == StorageSpace::shared || opcode == Opcode::resq) return;
    std::vector<StorageDeclaration>& slots = operand.space == StorageSpace::buffer ? shader_.buffers : shader_.images;
    const auto first = static_cast<std::size_t>(operand.indirect ? 0 : operand.slot);
    const auto last = static_cast<std::size_t>(operand.indirect ? operand.indirect->last : operand.slot);
    for (std::size_t slot = first; slot <= last; ++slot) {
        slots[slot].read |= opcode != Opcode::store;
        slots[slot].written |= opcode != Opcode::load;
    }
    shader_.atomics_on_memory |= opcode != Opcode::load && opcode != Opcode::store;
}

}  // namespace models::functional::tgsi
