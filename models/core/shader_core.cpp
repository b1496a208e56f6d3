#include "models/core/shader_core.h"

#include <array>

#include "engine/error.h"

namespace models {

namespace {

template <class... Members>
constexpr std::array<ResidentWarps::SlotChoice, sizeof...(Members)> slot_choices(const Family<Members...>* /*all*/) {
    return {Members::slot_choice...};
}

}  // namespace

ShaderCore::ShaderCore(const engine::CounterScope& scope, int index, const ShaderCoreParameters& parameters,
                       const Workload& workload, Cache& instruction_cache, engine::Time period,
                       const Neighbours& neighbours, const Observed& observed, int most_groups)
    : workload_(workload),
      warps_(scope, index, static_cast<std::size_t>(parameters.warps()),
             static_cast<std::size_t>(std::max(parameters.groups_per_warp(), most_groups)),
             slot_choices(static_cast<const Pipeline*>(nullptr))[parameters.pipeline()], workload),
      time_(scope, neighbours, instruction_cache.answered_by(), warps_.programs(), period),
      trace_(scope.list, observed, scope.owner ? scope.owner->index : index, period),
      pipeline_(parameters.pipeline(),
                PipelineSite{scope, index, parameters, workload, period, instruction_cache,
                             static_cast<std::size_t>(std::max(parameters.groups_per_warp(), most_groups)), warps_,
                             time_, trace_}) {}

void check_registers(const ShaderCoreParameters& parameters, const DecodedProgram& program, const std::string& what) {
    const std::string_view pipeline = Pipeline::names[parameters.pipeline()];
    const auto check = [&](std::uint32_t registers, const std::string& of, const std::string& remedy) {
        if (program.file_registers > registers)
            throw engine::InputError(what + ": expected at most " + std::to_string(registers) +
                                     " registers, which is " + of + ", found " +
                                     std::to_string(program.file_registers) + "; set " + remedy);
    };
    if (pipeline == Collector::name) {
        const std::string name = parameters.name() + ".collector.registers";
        check(static_cast<std::uint32_t>(parameters.collector.registers()), name,
              name + " to at least " + std::to_string(program.file_registers));
    }
    if (pipeline == Baseline::name)
        check(Baseline::registers, "what the pipeline `baseline` has for a warp",
              parameters.name() + ".pipeline to another one");
}

void ShaderCore::launch(engine::Time now, const Launch& launch, std::span<const Group> groups) {
    const std::uint8_t slot = warps_.launch(launch, groups);
    pipeline_.visit([&](auto& pipeline) { pipeline.launch(now, slot); });
}

void ShaderCore::add_laws(Laws& laws, const std::string& core) const {
    time_.add_laws(laws, core);
    pipeline_.visit([&](const auto& pipeline) { pipeline.add_laws(laws, core); });
}

}  // namespace models
