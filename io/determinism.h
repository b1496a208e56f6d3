// What the processes of a run consumed: hashes of it over time, and on demand the messages of a stretch of time
// (engine/events/message_hash.h, engine/events/message_log.h). The same for every number of threads and ranks and every
// partition; no part of the results' digest. `tessera compare` finds with it where two runs part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/archive.h"
#include "engine/events/message_hash.h"
#include "engine/events/message_log.h"
#include "engine/units.h"

namespace io {

struct Determinism {
    struct Workload {
        engine::Time start = 0, window = 0;  // ticks; where its windows begin, and how long they are

        void serialize(engine::Archive& archive) { archive(start, window); }
    };
    struct Epoch {
        std::uint32_t workload = 0;
        engine::Time end = 0;  // the sample covers the messages that arrive before it

        void serialize(engine::Archive& archive) { archive(workload, end); }
    };

    std::uint64_t tie_seed = 0;
    std::vector<std::string> processes;
    std::vector<Workload> workloads;
    std::vector<Epoch> epochs;           // by workload, then by time
    std::vector<std::uint64_t> samples;  // [epoch][process]

    // What was to be logged: messages of [log_from, log_to). Both are 0 where no log was asked for.
    engine::Time log_from = 0, log_to = 0;
    engine::MessageLog log;

    bool has_log() const { return log_from < log_to; }
    const std::uint64_t* row(std::size_t epoch) const { return samples.data() + epoch * processes.size(); }
    // Of the last sample of a workload.
    std::size_t last_epoch(std::uint32_t workload) const;

    // The hashes of the workload that is being run, which began at `start`; replaces what was there of it. Workloads
    // come one after another.
    void set_hashes(std::uint32_t workload, engine::Time start, const engine::MessageHashes& hashes);
    void add_log(engine::Time start, const engine::MessageLog& more);

    void serialize(engine::Archive& archive) {
        archive(tie_seed, processes, workloads, epochs, samples, log_from, log_to, log);
    }
};

}  // namespace io
