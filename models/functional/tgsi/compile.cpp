#include <algorithm>
#include <utility>

#include "engine/error.h"
#include "models/functional/tgsi/code.h"
#include "models/functional/tgsi/initialisation.h"
#include "models/functional/tgsi/kernels.h"
#include "models/functional/tgsi/lane_math.h"
#include "models/functional/tgsi/operand_use.h"

namespace models::functional::tgsi {
namespace {

Space space_of(RegisterFile file) {
    switch (file) {
        case RegisterFile::temporary:
            return temporary_space;
        case RegisterFile::address:
            return address_space;
        case RegisterFile::output:
            return output_space;
        case RegisterFile::input:
            return input_space;
        case RegisterFile::system_value:
            return system_value_space;
        case RegisterFile::immediate:
            return immediate_space;
        default:
            return constant_space;
    }
}

bool is_scalar(RegisterFile file) {
    return file == RegisterFile::immediate || file == RegisterFile::constant;
}

bool has_modifiers(const SourceRegister& source) {
    return source.absolute || source.negate;
}

// The kernel that takes over a negation, and drops it from the sources.
Variant absorb_negation(Operation& operation) {
    auto& [a, b, c, unused] = operation.sources;
    const auto only = [](const SourceRegister& source) { return source.negate && !source.absolute; };
    const auto drop = [](SourceRegister& source, Variant variant) {
        source.negate = false;
        return variant;
    };
    switch (operation.opcode) {
        case Opcode::add:
            if (only(b)) return drop(b, Variant::subtract);
            if (only(a)) return drop(a, Variant::subtract_from);
            break;
        case Opcode::mad:
            if (only(c) && !a.negate && !b.negate) return drop(c, Variant::multiply_subtract);
            if (only(a) && !b.negate && !c.negate) return drop(a, Variant::negative_multiply_add);
            if (only(b) && !a.negate && !c.negate) return drop(b, Variant::negative_multiply_add);
            break;
        case Opcode::cmp:
            if (only(a)) return drop(a, Variant::compare_negative);
            break;
        default:
            break;
    }
    return Variant::plain;
}

class Compiler {
  public:
    explicit Compiler(const Shader& shader) : shader_(shader) {}

    Code run() {
        code_.operations = shader_.operations;
        code_.stage = shader_.program.stage;
        code_.temporaries = shader_.program.temporaries;
        code_.address_registers = shader_.address_registers;
        code_.outputs = static_cast<std::uint32_t>(shader_.outputs.size());
        code_.straight_line = !shader_.uses_control_flow;
        code_.constant_sizes = shader_.constant_sizes;
        for (const auto& immediate : shader_.immediates)
            for (const std::uint32_t value : immediate) code_.immediates.push_back(lane_math::from_bits(value));
        const Uninitialised missing = find_uninitialised(shader_);
        code_.cleared_temporaries = rows(missing.temporaries);
        code_.cleared_outputs = rows(missing.outputs);
        for (std::size_t pc = 0; pc < code_.operations.size(); ++pc) add(pc);
        return std::move(code_);
    }

  private:
    static std::vector<std::uint32_t> rows(const std::vector<std::uint8_t>& masks) {
        std::vector<std::uint32_t> result;
        for (std::size_t r = 0; r < masks.size(); ++r)
            for (unsigned c = 0; c < 4; ++c)
                if (masks[r] & (1U << c)) result.push_back(static_cast<std::uint32_t>((r * 4 + c) * batch_lanes));
        return result;
    }

    void add(std::size_t pc) {
        Op op;
        op.operation = &code_.operations[pc];
        op.label = op.operation->label;
        op.saturate = op.operation->saturate;
        nesting(pc, op);
        set_destination(op);
        Operation operation = *op.operation;
        const Variant variant = absorb_negation(operation);
        op.preparation = static_cast<std::uint16_t>(code_.preparations.size());
        const unsigned scalars = scalar_sources(operation);
        KernelChoice choice = find_kernel(operation.opcode, variant, scalars);
        if (!choice.takes_scalars) choice.kernel = find_kernel(operation.opcode, variant, 0).kernel;
        op.kernel = choice.kernel;
        for (int i = 0; i < operation.source_count; ++i) set_source(op, operation, i, choice.takes_scalars);
        op.preparations = static_cast<std::uint16_t>(code_.preparations.size() - op.preparation);
        op.staged = op.indirect || (choice.componentwise ? overwrites(op) : needs_all_rows(operation.opcode));
        code_.ops.push_back(op);
    }

    // Which BRK leaves a SWITCH.
    void nesting(std::size_t pc, Op& op) {
        switch (code_.operations[pc].opcode) {
            case Opcode::bgnloop:
                in_switch_.push_back(false);
                break;
            case Opcode::switch_:
                in_switch_.push_back(true);
                break;
            case Opcode::endloop:
            case Opcode::endswitch:
                in_switch_.pop_back();
                break;
            case Opcode::brk:
                op.breaks_switch = in_switch_.back();
                break;
            default:
                break;
        }
    }

