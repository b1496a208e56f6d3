// Says which commands of a DRAM channel's log break the standard. Written from the rules of JEDEC's standards, not from
// the controller or its bank timing: of every two commands, how far they have to be apart; and what state the banks
// must be in.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/memory/dram/commands.h"
#include "models/memory/dram/device.h"

namespace models {

class CommandChecker {
  public:
    explicit CommandChecker(const DramDevice& device)
        : device_(device),
          open_(static_cast<std::size_t>(device.banks), no_row) {
        for (std::size_t from = 0; from < dram_operations; ++from)
            for (std::size_t to = 0; to < dram_operations; ++to)
                for (const Near near : {Near::bank, Near::group, Near::channel}) {
                    int& least = least_[from][to][static_cast<std::size_t>(near)];
                    least =
                        std::max(bus(static_cast<Op>(from)), timing(static_cast<Op>(from), static_cast<Op>(to), near));
                    longest_ = std::max(longest_, least);
                }
    }

    // Cycles from a command to a later one, at least; 0: nothing is said.
    int separation(const DramCommand& from, const DramCommand& to) const {
        return separation(from, places(from), to, places(to));
    }

    void check(const std::vector<DramCommand>& log) {
        std::vector<Places> where;
        where.reserve(log.size());
        for (std::size_t i = 0; i < log.size(); ++i) {
            where.push_back(places(log[i]));
            check_order(log, where, i);
            check_state(log[i]);
            if (counts_as_activate(log[i].operation)) check_window(log[i]);
            if (log[i].operation == DramOperation::refresh || log[i].operation == DramOperation::refresh_bank)
                check_refresh(log[i]);
        }
    }

    const std::vector<std::string>& violations() const { return violations_; }

  private:
    using Op = DramOperation;
    static constexpr std::int64_t no_row = -1;

    static bool counts_as_activate(Op operation) { return operation == Op::activate || operation == Op::refresh_bank; }

    int bus(Op operation) const {
        const DramCommandCycles& cycles = device_.command_cycles;
        switch (operation) {
            case Op::activate:
                return cycles.activate;
            case Op::precharge:
            case Op::precharge_all:
                return cycles.precharge;
            case Op::refresh:
            case Op::refresh_bank:
                return cycles.refresh;
            default:
                return cycles.column;
        }
    }

    // Whether a command concerns this bank.
    bool concerns(const DramCommand& command, int bank) const {
        if (command.operation == Op::precharge_all || command.operation == Op::refresh) return true;
        if (command.operation != Op::refresh_bank) return command.bank == bank;
        return refreshed_with(bank) == command.bank;
    }
    // The first bank of those that are refreshed with this one: with several groups the same bank of as many of them,
    // as far apart as possible; without, banks half of all apart.
    int refreshed_with(int bank) const {
        const int together = device_.banks_per_refresh, groups = device_.bank_groups;
        if (groups == 1) return bank % (device_.banks / together);
        return bank / groups * groups + bank % groups % (groups / together);
    }
    // The banks that a command concerns and the groups they are in: a bit each.
    struct Places {
        std::uint32_t banks = 0, groups = 0;
    };
    Places places(const DramCommand& command) const {
        Places places;
        for (int bank = 0; bank < device_.banks; ++bank) {
            if (!concerns(command, bank)) continue;
            places.banks |= 1U << bank;
            places.groups |= 1U << (bank % device_.bank_groups);
        }
        return places;
    }
    // What two commands share.
    enum class Near : std::uint8_t { bank, group, channel };

    int separation(const DramCommand& from, Places there, const DramCommand& to, Places here) const {
        const Near near = (there.banks & here.banks) != 0     ? Near::bank
                          : (there.groups & here.groups) != 0 ? Near::group
                                                              : Near::channel;
        return least_[static_cast<std::size_t>(from.operation)][static_cast<std::size_t>(to.operation)]
                     [static_cast<std::size_t>(near)];
    }

