#include "models/functional/tgsi/kernels.h"

namespace models::functional::tgsi {

KernelChoice find_kernel(Opcode opcode, Variant variant, unsigned scalars) {
    if (variant != Variant::plain) return variant_kernel(variant, scalars);
    for (const auto find : {float_kernel, comparison_kernel, special_kernel, integer_kernel})
        if (const KernelChoice choice = find(opcode, scalars); choice.kernel != nullptr) return choice;
    return {};
}

}  // namespace models::functional::tgsi
