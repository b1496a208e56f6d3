// Schedulers on warps that are ready, or not, as a test says: no core, no time.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/resident_warps.h"
#include "models/machine_parameters.h"
#include "tests/models/scene.h"

namespace models {

template <class Member>
class SchedulerFixture : public testing::Test {
  protected:
    SchedulerFixture() {
        scene.pass();
        scene.draw();
        scene.primitive();
        scene.quad(0, 0, 0);
        scene.finish();
        workload.load(scene.trace, scene.frame);
        warps.programs().begin_frame(workload.programs());
    }
    void make(int active_warps = 8) {
        parameters.fragment_processor.active_warps.set(std::to_string(active_warps));
        scheduler.emplace(parameters.fragment_processor);
    }
    // Warps begin in slots 0, 1, ... in this order.
    void begin(int count) {
        for (int i = 0; i < count; ++i) {
            const ResidentWarps::Group group;
            scheduler->began(warps.launch({Scene::fragment_program, false, 0, {}}, {&group, 1}));
        }
    }
    void leave(std::uint32_t done) {
        std::uint32_t name = 0;
        warps.end(done);
        warps.take_finished(
            0, [](std::uint32_t) { return true; },
            [&](std::size_t, std::uint32_t slot) { scheduler->left(slot, warps); }, name);
    }
    // Who issues in the next cycles, if in each those of a mask are ready. -1: nobody.
    std::vector<int> issue(std::initializer_list<std::uint64_t> ready) {
        std::vector<int> order;
        for (const std::uint64_t mask : ready) {
            order.push_back(scheduler->pick(mask & warps.resident(), warps, [](std::uint32_t) { return true; }));
            if (order.back() >= 0) scheduler->issued(static_cast<std::uint32_t>(order.back()));
        }
        return order;
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::CounterList counters;
    ResidentWarps warps{{&counters, {"core", 0}}, 0, 8, 1, ResidentWarps::SlotChoice::in_turn, workload};
    std::optional<Member> scheduler;
};

}  // namespace models
