#include "models/functional/tgsi/executor.h"

#include "models/functional/tgsi/code.h"
#include "models/functional/tgsi/flush_denormals.h"
#include "models/functional/tgsi/state.h"

namespace models::functional::tgsi {

Executable::Executable(const Shader& shader)
    : code_(std::make_unique<const Code>(compile(shader))),
      straight_path_{{0, static_cast<std::uint16_t>(shader.operations.size()),
                      shader.program.stage == ShaderStage::fragment ? 0xfU : 1U}},
      straight_line_(!shader.uses_control_flow) {}
Executable::~Executable() = default;
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;

Executor::Executor() : state_(std::make_unique<State>()) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

void Executor::bind(const Executable& executable, const Environment& environment) {
    state_->bind(*executable.code_, environment);
}

void Executor::run(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes) {
    const FlushDenormals flush;
    state_->start(inputs, system_values, outputs, lanes);
    while (!state_->advance()) {
    }
}
void Executor::start(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes) {
    state_->start(inputs, system_values, outputs, lanes);
}
bool Executor::advance() {
    return state_->advance();
}

LaneMask Executor::killed() const {
    return state_->killed();
}
bool Executor::same_path() const {
    return state_->same_path();
}
void Executor::path(LaneMask group, Path& path) const {
    state_->path(group, path);
}

}  // namespace models::functional::tgsi
