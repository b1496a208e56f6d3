// How much of what a prefetcher wants is issued (Lee et al., "Many-Thread Aware Prefetching Mechanisms for GPGPU
// Applications", MICRO 2010): a degree from 0, all of it, to 5, nothing; of every five requests as many as
// the degree are dropped, evenly. At the end of a period the degree is set by two rates of that period:
//
//     early rate   lines that were prefetched, went unused and were missed then, of those that were used
//     merge rate   lookups that joined a line in flight, of those that did not hit: half this period's, half the last's
//
//     early rate            merge rate         degree
//     above early_high      any                5
//     from early_low on     any                one more
//     below early_low       above merge        one less
//     below early_low       otherwise          5
//
// Where nothing is issued nothing is evicted early, so degree 5 says nothing about prefetching. The paper is silent;
// here, after `recovery` periods with degree 5 the next one is a trial with degree 4, and judged as any other. A period
// in which nothing missed says nothing, and is not judged.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

class PrefetchThrottle {
  public:
    static constexpr std::uint32_t most = 5;

    explicit PrefetchThrottle(const PrefetchThrottleShape& shape)
        : shape_(shape),
          end_(shape.period),
          degree_(shape.degree) {}

    void observe(const CacheObservation& access) {
        if (access.now >= end_) {
            if (misses_ + merges_ > 0) judge();
            end_ = (access.now / shape_.period + 1) * shape_.period;
        }
        using Result = CacheObservation::Result;
        misses_ += access.result == Result::missed ? 1 : 0;
        merges_ += access.result == Result::joined ? 1 : 0;
        early_ += access.evicted_early ? 1 : 0;
        used_ += access.prefetched ? 1 : 0;
    }

    // Whether the next request is issued.
    bool lets_pass() {
        turn_ += most - degree_;
        if (turn_ < most) return false;
        turn_ -= most;
        return true;
    }

    std::uint32_t degree() const { return degree_; }
    std::uint32_t merge_rate() const { return merge_rate_; }  // millionths

    void serialize(engine::Archive& archive) {
        archive(end_, misses_, merges_, early_, used_, merge_rate_, degree_, turn_, closed_);
    }

  private:
    static constexpr std::uint64_t thousand = 1000, million = 1'000'000;

    void judge() {
        const auto merges = static_cast<std::uint32_t>(merges_ * million / (misses_ + merges_));
        merge_rate_ = (merge_rate_ + merges) / 2;
        const std::uint32_t before = degree_;
        degree_ = judged();
        closed_ = degree_ == most && before == most ? closed_ + 1 : 0;
        if (closed_ == shape_.recovery) {
            degree_ = most - 1;
            closed_ = 0;
        }
        misses_ = merges_ = early_ = used_ = 0;
    }
    std::uint32_t judged() const {
        if (early_ * thousand > shape_.early_high * used_) return most;
        if (early_ > 0 && early_ * thousand >= shape_.early_low * used_) return std::min(degree_ + 1, most);
        if (merge_rate_ > shape_.merge * thousand) return degree_ == 0 ? 0 : degree_ - 1;
        return most;
    }

    PrefetchThrottleShape shape_;
    engine::Time end_;                       // of the period
    std::uint64_t misses_ = 0, merges_ = 0;  // lookups that missed, and that joined
    std::uint64_t early_ = 0, used_ = 0;     // lines prefetched
    std::uint32_t merge_rate_ = 0;           // millionths
    std::uint32_t degree_, turn_ = 0;
    std::uint32_t closed_ = 0;  // periods with degree 5, one after the other
};

}  // namespace models
