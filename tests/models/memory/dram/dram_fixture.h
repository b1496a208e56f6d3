// Main memory of a test: its parameters, loads and figures.
#pragma once

#include <gtest/gtest.h>

#include "models/memory/dram/dram_pattern.h"

namespace models {

struct TestDram {
    explicit TestDram(const std::string& device = "lpddr3-1600", int channels = 1, int bus_bits = 0) {
        set("device", device);
        set("channels", std::to_string(channels));
        set("bus_bits", std::to_string(bus_bits));
    }
    // "page" or "timing.rcd".
    void set(const std::string& name, const std::string& value) { set_in(dram, name, value); }

    DramFigures play(const DramPattern& pattern) const {
        dram.check();
        DramDriver driver(dram);
        return driver.play(make_load(pattern, dram));
    }
    DramPattern pattern(DramOrder order, std::uint64_t requests) const {
        DramPattern pattern;
        pattern.order = order;
        pattern.requests = requests;
        pattern.footprint = 512 << 20;
        return pattern;
    }

    ParameterGroup root;
    DramParameters dram{&root, "dram", "of a test"};

  private:
    static void set_in(engine::ParameterGroup& group, const std::string& name, const std::string& value) {
        const std::size_t dot = name.find('.');
        if (dot != std::string::npos) {
            for (engine::ParameterGroup* child : group.groups())
                if (child->name() == name.substr(0, dot)) return set_in(*child, name.substr(dot + 1), value);
        }
        for (engine::ParameterBase* parameter : group.parameters())
            if (parameter->name() == name) return parameter->set(value);
        FAIL() << name;
    }
};

}  // namespace models
