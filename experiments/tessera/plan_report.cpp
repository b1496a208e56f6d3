#include "experiments/tessera/plan_report.h"

#include <algorithm>
#include <cmath>

#include "experiments/tessera/text_format.h"
#include "io/json.h"

namespace experiments {

namespace {

std::vector<int> processes_of(const engine::Plan& plan, int worker) {
    std::vector<int> processes;
    for (std::size_t i = 0; i < plan.worker.size(); ++i)
        if (plan.worker[i] == worker) processes.push_back(static_cast<int>(i));
    return processes;
}

std::string lookahead_text(const PlanReport& report, const PlanOutcome& outcome) {
    if (outcome.lookahead == engine::never) return "-";
    return format("%g", static_cast<double>(outcome.lookahead) / static_cast<double>(report.window_length));
}

std::string row(const PlanReport& report, const PlanOutcome& outcome) {
    return format("%7zu  %8.2f  %7.2f  %13s  %8.1f  %7.1f %%\n", outcome.shares.size(), outcome.speedup,
                  outcome.balance, lookahead_text(report, outcome).c_str(), outcome.messages,
                  100 * outcome.messages_share);
}

std::string chosen_text(const PlanRequest& request, const PlanReport& report) {
    const PlanOutcome& chosen = report.chosen;
    std::string text =
        format("\nThe partition `balanced` for %d workers (%d per rank)\n\n worker     work  processes\n",
               request.workers, request.workers / request.ranks);
    for (std::size_t worker = 0; worker < chosen.shares.size(); ++worker)
        text += format("%7zu  %5.1f %%  ", worker, 100 * chosen.shares[worker]) +
                short_list(report.graph, processes_of(chosen.plan, static_cast<int>(worker))) + "\n";
    text += format(
        "\nbalance (largest work / mean) %.2f; least lookahead cut %s windows; %.1f messages a window cross "
        "(%.1f %%)\n",
        chosen.balance, lookahead_text(report, chosen).c_str(), chosen.messages, 100 * chosen.messages_share);
    return text;
}

// All that have one of the three least lookaheads.
std::string window_text(const PlanReport& report) {
    const auto cycles = [&](engine::Time ticks) {
        return static_cast<double>(ticks) / static_cast<double>(report.gpu_cycle);
    };
    std::string text = format(
        "\nThe window is %lld ticks, %g GPU cycles: the least lookahead of any channel, its latency plus the least "
        "delay "
        "of its sender\n\nlookahead  = latency + least delay, in GPU cycles; channels\n",
        static_cast<long long>(report.window_length), cycles(report.window_length));
    int shown = 0;
    engine::Time last = -1;
    for (const ChannelGroup& group : report.channels) {
        if (group.lookahead() != last && ++shown > 3) break;
        last = group.lookahead();
        text += format("%9g  %9g + %-11g  %4zu  ", cycles(group.lookahead()), cycles(group.latency),
                       cycles(group.least_delay), group.channels) +
                group.from + " -> " + group.to + "\n";
    }
    return text;
}

std::string kinds_text(const PlanReport& report) {
    std::string text =
        "\nWho does the work\n\nkind              processes     work   largest                     critical path\n";
    double rest = 1;
    for (const KindShare& kind : report.kinds) {
        text += format("%-16s  %9zu  %5.1f %%  %6.2f %%  %-18s  %12.1f %%\n", kind.kind.c_str(), kind.processes,
                       100 * kind.share, 100 * kind.largest_share, kind.largest.c_str(), 100 * kind.path_share);
        rest -= kind.share;
    }
    return text + format("%-16s  %9s  %5.1f %%\n", "the kernel", "", 100 * std::max(0.0, rest));
}

std::string bounds_text(const PlanReport& report) {
    const auto bound = [&](double seconds) { return seconds > 0 ? report.work.total() / seconds : 1; };
    return format(
        "\nAt most %.2f, whatever the plan: with a worker for every process and synchronisation for nothing\n"
        "At most %.2f, whatever the protocol: the critical path, if nobody waited but for messages that come\n",
        bound(report.conservative_seconds), bound(report.path.seconds));
}

std::string measured_text(const PlanReport& report) {
    const auto line = [](const char* what, double predicted, double measured) {
        return format("%-10s  %9.4f  %9.4f  %+7.1f %%\n", what, predicted, measured, 100 * (predicted / measured - 1));
    };
    return "\nWith 2 workers    predicted   measured   predicted too high by\n" +
           line("1 worker, s", report.work.total(), report.measured.one) +
           line("2 workers, s", report.two.seconds, report.measured.two) +
           line("speed-up", report.two.speedup, report.measured.one / report.measured.two);
}

std::string outcome_json(const PlanReport& report, const PlanOutcome& outcome) {
    std::string text = format(
        "{\"workers\": %zu, \"speedup\": %.6g, \"seconds\": %.6g, \"balance\": %.6g, "
        "\"messages_per_window\": %.6g, \"messages_share\": %.6g, ",
        outcome.shares.size(), outcome.speedup, outcome.seconds, outcome.balance, outcome.messages,
        outcome.messages_share);
    const bool is_cut = outcome.lookahead != engine::never;
    text += "\"cut_lookahead_ticks\": " + (is_cut ? std::to_string(outcome.lookahead) : "null") +
            format(", \"window_ticks\": %lld}", static_cast<long long>(report.window_length));
    return text;
}

}  // namespace

std::string short_list(const engine::Graph& graph, const std::vector<int>& processes) {
    std::string text, kind;
    int first = -1, last = -1;  // of a run of indices
    const auto close = [&] {
        if (last > first) text += (last > first + 1 ? "-" : ",") + std::to_string(last);
    };
    for (const int number : processes) {
        const engine::Graph::Process& process = graph.processes[static_cast<std::size_t>(number)];
        const std::size_t bracket = process.name.find('[');
        const int index = bracket == std::string::npos ? -1 : std::stoi(process.name.substr(bracket + 1));
        if (process.kind == kind && index >= 0 && first >= 0) {
            if (index == last + 1) {
                last = index;
                continue;
            }
            close();
            text += "," + std::to_string(index);
        } else {
            close();
            if (first >= 0) text += "]";
            text +=
                (text.empty() ? "" : ", ") + (index < 0 ? process.name : process.kind + "[" + std::to_string(index));
        }
        kind = process.kind;
        first = last = index;
    }
    close();
    return text + (first >= 0 ? "]" : "");
}

std::string plan_text(const PlanRequest& request, const PlanReport& report) {
    const partitions::Work& work = report.work;
    const double last = work.windows.empty() ? 0 : static_cast<double>(work.windows.back().number + 1);
    std::string text = request.machine + ": " + std::to_string(report.graph.processes.size()) + " processes, frame " +
                       std::to_string(report.frame) + " of " + request.input.string() + "\n";
    text += format(
        "profiled: %zu windows with work of %.0f (%lld ticks each), %.4f s of work, %.4f s %s when measured one by "
        "one; the least of %d runs\n",
        work.windows.size(), last, static_cast<long long>(report.window_length), work.total(),
        std::abs(report.measuring), report.measuring < 0 ? "less" : "more", report.repetitions);
    if (!report.whole_frame)
        text += "the frame goes on, and what comes then may be other work: --windows profiles more\n";
    text += format(
        "synchronising here costs %.0f ns a window, %.1f ns a link without waiting, %.0f ns for messages to another "
        "worker and "
        "%.1f ns for each\n",
        report.sync.window * 1e9, report.sync.link * 1e9, report.sync.batch * 1e9, report.sync.message * 1e9);
    text += window_text(report);
    text += kinds_text(report);
    text += chosen_text(request, report);
    text +=
        "\nPredicted for one rank, as if each worker had a core of its own\n\nworkers  speed-up  balance  cut "
        "lookahead  messages    crossing\n";
    for (const PlanOutcome& outcome : report.table) text += row(report, outcome);
    text += bounds_text(report);
    if (request.verify) text += measured_text(report);
    return text;
}

std::string plan_json(const PlanRequest& request, const PlanReport& report) {
    std::string text = "{\"machine\": " + io::json_text(request.machine) +
                       ", \"input\": " + io::json_text(request.input.string()) +
                       ", \"frame\": " + std::to_string(report.frame);
    text += format(
        ",\n \"windows\": %zu, \"runs\": %d, \"work_seconds\": %.6g, \"conservative_seconds\": %.6g, "
        "\"critical_path_seconds\": %.6g",
        report.work.windows.size(), report.repetitions, report.work.total(), report.conservative_seconds,
        report.path.seconds);
    text += format(",\n \"whole_frame\": %s, \"window_ticks\": %lld, \"gpu_cycle_ticks\": %lld, \"channels\": [",
                   report.whole_frame ? "true" : "false", static_cast<long long>(report.window_length),
                   static_cast<long long>(report.gpu_cycle));
    for (const ChannelGroup& group : report.channels)
        text +=
            std::string(&group == &report.channels.front() ? "\n" : ",\n") +
            "  {\"from\": " + io::json_text(group.from) + ", \"to\": " + io::json_text(group.to) +
            format(", \"latency_ticks\": %lld, \"least_delay_ticks\": %lld, \"channels\": %zu}",
                   static_cast<long long>(group.latency), static_cast<long long>(group.least_delay), group.channels);
    text += "],\n \"kinds\": [";
    for (const KindShare& kind : report.kinds)
        text +=
            std::string(&kind == &report.kinds.front() ? "\n" : ",\n") + "  {\"kind\": " + io::json_text(kind.kind) +
            format(", \"processes\": %zu, \"share\": %.6g, \"largest\": ", kind.processes, kind.share) +
            io::json_text(kind.largest) +
            format(", \"largest_share\": %.6g, \"critical_path_share\": %.6g}", kind.largest_share, kind.path_share);
    text += "]";
    text += format(
        ",\n \"sync\": {\"window_seconds\": %.4g, \"link_seconds\": %.4g, \"batch_seconds\": %.4g, "
        "\"message_seconds\": %.4g}",
        report.sync.window, report.sync.link, report.sync.batch, report.sync.message);
    text += format(",\n \"ranks\": %d, \"plan\": ", request.ranks) + outcome_json(report, report.chosen) +
            ",\n \"processes\": [";
    for (std::size_t i = 0; i < report.graph.processes.size(); ++i)
        text += std::string(i == 0 ? "\n" : ",\n") + "  {\"name\": " + io::json_text(report.graph.processes[i].name) +
                format(", \"worker\": %d, \"seconds\": %.6g}", report.chosen.plan.worker[i],
                       report.graph.processes[i].cost);
    text += "],\n \"predicted\": [";
    for (const PlanOutcome& outcome : report.table)
        text += (&outcome == &report.table.front() ? "\n  " : ",\n  ") + outcome_json(report, outcome);
    text += "]";
    if (request.verify)
        text += format(",\n \"measured\": {\"one_worker_seconds\": %.6g, \"two_workers_seconds\": %.6g}",
                       report.measured.one, report.measured.two);
    return text + "}\n";
}

}  // namespace experiments
