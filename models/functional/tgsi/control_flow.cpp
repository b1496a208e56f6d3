// Branches, loops, switches, calls and barriers: which lanes execute, and the record of who executed what.
#include <bit>
#include <utility>

#include "engine/error.h"
#include "models/functional/tgsi/lane_math.h"
#include "models/functional/tgsi/state.h"

namespace models::functional::tgsi {
namespace {

constexpr std::uint32_t most_rounds = 65536;
constexpr std::size_t most_calls = 64;

}  // namespace

void State::update_mask() {
    active_ = condition_ & not_broken_ & continuing_ & in_case_ & running_;
}

void State::begin_branching() {
    condition_ = not_broken_ = continuing_ = in_case_ = running_ = lanes_;
    diverged_ = false;
    blocks_.clear();
    calls_.clear();
    entries_.clear();
    segments_.clear();
    pc_ = 0;
    executed_ = 0;
}

bool State::run_branching() {
    std::size_t first = pc_;
    while (pc_ < code_->ops.size()) {
        const std::size_t pc = pc_;
        const LaneMask before = active_;
        const bool waits = code_->ops[pc].operation->opcode == Opcode::barrier && active_ != 0;
        pc_ = step(pc);
        if (waits || pc_ != pc + 1 || active_ != before) {
            record(first, pc + 1, before);
            executed_ += pc + 1 - first;
            if (executed_ > most_instructions_)
                throw engine::InputError("shader: runs for more than " + std::to_string(most_instructions_) +
                                         " instructions");
            first = pc_;
        }
        if (waits) return false;
    }
    record(first, code_->ops.size(), active_);
    return true;
}

// Executes one instruction; returns the next.
std::size_t State::step(std::size_t pc) {
    const Op& op = code_->ops[pc];
    if (opcode_info(op.operation->opcode).unit == Unit::control) return branch(op, pc);
    if (active_ != 0) execute(op);
    return pc + 1;
}

std::size_t State::branch(const Op& op, std::size_t pc) {
    std::size_t next = pc + 1;
    switch (op.operation->opcode) {
        case Opcode::kill:
        case Opcode::kill_if:
            if (active_ != 0) execute(op);
            return next;
        case Opcode::if_:
        case Opcode::uif:
            return begin_if(op, pc);
        case Opcode::else_:
            condition_ = blocks_.back().saved & ~condition_;
            update_mask();
            if (active_ == 0) next = static_cast<std::size_t>(op.label);
            break;
        case Opcode::endif:
            condition_ = blocks_.back().saved;
            blocks_.pop_back();
            break;
        case Opcode::bgnloop:
            blocks_.push_back({.saved = not_broken_, .continuing = continuing_});
            break;
        case Opcode::endloop:
            return end_loop(op, pc);
        case Opcode::brk:
            (op.breaks_switch ? in_case_ : not_broken_) &= ~active_;
            break;
        case Opcode::cont:
            continuing_ &= ~active_;
            break;
        case Opcode::switch_:
            begin_switch(op, pc);
            break;
        case Opcode::case_:
        case Opcode::default_:
            enter_case(pc);
            break;
        case Opcode::endswitch:
            in_case_ = blocks_.back().saved;
            blocks_.pop_back();
            entries_.pop_back();
            break;
        case Opcode::cal:
            return call(op, pc);
        case Opcode::ret:
            running_ &= ~active_;
            break;
        case Opcode::endsub:
            running_ = calls_.back().saved;
            next = static_cast<std::size_t>(calls_.back().target);
            calls_.pop_back();
            break;
        case Opcode::end:
            next = code_->ops.size();
            break;
        default:
            break;  // NOP, BGNSUB, BARRIER
    }
    update_mask();
    return next;
}

std::size_t State::end_loop(const Op& op, std::size_t pc) {
    Block& loop = blocks_.back();
    continuing_ = loop.continuing;
    update_mask();
    if (active_ != 0) {
        if (++loop.rounds >= most_rounds)
            throw engine::InputError("shader: the loop that ends at instruction " + std::to_string(pc) +
                                     " runs for more than " + std::to_string(most_rounds) + " rounds");
        return static_cast<std::size_t>(op.label) + 1;
    }
    not_broken_ = loop.saved;
    blocks_.pop_back();
    update_mask();
    return pc + 1;
}

std::size_t State::begin_if(const Op& op, std::size_t pc) {
    blocks_.push_back({.saved = condition_});
    if (active_ != 0) {
        for (std::size_t i = 0; i < op.preparations; ++i) prepare(code_->preparations[op.preparation + i]);
        condition_ &= true_lanes(op);
    }
    update_mask();
    return active_ != 0 ? pc + 1 : static_cast<std::size_t>(op.label);
}

void State::enter_case(std::size_t pc) {
    for (std::size_t i = 0; i < batch_lanes; ++i)
        in_case_ |= LaneMask{entries_.back()[i] == static_cast<std::int32_t>(pc)} << i;
}

// Finds for every lane the label where it comes in; the labels let the lanes in.
void State::begin_switch(const Op& op, std::size_t pc) {
    blocks_.push_back({.saved = in_case_});
    Entries& entry = entries_.emplace_back();
    entry.fill(-1);
    for (std::size_t i = 0; i < op.preparations; ++i) prepare(code_->preparations[op.preparation + i]);
    std::array<std::uint32_t, batch_lanes> value;  // NOLINT: filled below
    const float* row = source_row(op, 0, 0);
    for (std::size_t i = 0; i < batch_lanes; ++i) value[i] = lane_math::bits(row[i]);
    std::int32_t otherwise = -1;
    int depth = 0;
    std::vector<ConstantIndices>* const log = std::exchange(constant_log_, nullptr);  // not of labels
    for (std::size_t label = pc + 1; label < static_cast<std::size_t>(op.label); ++label) {
        const Op& at = code_->ops[label];
        const Opcode opcode = at.operation->opcode;
        depth += opcode == Opcode::switch_ ? 1 : (opcode == Opcode::endswitch ? -1 : 0);
        if (depth != 0) continue;
        if (opcode == Opcode::default_) otherwise = static_cast<std::int32_t>(label);
        if (opcode != Opcode::case_) continue;
        for (std::size_t i = 0; i < at.preparations; ++i) prepare(code_->preparations[at.preparation + i]);
        const float* wanted = source_row(at, 0, 0);
        for (std::size_t i = 0; i < batch_lanes; ++i)
            if (entry[i] < 0 && lane_math::bits(wanted[i]) == value[i]) entry[i] = static_cast<std::int32_t>(label);
    }
    constant_log_ = log;
    for (std::size_t i = 0; i < batch_lanes; ++i) {
        if (entry[i] < 0) entry[i] = otherwise;
        if ((active_ >> i & 1) == 0) entry[i] = -1;
    }
    in_case_ = 0;
}

std::size_t State::call(const Op& op, std::size_t pc) {
    if (active_ == 0) return pc + 1;
    if (calls_.size() >= most_calls)
        throw engine::InputError("shader: calls at instruction " + std::to_string(pc) + " nest deeper than " +
                                 std::to_string(most_calls));
    calls_.push_back({.saved = running_, .target = static_cast<std::int32_t>(pc + 1)});
    return static_cast<std::size_t>(op.label);
}

LaneMask State::true_lanes(const Op& op) const {
    const float* row = source_row(op, 0, 0);
    const bool floating = op.operation->opcode == Opcode::if_;
    LaneMask result = 0;
    for (int i = 0; i < batch_lanes; ++i)
        result |= LaneMask{floating ? row[i] != 0.0F : lane_math::bits(row[i]) != 0} << i;
    return result;
}

void State::record(std::size_t first, std::size_t end, LaneMask lanes) {
    if (lanes == 0 || first >= end) return;
    diverged_ |= lanes != lanes_;
    segments_.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end - first), lanes});
}

void State::path(LaneMask group, Path& path) const {
    path.clear();
    const int first_lane = std::countr_zero(group);
    for (const Segment& segment : segments_) {
        const auto lanes = static_cast<std::uint32_t>((segment.lanes & group) >> first_lane);
        if (lanes == 0) continue;
        const bool joins =
            !path.empty() && path.back().lanes == lanes && path.back().first + path.back().count == segment.first;
        if (joins)
            path.back().count = static_cast<std::uint16_t>(path.back().count + segment.count);
        else
            path.push_back({segment.first, segment.count, lanes});
    }
}

}  // namespace models::functional::tgsi
