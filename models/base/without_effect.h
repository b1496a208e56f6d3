// Parameters that were set, though nothing of what is built looks at them: a line each that says why.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "engine/parameter.h"

namespace models {

class WithoutEffect {
  public:
    using Parameters = std::initializer_list<const engine::ParameterBase*>;

    // Of a group those that are not as by default: `only` these, if there are any, and not these. The first reason that
    // is given for a parameter counts.
    // `parent`: "dram." for dram.flat.
    void add(const engine::ParameterGroup& group, const std::string& reason, Parameters only = {},
             Parameters all_but = {}, const std::string& parent = "");
    // The same with all groups in it.
    void add_with_groups(const engine::ParameterGroup& group, const std::string& reason, Parameters all_but = {},
                         const std::string& parent = "");

    const std::vector<std::string>& lines() const { return lines_; }

  private:
    std::vector<std::string> lines_;
    std::set<const engine::ParameterBase*> told_;  // looked up, never walked
};

}  // namespace models
