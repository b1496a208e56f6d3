#include "io/program_numbering.h"

namespace io {

void ProgramNumbering::renumber(models::Frame& frame) {
    const auto number = [&](std::uint32_t& program) {
        if (program == models::none) return;
        const auto [found, is_new] = numbers_.try_emplace(program, static_cast<std::uint32_t>(order_.size()));
        if (is_new) order_.push_back(program);
        program = found->second;
    };
    for (models::Draw& draw : frame.draws) {
        number(draw.vertex_program);
        number(draw.fragment_program);
    }
    for (models::Kernel& kernel : frame.kernels) number(kernel.program);
}

std::vector<models::Program> ProgramNumbering::select(const std::vector<models::Program>& programs) const {
    std::vector<models::Program> selected;
    for (const std::uint32_t number : order_) selected.push_back(programs.at(number));
    return selected;
}

}  // namespace io
