#include "engine/instruments/meter.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace engine {

namespace {

// Saturates at 2^32 cycles, about a second or more: longer windows were interrupted.
std::uint32_t narrow(CycleCount units) {
    return static_cast<std::uint32_t>(std::min<CycleCount>(units, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

void Meter::set_up(unsigned every, WorkLog* log, Timeline::Lane* lane, std::size_t most_slices) {
    every_ = every;
    log_ = log;
    lane_ = lane;
    most_slices_ = most_slices;
    if (lane_ != nullptr) first_slice_ = lane_->slices.size();
    last_end_ = read_cycle_counter();
    armed_ = every_ == 1;
    if (armed_) armed_at_ = last_end_;
}

bool Meter::begin_measured(Time window, double waited) {
    began_ = work_ended_ = read_cycle_counter();
    collected_ = 0;
    const CycleCount looked = began_ - armed_at_;
    note(armed_at_, began_, Timeline::wait);
    // What it has waited long is measured elsewhere, and in seconds.
    if (waited == waited_) idle_ += looked;
    waited_ = waited;
    work_before_ = work_;
    if (log_ != nullptr) log_->windows.push_back({window, static_cast<std::uint32_t>(log_->entries.size()), 0, 0, 0});
    return true;
}

void Meter::collected() {
    work_ended_ = read_cycle_counter();
    collected_ = work_ended_ - began_;
}

void Meter::advanced(int process, std::uint32_t messages) {
    const CycleCount began = std::exchange(work_ended_, read_cycle_counter());
    const CycleCount took = work_ended_ - began;
    work_ += took;
    work_of_[static_cast<std::size_t>(process)] += took;
    note(began, work_ended_, process);
    if (log_ == nullptr) return;
    log_->entries.push_back({static_cast<std::uint32_t>(process), narrow(took), messages});
    ++log_->windows.back().count;
}

void Meter::end_measured(double waited) {
    const CycleCount now = read_cycle_counter();
    if (!armed_) {  // the next one is
        note(last_end_, now, Timeline::unmeasured, waited - last_waited_);
        armed_ = true;
        armed_at_ = now;
        waited_ = waited;
        return;
    }
    const CycleCount rest = now - began_ - (work_ - work_before_);
    if (waited == waited_) messages_ += rest;
    note(began_, now, Timeline::window);
    note(began_, began_ + collected_, Timeline::messages);
    note(work_ended_, now, Timeline::messages);
    if (log_ != nullptr) {
        log_->windows.back().collect = narrow(collected_);
        log_->windows.back().rest = narrow(rest - collected_);
    }
    ++windows_;
    last_end_ = now;
    last_waited_ = waited_ = waited;
    countdown_ = every_ - 1;
    armed_ = countdown_ == 0;
    if (armed_) armed_at_ = read_cycle_counter();
}

void Meter::note(CycleCount begin, CycleCount end, std::int32_t what, double waited) {
    if (lane_ == nullptr || end <= begin) return;
    if (lane_->slices.size() >= most_slices_) {
        lane_->full = true;
        return;
    }
    lane_->slices.push_back(
        {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end), what, static_cast<float>(waited)});
}

void Meter::finish(const CycleScale& scale) {
    if (log_ != nullptr) {
        log_->unit = scale.seconds(1'000'000) * 1e-6;
        log_->overhead = scale.seconds(cycle_counter_cost());
    }
    if (lane_ == nullptr) return;
    for (std::size_t i = first_slice_; i < lane_->slices.size(); ++i) {
        Timeline::Slice& slice = lane_->slices[i];
        slice.begin = scale.nanoseconds_at(static_cast<CycleCount>(slice.begin));
        slice.end = scale.nanoseconds_at(static_cast<CycleCount>(slice.end));
    }
}

}  // namespace engine
