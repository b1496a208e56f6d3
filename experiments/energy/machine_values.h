// The parameters of the machine that was simulated, as its results say them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace energy {

class MachineValues {
  public:
    // `resolved_toml`: as in the results; `called`: what errors call it.
    MachineValues(const std::string& resolved_toml, const std::string& called);

    // In bytes, cycles, Hz or 1. Throws engine::ConfigError, with the nearest name, if there is no such parameter or
    // it is no quantity.
    double number(const std::string& parameter) const;
    // As TOML writes it, without quotes.
    std::string text(const std::string& parameter) const;

    // All of a group, as --set takes them: "dram.channels=2".
    std::vector<std::string> settings(const std::string& group) const;
    const std::string& called() const { return called_; }

  private:
    std::map<std::string, std::string> values_;
    std::string called_;
};

}  // namespace energy
