// Laws that the counters of a machine obey whenever it is idle: what goes in comes out, every request is answered, and
// what is done is what the frame asks for. They hold for the counters since the start and for the difference between
// any two idle moments, so for every frame. A violation is an error of a model, never of its user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/logical_process.h"
#include "models/frame_trace/frame_trace.h"

namespace models {

// The counters of all processes, summed by kind of process and name.
class Ledger {
  public:
    using Processes = std::vector<std::unique_ptr<engine::LogicalProcess>>;

    // `values` in the order of Simulation::collect_counters(). `before`: to be subtracted, or empty.
    Ledger(const Processes& processes, const std::vector<std::uint64_t>& values,
           const std::vector<std::uint64_t>& before = {});

    // The sum of all counters of this name (or with this ending) in processes of this kind. At least one must exist.
    std::uint64_t sum(std::string_view kind, std::string_view name) const;
    std::uint64_t sum_ending(std::string_view kind, std::string_view ending) const;

    struct Entry {
        const engine::LogicalProcess* process;
        std::string_view name;
        std::uint64_t value;
    };
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
};

struct Violation {
    std::string law;  // "quads handed out by raster = quads received by fragment processors"
    std::uint64_t left = 0, right = 0;
    std::string text() const;
};

// The laws among the counters.
std::vector<Violation> check_conservation(const Ledger& ledger);

// The laws between the counters of a frame (a difference) and the frame. `groups_per_warp`: of fragment processors.
std::vector<Violation> check_work(const Ledger& ledger, const FrameTrace& trace, const Frame& frame,
                                  int groups_per_warp);

}  // namespace models
