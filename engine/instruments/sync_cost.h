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

// What is measured for that, in seconds.
struct SyncTimings {
    // A window of two workers of which each waits for the other, and a window of one: without messages, and with two
    // and with sixteen that each of two sends the other, or one itself.
    struct Window {
        double two = 0, one = 0;
    };
    static constexpr int few_messages = 2, many_messages = 16, many_links = 9;
    Window empty, few, many;
    double hop = 0, hop_of_many = 0;  // from one worker to the other, over one link and over nine
};

// What noise makes negative becomes zero; a window costs a nanosecond at least, in which light comes 30 cm far.
SyncCost sync_cost(const SyncTimings& timings);

// Pins two threads to two cores for some hundredths of a second; on a machine without a quiet moment it finds more.
SyncCost measure_sync_cost();

}  // namespace engine
