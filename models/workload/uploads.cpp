#include "models/workload/uploads.h"

#include <algorithm>

namespace models {
namespace {

// Ascending, those that meet made one.
std::vector<Uploads::Run> merged(std::vector<Uploads::Run> runs) {
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Uploads::Run> apart;
    for (const Uploads::Run& run : runs)
        if (apart.empty() || apart.back().end() < run.first)
            apart.push_back(run);
        else
            apart.back().count = std::max(apart.back().end(), run.end()) - apart.back().first;
    return apart;
}

}  // namespace

Uploads::Run run_of(Address address, std::uint64_t bytes, Address ring) {
    if (address >= constant_ring && address - constant_ring < constant_ring_bytes) address += ring - constant_ring;
    const auto first = static_cast<BlockNumber>(address / block_bytes);
    return {first, static_cast<BlockNumber>((address + bytes + block_bytes - 1) / block_bytes) - first};
}

void Uploads::load(const Frame& frame, Address ring, const std::vector<Run>& commands) {
    runs_ = commands;
    of_pass_.assign(std::max<std::size_t>(frame.passes.size(), 1), {});
    std::size_t pass = 0;
    for (const Upload& upload : frame.uploads) {
        if (upload.bytes == 0) continue;
        runs_.push_back(run_of(upload.address, upload.bytes, ring));
        while (pass + 1 < of_pass_.size() && upload.before_draw >= frame.passes[pass + 1].first_draw) ++pass;
        of_pass_[pass].push_back(runs_.back());
    }
    for (std::vector<Run>& runs : of_pass_) runs = merged(std::move(runs));
}

bool Uploads::written_in(std::uint32_t pass, BlockNumber block) const {
    const std::vector<Run>& runs = of_pass_[pass];
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), block, [](BlockNumber b, const Run& run) { return b < run.first; });
    return after != runs.begin() && block < (after - 1)->end();
}

}  // namespace models
