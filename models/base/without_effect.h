// Parameters that were set, though nothing of what is built looks at them: a line each that says why.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/parameter.h"

namespace models {

class WithoutEffect {
  public:
    using Parameters = std::initializer_list<const engine::ParameterBase*>;

    // Of a group those that are not as by default: `only` these, if there are any, and not these.
    // `parent`: "dram." for dram.flat.
    void add(const engine::ParameterGroup& group, const std::string& reason, Parameters only = {},
             Parameters all_but = {}, const std::string& parent = "");

    const std::vector<std::string>& lines() const { return lines_; }

  private:
    std::vector<std::string> lines_;
};

}  // namespace models
