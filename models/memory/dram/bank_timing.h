// The timing of the banks of a DRAM channel: which rows are open, and when every command is allowed next. A structure:
// it is told of each command that is issued and keeps, for every bank, bank group and the channel, the earliest cycle
// of what may follow. It decides nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/memory/dram/commands.h"
#include "models/memory/dram/device.h"

namespace models {

class BankTiming {
  public:
    using Cycle = std::int64_t;
    static constexpr std::uint32_t closed = 0xffffffff;

    explicit BankTiming(const DramDevice& device)
        : timing_(device.timing),
          command_cycles_(device.command_cycles),
          groups_(static_cast<std::uint32_t>(device.bank_groups)),
          refreshed_together_(static_cast<std::uint32_t>(device.banks_per_refresh)),
          refresh_distance_((groups_ > 1 ? groups_ : static_cast<std::uint32_t>(device.banks)) / refreshed_together_),
          banks_(static_cast<std::size_t>(device.banks)),
          group_(groups_) {}

    std::uint32_t banks() const { return static_cast<std::uint32_t>(banks_.size()); }
    std::uint32_t row(std::uint32_t bank) const { return banks_[bank].row; }  // or `closed`
    std::uint32_t open_rows() const { return open_rows_; }

    // Banks are refreshed in turn, some at once: as many of different groups, or of half of all banks each.
    std::uint32_t refresh_turns() const { return banks() / refreshed_together_; }
    std::uint32_t refresh_turn_of(std::uint32_t bank) const {
        return bank / (refresh_distance_ * refreshed_together_) * refresh_distance_ + bank % refresh_distance_;
    }
    // The first bank of a turn, by which a refresh names all of them.
    std::uint32_t first_refreshed(std::uint32_t turn) const {
        return turn / refresh_distance_ * refresh_distance_ * refreshed_together_ + turn % refresh_distance_;
    }
    // The banks that a refresh of this one, the first of them, refreshes.
    template <class Visitor>
    void for_each_refreshed(std::uint32_t first, Visitor&& visit) const {
        for (std::uint32_t i = 0; i < refreshed_together_; ++i) visit(first + i * refresh_distance_);
    }
    // Rows that close by themselves are open until then.
    Cycle self_closed() const { return self_closed_; }

    // The first cycle in which the command bus is free and no timing forbids the command. The state of the bank must
    // allow it: a row to be opened needs a closed bank, a refresh of all banks needs all of them closed.
    Cycle earliest(DramOperation operation, std::uint32_t bank = 0) const;

    void issue(const DramCommand& command);

    void serialize(engine::Archive& archive) {
        archive(banks_, group_, activates_, oldest_activate_, bus_, activate_, read_, write_, precharge_, refresh_bank_,
                self_closed_, open_rows_, spare_);
    }

  private:
    struct Bank {
        Cycle activate = 0;  // and refresh
        Cycle column = 0;    // read and write
        Cycle precharge = 0;
        std::uint32_t row = closed;
        std::uint32_t spare = 0;
    };
    struct Group {
        Cycle activate = 0, read = 0, write = 0;
    };
    static void delay(Cycle& earliest, Cycle until) { earliest = std::max(earliest, until); }
    Group& group(std::uint32_t bank) { return group_[bank % groups_]; }
    const Group& group(std::uint32_t bank) const { return group_[bank % groups_]; }
    Cycle row_bus(std::uint32_t bank) const {  // of what counts as an activate
        return std::max({bus_, activate_, group(bank).activate, activates_[oldest_activate_] + timing_.faw});
    }
    void note_activate(Cycle now);
    void open(const DramCommand& command);
    void read(std::uint32_t bank, Cycle now);
    void write(std::uint32_t bank, Cycle now);
    void close(std::uint32_t bank, Cycle activate);
    void close_by_itself(std::uint32_t bank);
    void refresh_bank(std::uint32_t bank, Cycle now);

    DramTiming timing_;
    DramCommandCycles command_cycles_;
    std::uint32_t groups_, refreshed_together_, refresh_distance_;

    std::vector<Bank> banks_;
    std::vector<Group> group_;
    static constexpr Cycle long_ago = -(Cycle{1} << 40);
    std::array<Cycle, 4> activates_{long_ago, long_ago, long_ago, long_ago};        // the last four
    std::uint64_t oldest_activate_ = 0;                                             // of them
    Cycle bus_ = 0;                                                                 // free from here on
    Cycle activate_ = 0, read_ = 0, write_ = 0, precharge_ = 0, refresh_bank_ = 0;  // of the channel
    Cycle self_closed_ = 0;
    std::uint32_t open_rows_ = 0;
    std::uint32_t spare_ = 0;
};

inline BankTiming::Cycle BankTiming::earliest(DramOperation operation, std::uint32_t bank) const {
    const Bank& its = banks_[bank];
    switch (operation) {
        case DramOperation::activate:
            return std::max(its.activate, row_bus(bank));
        case DramOperation::read:
        case DramOperation::read_precharge:
            return std::max({bus_, its.column, group(bank).read, read_});
        case DramOperation::write:
        case DramOperation::write_precharge:
            return std::max({bus_, its.column, group(bank).write, write_});
        case DramOperation::precharge:
            return std::max({bus_, its.precharge, precharge_});
        case DramOperation::precharge_all: {
            Cycle cycle = std::max(bus_, precharge_);
            for (const Bank& each : banks_) delay(cycle, each.precharge);  // those too that close by themselves
            return cycle;
        }
        case DramOperation::refresh: {
            Cycle cycle = bus_;
            for (const Bank& each : banks_) delay(cycle, each.activate);
            return cycle;
        }
        case DramOperation::refresh_bank: {
            Cycle cycle = refresh_bank_;
            for_each_refreshed(
                bank, [&](std::uint32_t each) { delay(cycle, std::max(banks_[each].activate, row_bus(each))); });
            return cycle;
        }
    }
    return 0;
}

}  // namespace models
