// The lane loops of all operations that compute: one kernel for each opcode and shape of its operands.
#pragma once

#include "models/functional/tgsi/code.h"

namespace models::functional::tgsi {

// Operations that TGSI writes with a negated operand and that have a kernel of their own.
enum class Variant : std::uint8_t {
    plain,
    subtract,               // ADD a, -b
    subtract_from,          // ADD -a, b
    multiply_subtract,      // MAD a, b, -c
    negative_multiply_add,  // MAD -a, b, c
    compare_negative,       // CMP -a, b, c
};

struct KernelChoice {
    Kernel kernel = nullptr;
    bool takes_scalars = false;  // where false, every source has to be rows of lanes
    bool componentwise = false;  // component c of the result depends on component c of the sources only
};

// `scalars`: bit s is set when source s is one value for all lanes.
KernelChoice find_kernel(Opcode opcode, Variant variant, unsigned scalars);

// The families find_kernel looks through; without a kernel for opcodes of other families.
KernelChoice variant_kernel(Variant variant, unsigned scalars);
KernelChoice float_kernel(Opcode opcode, unsigned scalars);
KernelChoice comparison_kernel(Opcode opcode, unsigned scalars);
KernelChoice special_kernel(Opcode opcode, unsigned scalars);
KernelChoice integer_kernel(Opcode opcode, unsigned scalars);

}  // namespace models::functional::tgsi
