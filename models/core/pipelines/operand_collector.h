// The operand collector: units that hold instructions while their operands are read from banks of registers. A part of
// the pipeline `collector`, which says in which bank a register is; knows cycles only as the order of its calls.
//
// Every bank has a queue of reads. In a cycle a bank serves one and a unit gets one (or one from every bank), matched
// by a wavefront allocator among all that wait, or among the first of each queue.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/shader_core_parameters.h"
#include "models/structures/round_robin.h"
#include "models/structures/wavefront_allocator.h"
#include "models/workload/decoded_program.h"

namespace models {

class OperandCollector {
  public:
    static constexpr std::uint16_t nobody = 0xffff;

    explicit OperandCollector(const CollectorParameters& parameters)
        : heads_only_(parameters.read_requests() == ReadRequests::heads),
          units_(static_cast<std::size_t>(parameters.units())),
          free_(parameters.units() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << parameters.units()) - 1),
          reads_(static_cast<std::size_t>(parameters.banks())),
          requests_(reads_.size()),
          allocator_(static_cast<std::uint32_t>(parameters.banks()), static_cast<std::uint32_t>(parameters.units()),
                     parameters.unit_reads()) {}

    bool has_free_unit() const { return free_ != 0; }
    bool has_reads() const { return waiting_ > 0; }
    bool has_complete() const { return complete_ != 0; }
    std::uint32_t used() const { return used_; }

    // A free unit takes the instruction; bank_of(register) is below `banks`.
    template <class BankOf>
    void allot(std::uint16_t instruction, std::uint64_t cycle, const RegisterUse& use, BankOf&& bank_of) {
        const auto unit = static_cast<std::uint32_t>(std::countr_zero(free_));
        free_ &= ~bit(unit);
        ++used_;
        units_[unit] = {cycle, instruction, use.source_count, 0};
        if (use.source_count > 0) ++waiting_;
        for (std::uint16_t operand = 0; operand < use.source_count; ++operand) {
            const std::uint32_t bank = bank_of(use.sources[operand]);
            reads_[bank].push_back(static_cast<std::uint16_t>(unit * most_operands + operand));
            requests_[bank] |= bit(unit);
        }
        if (use.source_count == 0) complete_ |= bit(unit);
    }

    // One cycle of reads; there must be some. on_read(instruction, operand, bank) for each. Returns how many units
    // wanted to read and could not.
    template <class OnRead>
    std::uint32_t read(OnRead&& on_read) {
        if (heads_only_)
            for (std::size_t bank = 0; bank < reads_.size(); ++bank)
                requests_[bank] = reads_[bank].empty() ? 0 : bit(reads_[bank].front() / most_operands);
        std::uint32_t refused = waiting_;
        std::uint64_t granted = 0;
        allocator_.allocate(requests_, [&](std::uint32_t bank, std::uint32_t unit) {
            refused -= (granted >> unit & 1U) == 0 ? 1 : 0;
            granted |= bit(unit);
            on_read(units_[unit].instruction, serve(bank, unit), bank);
        });
        return refused;
    }

    struct Collected {
        std::uint16_t instruction;
        std::uint64_t since;  // cycle in which it got its unit
    };
    // The next complete unit in turn gives its instruction. There must be one.
    Collected take_complete() {
        const std::uint32_t unit = first_in_turn(complete_, turn_);
        complete_ &= ~bit(unit);
        free_ |= bit(unit);
        --used_;
        turn_ = unit + 1;
        return {std::exchange(units_[unit].instruction, nobody), units_[unit].since};
    }

    void serialize(engine::Archive& archive) {
        archive(units_, free_, complete_, used_, waiting_, reads_, requests_, allocator_, turn_);
    }

  private:
    static constexpr std::uint16_t most_operands = 8;
    struct Unit {
        std::uint64_t since = 0;
        std::uint16_t instruction = nobody;
        std::uint16_t unread = 0;  // operands
        std::uint32_t spare = 0;
    };
    static std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }

    // The first read of the unit in the bank's queue is served. Returns which operand it was.
    std::uint32_t serve(std::uint32_t bank, std::uint32_t unit) {
        std::vector<std::uint16_t>& queue = reads_[bank];
        const auto of_unit = [unit](std::uint16_t waiting) { return waiting / most_operands == unit; };
        const auto found = std::find_if(queue.begin(), queue.end(), of_unit);
        const std::uint32_t operand = *found % most_operands;
        const auto next = queue.erase(found);
        if (std::none_of(next, queue.end(), of_unit)) requests_[bank] &= ~bit(unit);
        if (--units_[unit].unread > 0) return operand;
        complete_ |= bit(unit);
        --waiting_;
        return operand;
    }

    bool heads_only_;
    std::vector<Unit> units_;
    std::uint64_t free_, complete_ = 0;              // masks of units
    std::uint32_t used_ = 0, waiting_ = 0;           // units, those that have reads to do
    std::vector<std::vector<std::uint16_t>> reads_;  // by bank, in order: unit * most_operands + operand
    std::vector<std::uint64_t> requests_;            // by bank: mask of units with reads in it
    WavefrontAllocator allocator_;
    std::uint32_t turn_ = 0;  // unit
};

}  // namespace models
