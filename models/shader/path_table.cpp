#include "models/shader/path_table.h"

#include "engine/error.h"

namespace models {
namespace {

std::uint64_t hash(const Path& path) {  // FNV-1a over the runs
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const PathRun& run : path) value = (value ^ (std::uint64_t{run.first} << 16 | run.count)) * 0x100000001b3U;
    return value;
}

}  // namespace

std::uint16_t PathTable::intern(const Path& path) {
    const std::uint64_t key = hash(path);
    const auto [begin, end] = numbers_.equal_range(key);
    for (auto at = begin; at != end; ++at)
        if (paths_[at->second] == path) return at->second;
    if (paths_.size() > 0xffff) throw engine::InputError("a shader program took more than 65536 different paths");
    const auto number = static_cast<std::uint16_t>(paths_.size());
    paths_.push_back(path);
    numbers_.emplace(key, number);
    return number;
}

void PathTable::clear() {
    paths_.clear();
    numbers_.clear();
}

}  // namespace models
