#include "models/prefetch/prefetch_parameters.h"

#include <algorithm>
#include <string>

#include "models/prefetch/prefetcher.h"

namespace models {

PrefetchParameters::PrefetchParameters(ParameterGroup* parent, std::string_view name)
    : ParameterGroup(parent, name, "prefetchers, of the caches that have one"),
      queue(this, "queue", 16, {1, 256}, "blocks of 64 bytes that may wait for an MSHR or a credit",
            "paper 000, Table 1: the prefetch queue of decoupled access/execute"),
      next_line_degree(this, "next_line_degree", 1, {1, 16}, "blocks brought after one that had to be brought",
                       "Smith, Cache Memories (ACM Computing Surveys 1982)"),
      stride_entries(this, "stride_entries", 48, {1, 1024}, "program counters in the table", "paper 000, Table 1"),
      stride_degree(this, "stride_degree", 2, {1, 16}, "strides ahead", "paper 000, Table 1"),
      history_index(this, "history_index", 16, {1, 4096}, "distances in the index table", "paper 000, Table 1"),
      history_entries(this, "history_entries", 100, {2, 4096}, "blocks in the global history buffer",
                      "paper 000, Table 1"),
      history_degree(this, "history_degree", 2, {1, 16},
                     "blocks brought; earlier occurrences of a distance that are looked at", "paper 000, Table 1"),
      thread_aware_warp_entries(this, "thread_aware_warp_entries", 16, {1, 1024},
                                "program counters and warps with a stride of their own",
                                "paper 000, Table 1; 32 in Lee et al. (MICRO 2010)"),
      thread_aware_global_entries(this, "thread_aware_global_entries", 16, {1, 1024},
                                  "program counters with a stride that warps have in common",
                                  "paper 000, Table 1; 8 in Lee et al. (MICRO 2010)"),
      thread_aware_neighbour_entries(this, "thread_aware_neighbour_entries", 16, {1, 1024},
                                     "program counters with a stride from warp to warp",
                                     "paper 000, Table 1; 8 in Lee et al. (MICRO 2010)"),
      thread_aware_promotion(this, "thread_aware_promotion", 3, {1, 64},
                             "warps with the same stride that make it common", "Lee et al. (MICRO 2010)"),
      thread_aware_distance(this, "thread_aware_distance", 1, {1, 64}, "strides from a block to the first one brought",
                            "Lee et al. (MICRO 2010)"),
      thread_aware_degree(this, "thread_aware_degree", 1, {1, 16}, "blocks brought", "Lee et al. (MICRO 2010)"),
      thread_aware_period(this, "thread_aware_period", {100'000}, {{100}, {1'000'000'000}},
                          "cycles from one setting of the throttle to the next", "Lee et al. (MICRO 2010)"),
      thread_aware_throttle(this, "thread_aware_throttle", 2, {0, 5},
                            "of five requests, how many are dropped at first; the throttle changes it",
                            "Lee et al. (MICRO 2010); paper 000, Table 1: 0 to 5"),
      thread_aware_early_low(this, "thread_aware_early_low", 10, {1, 1000},
                             "thousandths of the used lines that went too early from which on fewer are brought",
                             "Lee et al. (MICRO 2010)"),
      thread_aware_early_high(this, "thread_aware_early_high", 20, {1, 1000},
                              "the same, above which nothing is brought", "Lee et al. (MICRO 2010)"),
      thread_aware_merge(this, "thread_aware_merge", 150, {0, 1000},
                         "thousandths of the lookups that did not hit and joined a line in flight above which more is "
                         "brought, and up to which nothing is",
                         "Lee et al. (MICRO 2010)"),
      thread_aware_recovery(this, "thread_aware_recovery", 4, {1, 1'000'000},
                            "periods in which nothing is brought before one in which a fifth is, on trial",
                            "design: the paper has no way back") {}

void PrefetchParameters::check() const {
    require(thread_aware_early_low() <= thread_aware_early_high(),
            name() + ".thread_aware_early_low: expected at most " + name() + ".thread_aware_early_high (" +
                thread_aware_early_high.value_text() + "), found " + thread_aware_early_low.value_text());
}

PrefetchShape PrefetchParameters::shape(engine::Time period) const {
    const auto number = [](const Parameter<int>& parameter) { return static_cast<std::uint32_t>(parameter()); };
    PrefetchShape shape;
    shape.queue = number(queue);
    shape.next_line_degree = number(next_line_degree);
    shape.stride_entries = number(stride_entries);
    shape.stride_degree = number(stride_degree);
    shape.history_index = number(history_index);
    shape.history_entries = number(history_entries);
    shape.history_degree = number(history_degree);
    shape.warp_entries = number(thread_aware_warp_entries);
    shape.global_entries = number(thread_aware_global_entries);
    shape.neighbour_entries = number(thread_aware_neighbour_entries);
    shape.thread_aware_promotion = number(thread_aware_promotion);
    shape.thread_aware_distance = number(thread_aware_distance);
    shape.thread_aware_degree = number(thread_aware_degree);
    shape.throttle.period = thread_aware_period.count() * period;
    shape.throttle.degree = number(thread_aware_throttle);
    shape.throttle.early_low = number(thread_aware_early_low);
    shape.throttle.early_high = number(thread_aware_early_high);
    shape.throttle.merge = number(thread_aware_merge);
    shape.throttle.recovery = number(thread_aware_recovery);
    return shape;
}

void PrefetchParameters::add_without_effect(WithoutEffect& found, const std::vector<std::size_t>& used) const {
    const auto add_unless_used = [&](std::string_view member, WithoutEffect::Parameters its) {
        const bool is_used =
            std::any_of(used.begin(), used.end(), [&](std::size_t one) { return Prefetcher::names[one] == member; });
        if (!is_used) found.add(*this, "no cache has prefetcher = \"" + std::string(member) + '"', its);
    };
    const bool any = std::any_of(used.begin(), used.end(),
                                 [](std::size_t one) { return Prefetcher::names[one] != NoPrefetcher::name; });
    if (!any) {
        found.add(*this, "no cache has a prefetcher");
        return;
    }
    add_unless_used(NextLine::name, {&next_line_degree});
    add_unless_used(Stride::name, {&stride_entries, &stride_degree});
    add_unless_used(History::name, {&history_index, &history_entries, &history_degree});
    add_unless_used(ThreadAware::name,
                    {&thread_aware_warp_entries, &thread_aware_global_entries, &thread_aware_neighbour_entries,
                     &thread_aware_promotion, &thread_aware_distance, &thread_aware_degree, &thread_aware_period,
                     &thread_aware_throttle, &thread_aware_early_low, &thread_aware_early_high, &thread_aware_merge,
                     &thread_aware_recovery});
}

}  // namespace models
