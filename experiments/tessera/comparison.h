// Where two runs differ, and where they part: what `tessera compare` prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/results.h"

namespace experiments {

// A parameter or another choice that can change what is simulated. "-": not there.
struct Difference {
    std::string name, first, second;
};
std::vector<Difference> find_configuration_differences(const io::Results& first, const io::Results& second);

// A counter, summed over the frames that both have and over the processes of its kind; or the cycles of the frames. If
// only the shares of processes or frames differ, the sums are equal.
struct CounterDifference {
    std::string name;  // "l2_slice.hits"
    std::uint64_t first = 0, second = 0;
    double relative() const;  // of the larger one
};
// Counters that one of them does not have are not compared.
std::vector<CounterDifference> find_counter_differences(const io::Results& first, const io::Results& second);

// The first stretch of simulated time in which a process consumed something else.
struct Parting {
    std::uint32_t workload = 0;
    engine::Time from = 0, to = 0;       // ticks
    std::vector<std::string> processes;  // that parted there, in the order of the machine
};
// For every workload that both have: up to when there can be messages of both, as one of them may have done fewer of
// its frames; engine::never: the frames are equally many.
std::vector<engine::Time> common_ends(const io::Results& first, const io::Results& second);
// Compares the processes that both have, at the times at which both have samples, of each workload up to its end in
// `ends`, if that is given. Empty: they consumed the same.
std::optional<Parting> find_parting(const io::Determinism& first, const io::Determinism& second,
                                    const std::vector<engine::Time>& ends = {});
// The last time, up to `end`, at which both have samples of the workload; none: there is no such time.
std::optional<engine::Time> last_common_sample(const io::Determinism& first, const io::Determinism& second,
                                               std::uint32_t workload, engine::Time end);

// The first logged message in which a process differs, by time and then by the order of the machine. Null: this run
// consumed no more within the log.
struct MessageParting {
    std::string process;
    engine::Time from = 0, to = 0;  // the window of the kernel, in ticks
    const engine::MessageLog::Message *first = nullptr, *second = nullptr;
    std::vector<std::string> others;  // processes that part in the same window
};
// The stretch that both logs hold whole. Empty where one has no log.
struct LoggedRange {
    engine::Time from = 0, to = 0;
    bool empty() const { return from >= to; }
};
LoggedRange common_log(const io::Determinism& first, const io::Determinism& second);
// `workload`: the one in which the range lies.
std::optional<MessageParting> find_message_parting(const io::Determinism& first, const io::Determinism& second,
                                                   const LoggedRange& range, const io::Determinism::Workload& workload);

}  // namespace experiments
