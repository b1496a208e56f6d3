// Paths without repetition. The number of a path is the order of its first intern(), so whoever needs numbers that do
// not depend on the schedule of threads keeps a table for each piece of work and interns their paths into one table in
// the order of the work.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/shader/program.h"

namespace models {

class PathTable {
  public:
    // The number of an equal path, or the next number. Throws engine::InputError after 65536 different paths.
    std::uint16_t intern(const Path& path);

    const std::vector<Path>& paths() const { return paths_; }
    void clear();

  private:
    std::vector<Path> paths_;
    std::unordered_multimap<std::uint64_t, std::uint16_t> numbers_;  // by hash; looked up, never walked
};

}  // namespace models
