// What it costs on this machine that workers on two threads go on from each other: measured with the links that workers
// use (transport/link.h).
#pragma once

namespace engine {

// Seconds of wall time.
struct SyncCost {
    double window = 0;   // from a promise to the worker that waited for it going on
    double link = 0;     // of one further link, to look at and to promise on, in a window
    double message = 0;  // of a message to another worker, beyond what one inside a worker costs
};

// Pins two threads to two cores for some hundredths of a second; on a machine without a quiet moment it finds more.
SyncCost measure_sync_cost();

}  // namespace engine
