#include "models/functional/tgsi/uniform_outputs.h"

#include <algorithm>

#include "models/functional/tgsi/names.h"

namespace models::functional::tgsi {
namespace {

// Walks the straight end of a program and keeps the components that hold a uniform value.
class Copies {
  public:
    explicit Copies(const Shader& shader) : temporaries_(shader.program.temporaries), outputs_(shader.outputs.size()) {}

    void step(const Operation& operation) {
        const DestinationRegister& to = operation.destination;
        std::vector<std::uint8_t>* const file = file_of(to.file);
        if (file == nullptr) return;
        if (to.indirect) {  // any register may have changed
            std::fill(file->begin(), file->end(), std::uint8_t{0});
            return;
        }
        std::uint8_t& uniform = (*file)[static_cast<std::size_t>(to.index)];
        const unsigned copied =
            operation.opcode == Opcode::mov && !operation.saturate ? source(operation.sources[0]) : 0;
        uniform = static_cast<std::uint8_t>((uniform & ~to.mask) | (copied & to.mask));
    }

    std::vector<std::uint8_t> outputs() && { return std::move(outputs_); }

  private:
    std::vector<std::uint8_t>* file_of(RegisterFile file) {
        if (file == RegisterFile::temporary) return &temporaries_;
        return file == RegisterFile::output ? &outputs_ : nullptr;
    }

    // The components of a destination to which an operand copies a uniform value. Uniform blocks do not count.
    unsigned source(const SourceRegister& from) {
        if (from.computed()) return 0;
        if (from.file == RegisterFile::immediate) return 0xf;
        if (from.absolute || from.negate) return 0;
        if (from.file == RegisterFile::constant) return from.buffer == 0 ? 0xf : 0;
        const std::vector<std::uint8_t>* const file = file_of(from.file);
        if (file == nullptr) return 0;
        unsigned mask = 0;
        for (unsigned c = 0; c < 4; ++c)
            mask |= ((*file)[static_cast<std::size_t>(from.index)] >> from.swizzle[c] & 1U) << c;
        return mask;
    }

    std::vector<std::uint8_t> temporaries_, outputs_;
};

bool controls(Opcode opcode) {
    switch (opcode) {
        case Opcode::if_:
        case Opcode::uif:
        case Opcode::else_:
        case Opcode::endif:
        case Opcode::bgnloop:
        case Opcode::endloop:
        case Opcode::switch_:
        case Opcode::endswitch:
        case Opcode::bgnsub:
        case Opcode::endsub:
        case Opcode::cal:
        case Opcode::ret:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::vector<std::uint8_t> find_uniform_outputs(const Shader& shader) {
    Copies copies(shader);
    auto last = std::find_if(shader.operations.rbegin(), shader.operations.rend(),
                             [](const Operation& operation) { return controls(operation.opcode); });
    for (auto operation = last.base(); operation != shader.operations.end(); ++operation) copies.step(*operation);
    return std::move(copies).outputs();
}

}  // namespace models::functional::tgsi
