#include "models/shader/path_table.h"

#include "engine/error.h"

namespace models {
namespace {

std::uint64_t hash(const Path& path) {  // FNV-1a over the runs
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const PathRun& run : path) {
        const std::uint64_t word = std::uint64_t{run.lanes} << 32U | std::uint64_t{run.first} << 16U | run.count;
        value = (value ^ word) * 0x100000001b3U;
        value ^= value >> 32U;
    }
    return value;
}

std::uint64_t memory_of(const Path& path) {
    constexpr std::uint64_t entry_bytes = 64;  // of the table of numbers
    return sizeof(Path) + path.size() * sizeof(PathRun) + entry_bytes;
}

}  // namespace

Path with_all_lanes(const Path& path, ShaderStage stage) {
    const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << lanes_of(stage)) - 1);
    Path joined;
    for (const PathRun& run : path)
        if (!joined.empty() && joined.back().first + joined.back().count == run.first)
            joined.back().count = static_cast<std::uint16_t>(joined.back().count + run.count);
        else
            joined.push_back({run.first, run.count, all});
    return joined;
}

bool PathTable::find(const Path& path, std::uint64_t key, std::uint16_t& number) const {
    const auto [begin, end] = numbers_.equal_range(key);
    for (auto at = begin; at != end; ++at) {
        if (paths_[at->second] != path) continue;
        number = at->second;
        return true;
    }
    return false;
}

std::uint16_t PathTable::intern(const Path& path) {
    std::uint64_t key = hash(path);
    std::uint16_t number = 0;
    if (find(path, key, number)) return number;
    const bool exact = paths_.size() < exact_paths && runs_ < exact_runs;
    const Path added = exact ? path : with_all_lanes(path, stage_);
    if (!exact) {
        key = hash(added);
        if (find(added, key, number)) return number;
    }
    if (paths_.size() > 0xffff)
        throw engine::InputError(
            "a shader whose warps take more than 65536 different paths is not supported; fewer frames (`tessera trace "
            "--frames`) or a smaller picture have fewer");
    number = static_cast<std::uint16_t>(paths_.size());
    paths_.push_back(added);
    numbers_.emplace(key, number);
    runs_ += added.size();
    bytes_ += memory_of(added);
    return number;
}

}  // namespace models
