#include "experiments/tessera/compare_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/error.h"
#include "experiments/tessera/comparison.h"
#include "experiments/tessera/options.h"
#include "io/printable.h"
#include "io/results_file.h"

namespace experiments {

namespace {

using io::printable;

constexpr std::size_t most_shown = 12;

struct Side {
    std::filesystem::path path;
    io::Results results;
};

Side open(const std::filesystem::path& given) {
    Side side{io::results_path(given), {}};
    side.results = io::read_results(side.path);
    return side;
}

void print_rest(std::size_t all) {
    if (all > most_shown) std::printf("  and %zu more\n", all - most_shown);
}

void print_configuration(const Side& a, const Side& b) {
    const std::vector<Difference> differences = find_configuration_differences(a.results, b.results);
    std::printf("configuration: %s\n", differences.empty() ? "the same" : "differs");
    for (std::size_t i = 0; i < std::min(most_shown, differences.size()); ++i)
        std::printf("  %s: %s, %s\n", printable(differences[i].name).c_str(), printable(differences[i].first).c_str(),
                    printable(differences[i].second).c_str());
    print_rest(differences.size());
    for (const Side* side : {&a, &b})
        if (!side->results.complete)
            std::printf("  %s: the run did not end; frames that are there: %zu\n",
                        printable(side->path.string()).c_str(), side->results.frames.size());
}

std::string name_of(const io::Results& results, const io::FrameResult& frame) {
    return "frame " + std::to_string(frame.number) + " of " + results.workloads.at(frame.workload).label;
}

// Frames are compared one by one from the first on.
void print_frames(const Side& a, const Side& b) {
    const std::vector<io::FrameResult>&first = a.results.frames, &second = b.results.frames;
    const std::size_t both = std::min(first.size(), second.size());
    if (first.size() != second.size())
        std::printf("  frames: %zu, %zu; the first %zu of both are compared, what %s has behind them is not\n",
                    first.size(), second.size(), both,
                    printable((first.size() > second.size() ? a : b).path.string()).c_str());
    for (std::size_t i = 0; i < both; ++i) {
        const std::string mine = name_of(a.results, first[i]), other = name_of(b.results, second[i]);
        if (mine == other) continue;
        std::printf("  %s is compared with %s\n", printable(mine).c_str(), printable(other).c_str());
        return;
    }
}

bool print_counters(const Side& a, const Side& b) {
    const std::string first = io::results_digest(a.results), second = io::results_digest(b.results);
    if (first == second) {
        std::printf("results: the same, digest %s\n", first.c_str());
        return true;
    }
    std::printf("results: differ, digests %s and %s\n", first.c_str(), second.c_str());
    print_frames(a, b);
    const std::vector<CounterDifference> counters = find_counter_differences(a.results, b.results);
    if (counters.empty()) std::printf("  counters: the same in all frames that are compared\n");
    for (std::size_t i = 0; i < std::min(most_shown, counters.size()); ++i) {
        const CounterDifference& counter = counters[i];
        std::printf("  %s: %llu, %llu", printable(counter.name).c_str(), static_cast<unsigned long long>(counter.first),
                    static_cast<unsigned long long>(counter.second));
        if (counter.first == counter.second)
            std::printf(" (other shares of frames, processes or bins)\n");
        else
            std::printf(" (%.3g %%)\n", 100 * counter.relative());
    }
    print_rest(counters.size());
    return false;
}

std::string ticks(engine::Time from, engine::Time to) {
    return "ticks " + std::to_string(from) + " to " + std::to_string(to);
}

// The frame that is simulated at the begin of the stretch, or the first one in it.
std::string frame_at(const io::Results& results, std::uint32_t workload, engine::Time from, engine::Time to) {
    for (const io::FrameResult& frame : results.frames)
        if (frame.workload == workload && frame.end > from && frame.start < to) return name_of(results, frame);
    return "after the last frame";
}

// Where the last frame of the workload ends; 0: it has none.
engine::Time end_of(const io::Results& results, std::uint32_t workload) {
    engine::Time end = 0;
    for (const io::FrameResult& frame : results.frames)
        if (frame.workload == workload) end = std::max(end, frame.end);
    return end;
}

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most_shown, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most_shown) text += " and " + std::to_string(names.size() - most_shown) + " more";
    return text;
}

void print_message(const Side& side, const engine::MessageLog::Message* message) {
    if (message == nullptr) {
        std::printf("  %s: no further message in the log\n", printable(side.path.string()).c_str());
        return;
    }
    const std::vector<std::string>& ports = side.results.determinism.log.ports;
    std::string payload;
    for (std::size_t i = 0; i < message->size; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, i % 8 == 0 && i > 0 ? " %02x" : "%02x",
                      std::to_integer<unsigned>(message->payload[i]));
        payload += digits;
    }
    std::printf("  %s: time %lld, from %s to %s, number %llu of its channel, %u bytes %s\n",
                printable(side.path.string()).c_str(), static_cast<long long>(message->time),
                printable(ports[static_cast<std::size_t>(message->from)]).c_str(),
                printable(ports[static_cast<std::size_t>(message->to)]).c_str(),
                static_cast<unsigned long long>(message->position), message->size, payload.c_str());
}

