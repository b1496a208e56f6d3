// Paths without repetition. The number of a path is the order of its first intern(), so whoever needs numbers that do
// not depend on the schedule of threads keeps a table for each piece of work and interns their paths into one table in
// the order of the work.
//
// Which lanes took part makes many paths of few: once a table holds `exact_paths`, or `exact_runs` in its paths, it
// forgets the lanes of paths that are new, so that their runs name all lanes of a group. A loop has a run for each time
// around, or several where lanes leave it one by one; without lanes it has a path for each number of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/shader/program.h"

namespace models {

class PathTable {
  public:
    static constexpr std::size_t exact_paths = 32768;
    static constexpr std::size_t exact_runs = std::size_t{1} << 22;  // 32 MiB

    // Of programs of this stage.
    explicit PathTable(ShaderStage stage) : stage_(stage) {}

    // The number of an equal path, or the next number. Throws engine::InputError after 65536 different paths.
    std::uint16_t intern(const Path& path);

    const std::vector<Path>& paths() const { return paths_; }
    std::size_t runs() const { return runs_; }      // of all paths
    std::uint64_t bytes() const { return bytes_; }  // of memory

  private:
    bool find(const Path& path, std::uint64_t key, std::uint16_t& number) const;

    ShaderStage stage_;
    std::vector<Path> paths_;
    std::unordered_multimap<std::uint64_t, std::uint16_t> numbers_;  // by hash; looked up, never walked
    std::size_t runs_ = 0;
    std::uint64_t bytes_ = 0;
};

// The same instructions, executed by all lanes of a group.
Path with_all_lanes(const Path& path, ShaderStage stage);

}  // namespace models
