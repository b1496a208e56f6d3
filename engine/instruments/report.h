// What a run has to say about itself.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/instruments/profile.h"
#include "engine/units.h"

namespace engine {

// Wall seconds of one worker, which add up to those of the run. What it waits long is measured; the rest of its time is
// shared out as in the windows that were measured completely (RunOptions::measure_every), so it is an estimate.
struct WorkerReport {
    double work = 0;      // advancing processes
    double wait = 0;      // for others, or for nothing as it owns no process
    double messages = 0;  // gathering, putting in order, handing over, telling clocks; and finding out what to advance
    std::uint64_t calendar_mark = 0;  // the most messages its calendar had room for
    std::uint64_t backlog_mark = 0;   // the most messages that waited to be handed over to one other worker

    void serialize(Archive& archive) { archive(work, wait, messages, calendar_mark, backlog_mark); }
};

// The first three are the same however it was run, if it was not stopped; the rest is speed and no result.
struct RunReport {
    Time end = 0;                     // time of the last event
    std::uint64_t messages = 0;       // consumed
    std::uint64_t steps = 0;          // clock cycles and alarms
    std::uint64_t windows = 0;        // run, of all workers
    std::uint64_t null_messages = 0;  // clocks told by workers to workers (null messages)
    std::uint64_t reductions = 0;     // of all workers
    std::uint64_t sequential = 0;     // stretches between trials for which one worker did the work of all
    Time window_length = 0;
    // If it was stopped: all events before this time have happened, and no others. The same on all ranks.
    Time stopped_at = never;
    int stopped_by = 0;  // the signal that stopped it; 0: it was not stopped, or by RunOptions::until
    double seconds = 0;
    std::vector<WorkerReport> workers;  // of all ranks, in the order of the plan
    Profile profile;

    // Of the run that went on from where this one was stopped: the two as one. Workers are those of the larger plan.
    void append(const RunReport& next);
    void serialize(Archive& archive) {
        archive(end, messages, steps, windows, null_messages, reductions, sequential, window_length, stopped_at,
                stopped_by, seconds, workers, profile);
    }
};

}  // namespace engine
