// In which page of physical memory a virtual page lies: in the page of the same number, or in one that a permutation of
// all pages gives, drawn by a seed, as an operating system that has been up for a while hands out memory. A function,
// not a table: a Feistel network of four rounds over the next even number of bits, walked until it is a page that there
// is (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "engine/counter_rng.h"
#include "models/structures/page_tables.h"

namespace models {

class PagePlacement {
  public:
    PagePlacement() = default;  // every page where its number says
    PagePlacement(PageNumber pages, std::uint64_t seed)
        : pages_(pages),
          half_bits_((static_cast<unsigned>(std::bit_width(pages - 1U)) + 1U) / 2U) {
        engine::CounterRng draws(seed, 0);
        for (std::uint32_t& key : keys_) key = static_cast<std::uint32_t>(draws.next() >> 32U);
    }

    // A page below `pages`.
    PageNumber physical_page(PageNumber page) const {
        if (pages_ < 2) return page;
        do page = permuted(page);
        while (page >= pages_);
        return page;
    }
    BlockNumber physical(BlockNumber block) const {
        if (pages_ < 2) return block;
        return physical_page(page_of(block)) * page_blocks + block % page_blocks;
    }

  private:
    PageNumber permuted(PageNumber page) const {
        const std::uint32_t mask = (1U << half_bits_) - 1U;
        std::uint32_t left = page >> half_bits_, right = page & mask;
        for (const std::uint32_t key : keys_) {
            const std::uint32_t mixed = (right ^ key) * 0x9e3779b1U;
            const std::uint32_t next = (left ^ (mixed >> 15U) ^ (mixed >> 3U)) & mask;
            left = right;
            right = next;
        }
        return left << half_bits_ | right;
    }

    PageNumber pages_ = 0;
    std::uint32_t half_bits_ = 0;
    std::array<std::uint32_t, 4> keys_ = {};
};

}  // namespace models
