#include "models/core/program_profile.h"

#include <bit>
#include <utility>

namespace models {

namespace {

using Numbers = std::array<std::uint64_t, ProgramProfile::numbers - 1>;

}  // namespace

void ProgramProfile::Work::add(const Work& other) {
    Numbers sum = std::bit_cast<Numbers>(*this);
    const Numbers more = std::bit_cast<Numbers>(other);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
    *this = std::bit_cast<Work>(sum);
}

void ProgramProfile::set_issuing(std::uint32_t program, std::uint64_t warp_instructions,
                                 std::uint64_t thread_instructions) {
    Work& work = work_[issuing_];
    work.warp_instructions += warp_instructions - told_.warp_instructions;
    work.thread_instructions += thread_instructions - told_.thread_instructions;
    told_ = {warp_instructions, thread_instructions};
    changed_ |= program != issuing_;
    issuing_ = program;
}

void ProgramProfile::tell_counts() {
    Work& launching = work_[launching_];
    launching.warps += std::exchange(warps_, 0);
    launching.threads += std::exchange(threads_, 0);
    work_[asking_].texture_accesses += std::exchange(textures_, 0);
}

void ProgramProfile::end_frame() {
    tell_counts();
    for (std::uint32_t program = 0; program < work_.size(); ++program) {
        Work& work = work_[program];
        for (const CoreState state : {CoreState::empty, CoreState::constants})
            work.cycles[static_cast<std::size_t>(state)] = 0;
        if (work == Work{}) continue;
        series.append(program);
        for (const std::uint64_t number : std::bit_cast<Numbers>(work)) series.append(number);
        work = Work{};
    }
}

std::vector<std::pair<std::uint32_t, ProgramProfile::Work>> ProgramProfile::read(
    const std::vector<std::uint64_t>& values) {
    std::vector<std::pair<std::uint32_t, Work>> all;
    for (std::size_t at = 0; at + numbers <= values.size(); at += numbers) {
        Numbers work{};
        for (std::size_t i = 0; i < work.size(); ++i) work[i] = values[at + 1 + i];
        all.emplace_back(static_cast<std::uint32_t>(values[at]), std::bit_cast<Work>(work));
    }
    return all;
}

}  // namespace models
