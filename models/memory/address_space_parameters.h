// Parameters of virtual memory: where pages lie, and what it costs to find out.
#pragma once

#include "models/base/clocks.h"
#include "models/structures/page_placement.h"

namespace models {

enum class Translation : std::uint8_t { free, tlb };

struct AddressSpaceParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Choice<bool> placement{this,
                           "placement",
                           {{"contiguous", false}, {"random", true}},
                           false,
                           "where pages of 4 KiB lie in DRAM: as virtual addresses say, or anywhere, as real systems "
                           "give memory to a GPU",
                           "design: the papers name none"};
    Parameter<int> seed{this, "seed", 1, {0, 1 << 30}, "that random placement is drawn by", "design"};
    Choice<Translation> translation{this,
                                    "translation",
                                    {{"free", Translation::free}, {"tlb", Translation::tlb}},
                                    Translation::free,
                                    "what an address costs to translate: nothing, or what TLBs and page walks do",
                                    "design: the papers model no virtual memory"};

    // Of so much memory.
    bool is_contiguous() const { return !placement(); }
    PagePlacement page_placement(std::int64_t bytes) const {
        if (!placement()) return {};
        return {static_cast<PageNumber>(bytes / page_bytes), static_cast<std::uint64_t>(seed())};
    }
};

// Of the TLB of every process that has a port to memory.
struct TlbParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> entries{this, "entries", 32, {1, 4096}, "pages that a TLB holds", "design"};
    Parameter<int> ways{this, "ways", 32, {1, 64}, "associativity; as many as entries: full", "design"};
    Parameter<int> waiting{this,    "waiting", 16, {2, 256}, "requests of a port that may wait for translations",
                           "design"};
    void check() const override;
};

// Of the memory management unit, which all share.
struct MmuParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> entries{this, "entries", 512, {1, 65536}, "pages that the shared TLB holds", "design"};
    Parameter<int> ways{this, "ways", 4, {1, 64}, "its associativity", "design"};
    Parameter<Cycles> latency{this, "latency", {10}, {{1}, {1000}}, "cycles of a lookup of the shared TLB", "design"};
    Parameter<int> walkers{this, "walkers", 4, {1, 64}, "page walks at the same time", "design"};
    Parameter<int> walk_entries{this,
                                "walk_entries",
                                16,
                                {1, 64},
                                "tables of the last level whose addresses are kept: a walk reads one entry "
                                "then, three otherwise",
                                "design"};
    void check() const override;
};

}  // namespace models
