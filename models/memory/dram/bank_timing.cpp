#include "models/memory/dram/bank_timing.h"

namespace models {

void BankTiming::issue(const DramCommand& command) {
    const Cycle now = command.cycle;
    const std::uint32_t bank = command.bank;
    assert(now >= earliest(command.operation, bank));
    int bus = command_cycles_.column;
    switch (command.operation) {
        case DramOperation::activate:
            bus = command_cycles_.activate;
            open(command);
            break;
        case DramOperation::read:
            read(bank, now);
            break;
        case DramOperation::read_precharge:
            read(bank, now);
            close_by_itself(bank);
            break;
        case DramOperation::write:
            write(bank, now);
            break;
        case DramOperation::write_precharge:
            write(bank, now);
            close_by_itself(bank);
            break;
        case DramOperation::precharge:
            bus = command_cycles_.precharge;
            precharge_ = now + timing_.ppd;
            close(bank, now + timing_.rp);
            break;
        case DramOperation::precharge_all:
            bus = command_cycles_.precharge;
            precharge_ = now + timing_.ppd;
            for (std::uint32_t each = 0; each < banks(); ++each) {
                if (banks_[each].row != closed) close(each, 0);
                delay(banks_[each].activate, now + timing_.rp_ab);  // of a closed bank too: the last precharge counts
            }
            break;
        case DramOperation::refresh:
            bus = command_cycles_.refresh;
            assert(open_rows_ == 0);
            for (Bank& each : banks_) delay(each.activate, now + timing_.rfc);
            break;
        case DramOperation::refresh_bank:
            bus = command_cycles_.refresh;
            refresh_bank(bank, now);
            break;
    }
    bus_ = now + bus;
}

void BankTiming::note_activate(Cycle now) {
    activates_[oldest_activate_] = now;
    oldest_activate_ = (oldest_activate_ + 1) % activates_.size();
}

void BankTiming::open(const DramCommand& command) {
    const Cycle now = command.cycle;
    Bank& its = banks_[command.bank];
    assert(its.row == closed && command.row != closed);
    its.row = command.row;
    ++open_rows_;
    its.column = now + timing_.rcd;
    delay(its.precharge, now + timing_.ras);
    delay(its.activate, now + timing_.rc);
    delay(activate_, now + timing_.rrd_s);
    delay(group(command.bank).activate, now + timing_.rrd_l);
    note_activate(now);
}

void BankTiming::read(std::uint32_t bank, Cycle now) {
    assert(banks_[bank].row != closed);
    delay(read_, now + timing_.ccd_s);
    delay(group(bank).read, now + timing_.ccd_l);
    delay(write_, now + timing_.rtw);
    delay(banks_[bank].precharge, now + timing_.rtp);
}

void BankTiming::write(std::uint32_t bank, Cycle now) {
    assert(banks_[bank].row != closed);
    const Cycle end = now + timing_.write_end();
    delay(write_, now + timing_.ccd_s);
    delay(group(bank).write, now + timing_.ccd_l);
    delay(read_, end + timing_.wtr_s);
    delay(group(bank).read, end + timing_.wtr_l);
    delay(banks_[bank].precharge, end + timing_.wr);
}

void BankTiming::close(std::uint32_t bank, Cycle activate) {
    Bank& its = banks_[bank];
    assert(its.row != closed);
    its.row = closed;
    --open_rows_;
    delay(its.activate, activate);
}

// As soon as a precharge would be allowed.
void BankTiming::close_by_itself(std::uint32_t bank) {
    delay(self_closed_, banks_[bank].precharge);
    close(bank, banks_[bank].precharge + timing_.rp);
}

// A refresh of a bank opens rows inside of it, so it counts as an activate for others.
void BankTiming::refresh_bank(std::uint32_t bank, Cycle now) {
    for_each_refreshed(bank, [&](std::uint32_t each) {
        assert(banks_[each].row == closed);
        delay(banks_[each].activate, now + timing_.rfc_pb);
        delay(banks_[each].precharge, now + timing_.rfc_pb);  // of all banks
    });
    delay(activate_, now + timing_.pb_act);
    delay(refresh_bank_, now + timing_.pb_pb);
    note_activate(now);
}

}  // namespace models
