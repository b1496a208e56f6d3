#include "experiments/tessera/agreement.h"

#include <cstddef>
#include <string>
#include <vector>

#include "engine/error.h"

namespace experiments {

namespace {

// A failure as bytes: the exit code, then the message. Empty: no failure.
std::vector<std::byte> failure_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const engine::Error& error) {
        std::vector<std::byte> bytes{static_cast<std::byte>(error.code())};
        for (const char c : std::string(error.what())) bytes.push_back(static_cast<std::byte>(c));
        return bytes;
    }
    return {};
}

}  // namespace

void on_all_ranks(const engine::Ranks& ranks, const std::function<void()>& action) {
    if (ranks.size() == 1) return action();
    const std::vector<std::byte> mine = failure_of(action);
    if (!ranks.any(!mine.empty())) return;
    std::vector<std::byte> first;
    for (const std::vector<std::byte>& failure : ranks.gather(std::span(mine)))
        if (first.empty()) first = failure;
    ranks.broadcast(first);
    std::string message;
    for (std::size_t i = 1; i < first.size(); ++i) message += static_cast<char>(first[i]);
    throw engine::Error(static_cast<engine::ExitCode>(first[0]), message);
}

void on_first_rank(const engine::Ranks& ranks, const std::function<void()>& action) {
    on_all_ranks(ranks, [&] {
        if (ranks.rank() == 0) action();
    });
}

}  // namespace experiments
