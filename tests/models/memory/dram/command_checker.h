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
          open_(static_cast<std::size_t>(device.banks), no_row) {}

    // Cycles from a command to a later one, at least; 0: nothing is said.
    int separation(const DramCommand& from, const DramCommand& to) const {
        return std::max(bus(from.operation), timing(from, to));
    }

    void check(const std::vector<DramCommand>& log) {
        for (std::size_t i = 0; i < log.size(); ++i) {
            check_order(log, i);
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
        return bank % (device_.banks / device_.banks_per_refresh) == command.bank;
    }
    bool share_bank(const DramCommand& a, const DramCommand& b) const {
        for (int bank = 0; bank < device_.banks; ++bank)
            if (concerns(a, bank) && concerns(b, bank)) return true;
        return false;
    }
    bool share_group(const DramCommand& a, const DramCommand& b) const {
        for (int first = 0; first < device_.banks; ++first)
            for (int second = 0; second < device_.banks; ++second)
                if (concerns(a, first) && concerns(b, second) &&
                    first % device_.bank_groups == second % device_.bank_groups)
                    return true;
        return false;
    }

    int timing(const DramCommand& from, const DramCommand& to) const {
        const DramTiming& t = device_.timing;
        const int written = t.wl + t.dqss + t.burst;  // write to its last data
        const bool same_bank = share_bank(from, to);
        const bool closes = to.operation == Op::precharge || to.operation == Op::precharge_all;
        const bool needs_closed =
            to.operation == Op::activate || to.operation == Op::refresh || to.operation == Op::refresh_bank;
        switch (from.operation) {
            case Op::activate:
                if (needs_closed) {
                    if (same_bank) return t.rc;
                    return share_group(from, to) ? t.rrd_l : t.rrd_s;
                }
                if (!same_bank) return 0;
                return closes ? t.ras : t.rcd;
            case Op::read:
            case Op::read_precharge:
                if (is_read(to.operation)) return share_group(from, to) ? t.ccd_l : t.ccd_s;
                if (is_write(to.operation)) return t.rtw;
                if (!same_bank) return 0;
                if (closes) return t.rtp;
                return t.rtp + t.rp;  // it has closed the row by itself
            case Op::write:
            case Op::write_precharge:
                if (is_write(to.operation)) return share_group(from, to) ? t.ccd_l : t.ccd_s;
                if (is_read(to.operation)) return written + (share_group(from, to) ? t.wtr_l : t.wtr_s);
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
                if (to.operation == Op::refresh_bank) return same_bank ? std::max(t.rfc_pb, t.pb_pb) : t.pb_pb;
                if (same_bank) return t.rfc_pb;
                return to.operation == Op::activate ? t.pb_act : 0;
        }
        return 0;
    }

    int longest() const {
        const DramTiming& t = device_.timing;
        return std::max({t.rfc, t.rfc_pb, t.pb_pb, t.rc, t.wl + t.dqss + t.burst + t.wr + t.rp, t.rtw, t.rp_ab});
    }

    void check_order(const std::vector<DramCommand>& log, std::size_t position) {
        const DramCommand& command = log[position];
        for (std::size_t i = position; i-- > 0 && command.cycle - log[i].cycle < longest();) {
            const int least = separation(log[i], command);
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
        const int turns = device_.banks / device_.banks_per_refresh;
        if (!all && command.bank != (refreshes_ - 1) % turns) complain(command, "it is another bank's turn");
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
    std::vector<std::int64_t> open_, activates_;
    std::int64_t refreshed_ = 0, refreshes_ = 0;
    std::vector<std::string> violations_;
};

}  // namespace models
