#include "models/memory/dram/dram_parameters.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <initializer_list>
#include <string>

#include "models/base/without_effect.h"
#include "models/memory/dram/devices.h"

namespace models {
namespace {

constexpr std::int64_t line = block_bytes;

struct TimingName {
    std::string_view name;
    int DramTiming::* value;
    std::string_view doc;
};
constexpr TimingName timing_names[] = {
    {"rl", &DramTiming::rl, "RL, read to its first data"},
    {"wl", &DramTiming::wl, "WL, write to its first data"},
    {"burst", &DramTiming::burst, "data of a read or a write on the bus"},
    {"ccd_s", &DramTiming::ccd_s, "tCCD_S, read to read or write to write of another bank group"},
    {"ccd_l", &DramTiming::ccd_l, "tCCD_L, the same within a bank group"},
    {"rcd", &DramTiming::rcd, "tRCD, activate to read or write"},
    {"rp", &DramTiming::rp, "tRPpb, precharge of a bank to its activate"},
    {"rp_ab", &DramTiming::rp_ab, "tRPab, precharge of all banks to an activate"},
    {"ras", &DramTiming::ras, "tRAS, activate to precharge"},
    {"rc", &DramTiming::rc, "tRC, activate to activate of the bank"},
    {"rrd_s", &DramTiming::rrd_s, "tRRD_S, activate to activate of another bank group"},
    {"rrd_l", &DramTiming::rrd_l, "tRRD_L, activate to activate of another bank of the group"},
    {"faw", &DramTiming::faw, "tFAW, in which there are four activates at most"},
    {"rtp", &DramTiming::rtp, "tRTP, read to precharge"},
    {"wr", &DramTiming::wr, "tWR, last data written to precharge"},
    {"wtr_s", &DramTiming::wtr_s, "tWTR_S, last data written to a read of another bank group"},
    {"wtr_l", &DramTiming::wtr_l, "tWTR_L, last data written to a read within the bank group"},
    {"rtw", &DramTiming::rtw, "read to write"},
    {"dqss", &DramTiming::dqss, "tDQSS, by which the data of a write may be later than wl says"},
    {"ppd", &DramTiming::ppd, "tPPD, precharge to precharge"},
    {"refi", &DramTiming::refi, "tREFI, interval of refreshes of all banks"},
    {"refi_pb", &DramTiming::refi_pb, "tREFIpb, interval of refreshes of a bank"},
    {"rfc", &DramTiming::rfc, "tRFCab, refresh of all banks"},
    {"rfc_pb", &DramTiming::rfc_pb, "tRFCpb, refresh of a bank"},
    {"pb_act", &DramTiming::pb_act, "refresh of a bank to activate of another"},
    {"pb_pb", &DramTiming::pb_pb, "refresh of a bank to that of another"},
};

// Bytes of all channels in a cycle.
std::int64_t bandwidth(const FlatDramParameters& flat, int channels) {
    return std::int64_t{flat.bytes_per_cycle()} * (flat.data_edges() == DataEdges::both ? 2 : 1) *
           (flat.bandwidth_of() == BandwidthOf::each_channel ? channels : 1);
}

}  // namespace

DramTimingParameters::DramTimingParameters(ParameterGroup* parent, std::string_view name, std::string_view doc)
    : ParameterGroup(parent, name, doc) {
    for (const TimingName& timing : timing_names)
        values_.emplace_back(this, timing.name, Cycles{0}, engine::Range<Cycles>{{0}, {100'000}},
                             std::string(timing.doc) + "; 0: the device's", "its data sheet");
}

DramTiming DramTimingParameters::applied_to(DramTiming timing) const {
    auto value = values_.begin();
    for (const TimingName& name : timing_names) {
        if (value->count() != 0) timing.*name.value = static_cast<int>(value->count());
        ++value;
    }
    return timing;
}

const engine::ParameterBase* DramTimingParameters::named(std::string_view name) const {
    const auto is_it = [&](const auto& value) { return value.name() == name; };
    const auto value = std::find_if(values_.begin(), values_.end(), is_it);
    assert(value != values_.end());
    return &*value;
}

void check_timing(const DramTiming& t, RefreshPolicy refresh) {
    const auto at_least = [](const char* name, int found, int least, const char* why) {
        require(found >= least, "dram.timing." + std::string(name) + ": expected at least " + why + " (" +
                                    std::to_string(least) + " cycles), found " + std::to_string(found));
    };
    at_least("ccd_s", t.ccd_s, t.burst, "burst, the data of a read or a write");
    at_least("ccd_l", t.ccd_l, t.ccd_s, "ccd_s");
    at_least("rrd_l", t.rrd_l, t.rrd_s, "rrd_s");
    at_least("wtr_l", t.wtr_l, t.wtr_s, "wtr_s");
    at_least("rp_ab", t.rp_ab, t.rp, "rp");
    at_least("ras", t.ras, t.rcd, "rcd: a row is read before it is closed");
    at_least("rc", t.rc, t.ras + t.rp, "ras + rp");
    at_least("faw", t.faw, t.rrd_s, "rrd_s");
    at_least("rtw", t.rtw, t.rl + t.burst - t.wl, "rl + burst - wl: data to write follow data read");
    at_least("pb_pb", t.pb_pb, t.pb_act, "pb_act");
    const int opening = std::max(t.faw, t.rrd_l) + t.rc + 1;  // of a row, and its use
    if (refresh == RefreshPolicy::all_banks)
        at_least("refi", t.refi, t.rfc + t.rp_ab + opening,
                 "rfc + rp_ab + rc + 1 and the larger of faw and rrd_l: else there is no time but for refresh");
    if (refresh == RefreshPolicy::per_bank)
        at_least(
            "refi_pb", t.refi_pb, std::max(t.pb_pb, t.rfc_pb) + opening,
            "the larger of pb_pb and rfc_pb, rc + 1 and the larger of faw and rrd_l: else there is no time but for "
            "refresh");
}

std::int64_t FlatDramParameters::burst_cycles(int channels) const {
    return line * channels / bandwidth(*this, channels);
}

void FlatDramParameters::check_with(int channels, std::int64_t interleave) const {
    const std::int64_t all = bandwidth(*this, channels), burst = burst_cycles(channels);
    require(line * channels % all == 0,
            "dram.flat.bytes_per_cycle: expected a channel to move a line of 64 bytes in whole cycles, found " +
                std::to_string(all) + " bytes per cycle of " + std::to_string(channels) + " channels");
    require(row_hit_latency.count() > burst,
            "dram.flat.row_hit_latency: expected more than the " + std::to_string(burst) +
                " cycles in which a channel moves 64 bytes, found " + std::to_string(row_hit_latency.count()));
    require(row_miss_latency() >= row_hit_latency(),
            "dram.flat.row_miss_latency: expected at least dram.flat.row_hit_latency (" +
                std::to_string(row_hit_latency.count()) + "), found " + std::to_string(row_miss_latency.count()));
    require(row.count() % interleave == 0 || interleave % row.count() == 0,
            "dram.flat.row: expected a multiple or a divisor of dram.interleave, found " + std::to_string(row.count()) +
                " B");
    require(row.count() % line == 0,
            "dram.flat.row: expected a multiple of 64 B, found " + std::to_string(row.count()) + " B");
}

std::vector<Choice<const DramDevice*>::Option> DramParameters::devices() {
    std::vector<Choice<const DramDevice*>::Option> options;
    for (const DramDevice* each : dram_devices) options.push_back({each->name, each});
    return options;
}

const DramDevice* DramParameters::default_device() {
    return dram_devices.front();
}

DramDevice DramParameters::channel() const {
    DramDevice channel = *device();
    const int devices = devices_per_channel();
    channel.width *= devices;
    channel.row_bytes *= devices;
    channel.timing = timing.applied_to(channel.timing);
    return channel;
}

DramShape DramParameters::shape(std::int64_t line_bytes) const {
    const DramDevice all = channel();
    return {static_cast<std::uint32_t>(all.banks), static_cast<std::uint32_t>(all.bank_groups),
            static_cast<std::uint32_t>(all.row_bytes / line_bytes)};
}

void DramParameters::check() const {
    require(interleave.count() % line == 0,
            "dram.interleave: expected a multiple of 64 B, found " + std::to_string(interleave.count()) + " B");
    if (model() == DramModel::flat) {
        flat.check_with(channels(), interleave.count());
        return;
    }
    const int width = device()->width;
    const auto widths = static_cast<unsigned>(bus_bits() / width);
    require(bus_bits() % width == 0 && (bus_bits() == 0 || std::has_single_bit(widths)),
            "dram.bus_bits: expected " + std::to_string(width) + ", the width of " + std::string(device()->name) +
                ", or that times a power of two, found " + std::to_string(bus_bits()));
    const DramDevice all = channel();
    require(all.burst_bytes() <= line, "dram.bus_bits: expected a burst of at most 64 bytes, found one of " +
                                           std::to_string(all.burst_bytes()) + " (" + std::to_string(all.width) +
                                           " bits, " + std::to_string(all.burst_length) + " beats)");
    check_timing(all.timing, refresh());
    require(write_high() <= write_queue(), "dram.write_high: expected at most dram.write_queue (" +
                                               std::to_string(write_queue()) + "), found " +
                                               std::to_string(write_high()));
    require(write_low() < write_high(), "dram.write_low: expected less than dram.write_high (" +
                                            std::to_string(write_high()) + "), found " + std::to_string(write_low()));
}

void DramParameters::add_without_effect(WithoutEffect& found) const {
    const std::string reason = "dram.model is " + model.value_text();
    if (model() == DramModel::timed) {
        found.add(flat, reason, {}, {}, "dram.");
        const auto add = [&](const std::string& why, std::initializer_list<std::string_view> names) {
            for (const std::string_view name : names) found.add(timing, why, {timing.named(name)}, {}, "dram.");
        };
        const std::string why = "dram.refresh is " + refresh.value_text();
        if (refresh() != RefreshPolicy::all_banks) add(why, {"refi", "rp_ab", "rfc"});
        if (refresh() != RefreshPolicy::per_bank) add(why, {"refi_pb", "rfc_pb", "pb_act", "pb_pb"});
        if (device()->bank_groups == 1) add("the device has no bank groups", {"ccd_s", "rrd_s", "wtr_s"});
        return;
    }
    found.add(*this, reason, {}, {&model, &channels, &interleave, &row_hit_cap, &size});
    found.add(timing, reason, {}, {}, "dram.");
}

}  // namespace models
