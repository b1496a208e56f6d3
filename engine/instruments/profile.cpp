#include "engine/instruments/profile.h"

#include <algorithm>
#include <string>

#include "engine/error.h"

namespace engine {

namespace {

void add_to(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& more) {
    if (sums.size() < more.size()) sums.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
}

void check(const std::string& what, std::size_t expected, std::size_t found) {
    if (expected != found)
        throw ConfigError("the profile is of another machine: expected " + std::to_string(expected) + " " + what +
                          ", found " + std::to_string(found));
}

}  // namespace

void Profile::add(const Profile& other) {
    if (processes.size() < other.processes.size()) processes.resize(other.processes.size());
    for (std::size_t i = 0; i < other.processes.size(); ++i) {
        processes[i].seconds += other.processes[i].seconds;
        processes[i].messages += other.processes[i].messages;
    }
    add_to(channels, other.channels);
    if (bundles.size() < other.bundles.size()) bundles.resize(other.bundles.size());
    for (std::size_t i = 0; i < other.bundles.size(); ++i) add_to(bundles[i], other.bundles[i]);
}

void weigh(Graph& graph, const Profile& profile) {
    check("processes", graph.processes.size(), profile.processes.size());
    check("channels", graph.channels.size(), profile.channels.size());
    check("bundles of channels", graph.bundles.size(), profile.bundles.size());
    for (std::size_t i = 0; i < graph.bundles.size(); ++i)
        check("senders in a bundle", graph.bundles[i].from.size(), profile.bundles[i].size());

    const bool has_costs = std::any_of(profile.processes.begin(), profile.processes.end(),
                                       [](const Profile::Process& process) { return process.seconds > 0; });
    if (has_costs)
        for (std::size_t i = 0; i < graph.processes.size(); ++i) graph.processes[i].cost = profile.processes[i].seconds;
    std::uint64_t messages = 0;
    for (const std::uint64_t count : profile.channels) messages += count;
    for (const auto& bundle : profile.bundles)
        for (const std::uint64_t count : bundle) messages += count;
    if (messages == 0) return;
    for (std::size_t i = 0; i < graph.channels.size(); ++i)
        graph.channels[i].messages = static_cast<double>(profile.channels[i]);
    for (std::size_t i = 0; i < graph.bundles.size(); ++i)
        graph.bundles[i].messages.assign(profile.bundles[i].begin(), profile.bundles[i].end());
}

}  // namespace engine