    static void set_destination(Op& op) {
        const DestinationRegister& to = op.operation->destination;
        if (to.file == RegisterFile::none) return;
        op.space = space_of(to.file);
        op.index = to.index;
        op.indirect = to.indirect.has_value();
        if (op.indirect) op.address = *to.indirect;
        op.row = static_cast<std::uint32_t>(std::max(to.index, 0)) * register_floats;
        for (std::uint8_t c = 0; c < 4; ++c)
            if (to.mask & (1U << c)) op.components[op.count++] = c;
    }

    // Sources that a kernel may read as one value for all lanes.
    static unsigned scalar_sources(const Operation& operation) {
        unsigned scalars = 0;
        for (unsigned i = 0; i < operation.source_count; ++i) {
            const SourceRegister& source = operation.sources[i];
            const bool integer_modifiers =
                has_modifiers(source) && reads_integer(operation.opcode, static_cast<int>(i));
            if (is_scalar(source.file) && !source.computed() && !integer_modifiers) scalars |= 1U << i;
        }
        return scalars;
    }

    void set_source(Op& op, const Operation& operation, int i, bool takes_scalars) {
        const SourceRegister& source = operation.sources[static_cast<std::size_t>(i)];
        const bool scalar = (scalar_sources(operation) >> i & 1) != 0;
        CodeOperand& operand = op.sources[static_cast<std::size_t>(i)];
        if (scalar && takes_scalars) {
            operand = direct(source, 1);
            operand.scalar = true;
            operand.keep = source.absolute ? ~lane_math::sign_bit : ~0U;
            operand.flip = source.negate ? lane_math::sign_bit : 0U;
        } else if (!is_scalar(source.file) && !source.indirect && !has_modifiers(source)) {
            operand = direct(source, batch_lanes);
        } else {
            prepare(op, operation, i, operand);
        }
    }

    static CodeOperand direct(const SourceRegister& source, std::uint32_t component_floats) {
        CodeOperand operand;
        operand.space = space(source);
        for (std::size_t c = 0; c < 4; ++c)
            operand.row[c] = (static_cast<std::uint32_t>(source.index) * 4 + source.swizzle[c]) * component_floats;
        return operand;
    }

    static std::uint8_t space(const SourceRegister& source) {
        const std::uint8_t buffer = source.file == RegisterFile::constant ? source.buffer : std::uint8_t{0};
        return static_cast<std::uint8_t>(space_of(source.file) + buffer);
    }

    void prepare(const Op& op, const Operation& operation, int i, CodeOperand& operand) {
        const SourceRegister& source = operation.sources[static_cast<std::size_t>(i)];
        Preparation preparation;
        preparation.space = space(source);
        preparation.scalar = is_scalar(source.file);
        preparation.integer = reads_integer(operation.opcode, i);
        preparation.absolute = source.absolute;
        preparation.negate = source.negate;
        preparation.indirect = source.indirect.has_value();
        if (source.indirect) preparation.address = *source.indirect;
        preparation.index = source.index;
        if (source.buffer_indirect) preparation.computed_buffer = &op.operation->sources[static_cast<std::size_t>(i)];
        preparation.scratch_row = static_cast<std::uint32_t>(i) * 4;
        const unsigned read = components_read(operation.opcode, i, operation.destination.mask, operation.target);
        operand.space = scratch_space;
        unsigned mask = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            if (read & (1U << c)) mask |= 1U << source.swizzle[c];
            operand.row[c] = (preparation.scratch_row + source.swizzle[c]) * batch_lanes;
        }
        preparation.components = static_cast<std::uint8_t>(mask);
        if (code_.preparations.size() >= 0xffff)
            throw engine::InputError("TGSI program: more than 65535 operands with modifiers are not supported");
        code_.preparations.push_back(preparation);
    }

    // A component would be written before the instruction has read it for a later component.
    static bool overwrites(const Op& op) {
        for (int k = 0; k < op.count; ++k) {
            const std::uint32_t written = op.row + op.components[static_cast<std::size_t>(k)] * batch_lanes;
            for (int later = k + 1; later < op.count; ++later)
                for (std::size_t s = 0; s < op.operation->source_count; ++s)
                    if (op.sources[s].space == op.space && !op.sources[s].scalar &&
                        op.sources[s].row[op.components[static_cast<std::size_t>(later)]] == written)
                        return true;
        }
        return false;
    }

    // Kernels that write all four components, whatever the mask, and the texture units.
    static bool needs_all_rows(Opcode opcode) {
        return opcode == Opcode::lit || opcode == Opcode::exp || opcode == Opcode::log || opcode == Opcode::dst ||
               opcode == Opcode::xpd || opcode == Opcode::up2h || opcode_info(opcode).is_texture ||
               has_storage_operand(opcode);
    }

    const Shader& shader_;
    Code code_;
    std::vector<bool> in_switch_;
};

}  // namespace

Code compile(const Shader& shader) {
    return Compiler(shader).run();
}

}  // namespace models::functional::tgsi
