#include "models/base/laws.h"

#include <cassert>

namespace models {

std::string Violation::text() const {
    return law + ": " + std::to_string(left) + " against " + std::to_string(right);
}

Ledger::Ledger(const Processes& processes, const std::vector<std::uint64_t>& values,
               const std::vector<std::uint64_t>& before) {
    std::size_t i = 0;
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) {
            values_[counter.value] = values.at(i) - (before.empty() ? 0 : before.at(i));
            ++i;
        }
    assert(i == values.size());
}

std::uint64_t Ledger::of(const engine::Counter& counter) const {
    return values_.at(counter.place());
}

std::uint64_t Ledger::of(const Sum& sum) const {
    std::uint64_t total = 0;
    for (const std::uint64_t* term : sum.terms()) total += values_.at(term);
    return total;
}

std::vector<Violation> Ledger::violations(const Laws& laws) const {
    std::vector<Violation> found;
    for (const Laws::Law& law : laws.all())
        if (const std::uint64_t left = of(law.left), right = of(law.right); left != right)
            found.push_back({law.text, left, right});
    return found;
}

// A moment between two edges belongs to the cycle that has begun.
std::vector<Violation> Ledger::violations(const Laws& laws, engine::Time begin, engine::Time end) const {
    std::vector<Violation> found;
    for (const Laws::LastingLaw& law : laws.all_lasting()) {
        const auto cycles = static_cast<std::uint64_t>(end / law.period - begin / law.period);
        if (const std::uint64_t counted = of(law.cycles); counted != cycles)
            found.push_back({law.text, counted, cycles});
    }
    return found;
}

}  // namespace models