void print_message_parting(const Side& a, const Side& b, const Parting& parting) {
    const io::Determinism &first = a.results.determinism, &second = b.results.determinism;
    const LoggedRange range = common_log(first, second);
    const std::string again = "--log-messages " + std::to_string(parting.from) + ":" + std::to_string(parting.to);
    if (range.empty() || range.from > parting.from || range.to <= parting.from) {
        std::printf("  to see the message, run both again with %s\n", again.c_str());
        return;
    }
    const auto found = find_message_parting(first, second, range, first.workloads[parting.workload]);
    if (!found) {
        std::printf("  the logged messages are the same; both logs are whole for %s only: run both again with %s\n",
                    ticks(range.from, range.to).c_str(), again.c_str());
        return;
    }
    std::printf("first message that differs: of %s, in the window of %s\n", printable(found->process).c_str(),
                ticks(found->from, found->to).c_str());
    print_message(a, found->first);
    print_message(b, found->second);
    if (!found->others.empty()) std::printf("  in this window part, too: %s\n", printable(list(found->others)).c_str());
}

// Of runs of which one did fewer frames: what was not compared.
void print_uncompared(const Side& a, const Side& b, const std::vector<engine::Time>& ends) {
    const io::Determinism &first = a.results.determinism, &second = b.results.determinism;
    for (std::uint32_t workload = 0; workload < ends.size(); ++workload) {
        if (ends[workload] == engine::never) continue;
        const Side& shorter = end_of(a.results, workload) == ends[workload] ? a : b;
        const auto sample = last_common_sample(first, second, workload, ends[workload]);
        std::printf("  not compared: those of %s %s, as %s ends at tick %lld\n",
                    printable(a.results.workloads.at(workload).label).c_str(),
                    sample ? ("from tick " + std::to_string(*sample) + " on").c_str() : "at any time",
                    printable(shorter.path.string()).c_str(), static_cast<long long>(ends[workload]));
    }
    if (first.workloads.size() != second.workloads.size())
        std::printf("  not compared: those of workloads that only %s has begun\n",
                    printable((first.workloads.size() > second.workloads.size() ? a : b).path.string()).c_str());
}

bool print_parting(const Side& a, const Side& b) {
    const io::Determinism &first = a.results.determinism, &second = b.results.determinism;
    for (const Side* side : {&a, &b})
        if (side->results.determinism.processes.empty()) {
            std::printf("messages: %s holds no hashes of messages\n", printable(side->path.string()).c_str());
            return true;
        }
    if (first.processes != second.processes)
        std::printf("processes: %zu, %zu; those that both have are compared\n", first.processes.size(),
                    second.processes.size());
    const std::vector<engine::Time> ends = common_ends(a.results, b.results);
    const auto parting = find_parting(first, second, ends);
    if (!parting) {
        const bool all = first.workloads.size() == second.workloads.size() &&
                         std::count(ends.begin(), ends.end(), engine::never) == std::ssize(ends);
        std::printf("messages: the same in all processes%s%s\n", first.processes == second.processes ? "" : " of both",
                    all ? "" : ", as far as they are compared");
        print_uncompared(a, b, ends);
        return true;
    }
    std::printf("messages: the runs part in %s, %s\n", ticks(parting->from, parting->to).c_str(),
                frame_at(a.results, parting->workload, parting->from, parting->to).c_str());
    const engine::Time of_a = end_of(a.results, parting->workload), of_b = end_of(b.results, parting->workload);
    if (of_a != of_b && std::min(of_a, of_b) < parting->to)
        std::printf("  %s ends in or before them, at tick %lld: what is behind that only the other one has\n",
                    printable((of_a < of_b ? a : b).path.string()).c_str(),
                    static_cast<long long>(std::min(of_a, of_b)));
    const engine::Time window = first.workloads[parting->workload].window,
                       other = second.workloads[parting->workload].window;
    if (window != other)
        std::printf("  windows are %lld and %lld ticks long, so few samples are of the same time\n",
                    static_cast<long long>(window), static_cast<long long>(other));
    if (first.tie_seed != second.tie_seed)
        std::printf(
            "  the tie seeds differ, and with them the order that is hashed, also where it makes no difference\n");
    std::printf("  processes: %s\n", printable(list(parting->processes)).c_str());
    print_message_parting(a, b, *parting);
    return false;
}

bool compare(const std::filesystem::path& first, const std::filesystem::path& second) {
    const Side a = open(first), b = open(second);
    print_configuration(a, b);
    const bool same_results = print_counters(a, b);
    const bool same_messages = print_parting(a, b);
    return same_results && same_messages;
}

}  // namespace

void add_compare_command(Commands& commands, int& exit_code) {
    struct Arguments {
        std::filesystem::path first, second;
    };
    auto arguments = std::make_shared<Arguments>();
    Command command = commands.add("compare", "in what two runs differ, and where in time they part");
    command.add_option("A", arguments->first, "folder with results.h5, or the file").required();
    command.add_option("B", arguments->second, "the same of the other run").required();
    command.footer(
        "Prints the parameters, workloads and tie seeds that differ, then counters with their sums in A and in B,\n"
        "then the first stretch of simulated time in which a process consumed other messages, and which processes\n"
        "did. If both runs logged the messages of that stretch (tessera run --log-messages), the first message that\n"
        "differs is printed; if not, the option to run them again with. Of a run with fewer frames, as one that was\n"
        "stopped, these are compared; the rest of the other one is not, which is told.\n\n"
        "Exit codes: 0 results and messages are the same, whatever the configuration; 1 they differ, as in\n"
        "their number of frames;\n"
        "2 usage; 3 a file is damaged or no results; 4 a file cannot be read.");
    command.callback([arguments, &exit_code] { exit_code = compare(arguments->first, arguments->second) ? 0 : 1; });
}

}  // namespace experiments
