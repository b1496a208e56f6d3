// What it costs on this machine that workers on two threads go on from each other: measured with a simulation that does
// nothing else, and with the links that workers use (transport/link.h).
#pragma once

namespace engine {

// Seconds of wall time.
struct SyncCost {
    double window = 0;   // from the end of a window until the worker that waited for it goes on
    double link = 0;     // of a link that no worker waits for: to read its clock and to set it, in a window
    double batch = 0;    // fixed cost of sending any messages to another worker in a window
    double message = 0;  // of each of them, beyond what one inside a worker costs
};

// Pins two threads to two cores for some hundredths of a second; on a machine without a quiet moment it finds more.
SyncCost measure_sync_cost();

}  // namespace engine