    int timing(Op from, Op to, Near near) const {
        const DramTiming& t = device_.timing;
        const int written = t.wl + t.dqss + t.burst;  // write to its last data
        const bool same_bank = near == Near::bank, same_group = near != Near::channel;
        const bool closes = to == Op::precharge || to == Op::precharge_all;
        const bool needs_closed = to == Op::activate || to == Op::refresh || to == Op::refresh_bank;
        switch (from) {
            case Op::activate:
                if (needs_closed) {
                    if (same_bank) return t.rc;
                    return same_group ? t.rrd_l : t.rrd_s;
                }
                if (!same_bank) return 0;
                return closes ? t.ras : t.rcd;
            case Op::read:
            case Op::read_precharge:
                if (is_read(to)) return same_group ? t.ccd_l : t.ccd_s;
                if (is_write(to)) return t.rtw;
                if (!same_bank) return 0;
                if (closes) return t.rtp;
                return t.rtp + t.rp;  // it has closed the row by itself
            case Op::write:
            case Op::write_precharge:
                if (is_write(to)) return same_group ? t.ccd_l : t.ccd_s;
                if (is_read(to)) return written + (same_group ? t.wtr_l : t.wtr_s);
                if (!same_bank) return 0;
                if (closes) return written + t.wr;
                return written + t.wr + t.rp;
            case Op::precharge:
                if (closes) return t.ppd;
                return needs_closed && same_bank ? t.rp : 0;
            case Op::precharge_all:
                if (closes) return t.ppd;
                return needs_closed ? t.rp_ab : 0;
            case Op::refresh:
                return t.rfc;
            case Op::refresh_bank:
                if (to == Op::refresh_bank) return same_bank ? std::max(t.rfc_pb, t.pb_pb) : t.pb_pb;
                if (same_bank) return t.rfc_pb;
                return to == Op::activate ? t.pb_act : 0;
        }
        return 0;
    }

    void check_order(const std::vector<DramCommand>& log, const std::vector<Places>& where, std::size_t position) {
        const DramCommand& command = log[position];
        for (std::size_t i = position; i-- > 0 && command.cycle - log[i].cycle < longest_;) {
            const int least = separation(log[i], where[i], command, where[position]);
            if (command.cycle - log[i].cycle < least)
                complain(command, "only " + std::to_string(command.cycle - log[i].cycle) + " cycles after " +
                                      text(log[i]) + ", expected " + std::to_string(least));
        }
    }

    void check_state(const DramCommand& command) {
        for (int bank = 0; bank < device_.banks; ++bank) {
            if (!concerns(command, bank)) continue;
            std::int64_t& row = open_[static_cast<std::size_t>(bank)];
            switch (command.operation) {
                case Op::activate:
                    if (row != no_row) complain(command, "the bank has an open row");
                    if (command.row >= device_.rows) complain(command, "there is no such row");
                    row = command.row;
                    break;
                case Op::read:
                case Op::write:
                case Op::read_precharge:
                case Op::write_precharge:
                    if (row != command.row) complain(command, "open is row " + std::to_string(row));
                    if (command.operation == Op::read_precharge || command.operation == Op::write_precharge)
                        row = no_row;
                    break;
                case Op::precharge:
                    if (row == no_row) complain(command, "the bank is closed");
                    row = no_row;
                    break;
                case Op::precharge_all:
                    row = no_row;
                    break;
                case Op::refresh:
                case Op::refresh_bank:
                    if (row != no_row) complain(command, "bank " + std::to_string(bank) + " has an open row");
                    break;
            }
        }
    }

    // Four activates in a window at most.
    void check_window(const DramCommand& command) {
        activates_.push_back(command.cycle);
        const std::size_t count = activates_.size();
        if (count > 4 && activates_[count - 1] - activates_[count - 5] < device_.timing.faw)
            complain(command, "the fifth activate within tFAW");
    }

    // Eight refreshes may be put off, so nine intervals may pass.
    void check_refresh(const DramCommand& command) {
        const bool all = command.operation == Op::refresh;
        const std::int64_t interval = all ? device_.timing.refi : device_.timing.refi_pb;
        if (command.cycle - refreshed_ > 9 * interval) complain(command, "more than nine intervals after the last");
        refreshed_ = command.cycle;
        ++refreshes_;
        if (command.cycle > (refreshes_ + 8) * interval) complain(command, "more than eight refreshes are owed");
        std::vector<int> firsts;
        for (int bank = 0; bank < device_.banks; ++bank)
            if (refreshed_with(bank) == bank) firsts.push_back(bank);
        const auto turns = static_cast<std::int64_t>(firsts.size());
        if (!all && command.bank != firsts[static_cast<std::size_t>((refreshes_ - 1) % turns)])
            complain(command, "it is another bank's turn");
    }

    static std::string text(const DramCommand& command) {
        return std::string(dram_operation_names[static_cast<std::size_t>(command.operation)]) + " of bank " +
               std::to_string(command.bank) + " row " + std::to_string(command.row) + " at " +
               std::to_string(command.cycle);
    }
    void complain(const DramCommand& command, const std::string& what) {
        violations_.push_back(text(command) + ": " + what);
    }

    DramDevice device_;
    int least_[dram_operations][dram_operations][3] = {};  // separation
    int longest_ = 0;
    std::vector<std::int64_t> open_, activates_;
    std::int64_t refreshed_ = 0, refreshes_ = 0;
    std::vector<std::string> violations_;
};

}  // namespace models
