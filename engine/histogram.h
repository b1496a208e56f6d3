// Histograms: how often a block saw which value, declared like a counter, as one data member with unit and description.
//
//     engine::Histogram latency{&counters(), "latency", "cycle", "from request to answer",
//                               engine::BinScale::logarithmic("latency", 3, 1 << 14)};
//     latency.add(now - since);
//
// Its bins are counters (CounterInfo): checkpoints, differences between frames, laws and results have them as such.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/counter.h"

namespace engine {

// Which value falls into which bin. Values below 2^(sub_bits + 1) have a bin each; from there on every power of two is
// divided into 2^sub_bits bins of the same width. The last bin has no end.
class BinScale {
  public:
    // Bins up to `end`, a power of two above 2^sub_bits; wider than 2^-sub_bits of their values nowhere. With
    // sub_bits = 0: 0, 1, 2 to 3, 4 to 7, ... `axis`: what results call the row of bins.
    static BinScale logarithmic(std::string_view axis, unsigned sub_bits, std::uint64_t end) {
        BinScale scale(axis, sub_bits, 0);
        scale.last_ = scale.place(end);
        return scale;
    }
    // A bin for each value from 0 to `last`, which takes those above it, too.
    static BinScale linear(std::string_view axis, std::uint32_t last) {
        return BinScale(axis, static_cast<unsigned>(std::bit_width(last)), last);
    }

    const std::string& axis() const { return axis_; }
    std::size_t size() const { return last_ + 1; }
    std::size_t bin_of(std::uint64_t value) const { return std::min(place(value), last_); }
    // The least value of a bin.
    std::uint64_t lower_edge(std::size_t bin) const {
        const std::size_t octave = std::max<std::size_t>(bin >> sub_bits_, 1) - 1;
        return std::uint64_t{bin - (octave << sub_bits_)} << octave;
    }
    std::vector<std::uint64_t> lower_edges() const {
        std::vector<std::uint64_t> edges;
        for (std::size_t bin = 0; bin < size(); ++bin) edges.push_back(lower_edge(bin));
        return edges;
    }

  private:
    BinScale(std::string_view axis, unsigned sub_bits, std::size_t last)
        : axis_(axis),
          sub_bits_(sub_bits),
          last_(last) {}
    std::size_t place(std::uint64_t value) const {
        const auto octave =
            static_cast<unsigned>(std::bit_width(value | std::uint64_t{1} << sub_bits_)) - 1 - sub_bits_;
        return (std::size_t{octave} << sub_bits_) + static_cast<std::size_t>(value >> octave);
    }

    std::string axis_;
    unsigned sub_bits_;
    std::size_t last_;
};

class Histogram {
  public:
    Histogram(const CounterScope& scope, std::string_view name, std::string_view unit, std::string_view doc,
              BinScale scale)
        : scale_(std::move(scale)),
          bins_(scale_.size(), 0) {
        for (std::uint32_t bin = 0; bin < bins_.size(); ++bin) {
            scope.list->counters_.push_back({scope.owner.value_or(scope.list->process_),
                                             std::string(name),
                                             std::string(unit),
                                             std::string(doc),
                                             &bins_[bin],
                                             {},
                                             &scale_,
                                             bin});
            scope.list->values_.push_back(&bins_[bin]);
        }
    }
    Histogram(const Histogram&) = delete;  // its bins are registered by address
    Histogram& operator=(const Histogram&) = delete;

    void add(std::uint64_t value) { ++bins_[scale_.bin_of(value)]; }

    const BinScale& scale() const { return scale_; }
    const std::vector<std::uint64_t>& bins() const { return bins_; }

  private:
    const BinScale scale_;
    std::vector<std::uint64_t> bins_;
};

// Histograms of one thing by what it is for, as CounterRow.
template <std::size_t n>
class HistogramRow {
  public:
    HistogramRow(const CounterScope& scope, std::string_view stem, const std::array<std::string_view, n>& kinds,
                 std::string_view unit, std::string_view doc, const BinScale& scale)
        : HistogramRow(scope, std::string(stem) + "_", kinds, unit, std::string(doc) + ": ", scale,
                       std::make_index_sequence<n>()) {}
    Histogram& operator[](std::size_t i) { return histograms_[i]; }
    const Histogram& operator[](std::size_t i) const { return histograms_[i]; }

  private:
    template <std::size_t... i>
    HistogramRow(const CounterScope& scope, const std::string& stem, const std::array<std::string_view, n>& kinds,
                 std::string_view unit, const std::string& doc, const BinScale& scale,
                 std::index_sequence<i...> /*all*/)
        : histograms_{Histogram(scope, stem + std::string(kinds[i]), unit, doc + std::string(kinds[i]), scale)...} {}
    std::array<Histogram, n> histograms_;
};

}  // namespace engine
