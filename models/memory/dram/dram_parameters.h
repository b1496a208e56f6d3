// Parameters of main memory. `dram.model` says which of two models plays it: every command of a device with its timing
// (dram_controller.h), or two latencies and a bandwidth (flat_dram.h), whose parameters are in dram.flat.
#pragma once

#include <deque>

#include "models/base/clocks.h"
#include "models/memory/dram/address_mapping.h"
#include "models/memory/dram/device.h"

namespace models {

class WithoutEffect;

enum class DramModel : std::uint8_t { timed, flat };
enum class BandwidthOf : std::uint8_t { each_channel, all_channels };
enum class DataEdges : std::uint8_t { one, both };
enum class PagePolicy : std::uint8_t { open, closed };
enum class RefreshPolicy : std::uint8_t { all_banks, per_bank, off };

// Timings that differ from the device's, for studies: a parameter for each number of DramTiming. Energy is reckoned
// with the device's own, to which its currents belong.
class DramTimingParameters : public ParameterGroup {
  public:
    DramTimingParameters(ParameterGroup* parent, std::string_view name, std::string_view doc);
    DramTiming applied_to(DramTiming timing) const;
    const engine::ParameterBase* named(std::string_view name) const;

  private:
    std::deque<Parameter<Cycles>> values_;
};

// Throws ConfigError if timings contradict one another, or leave no time between refreshes.
void check_timing(const DramTiming& timing, RefreshPolicy refresh);

struct FlatDramParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Frequency> frequency{this,         "frequency",         {400'000'000}, {{1'000'000}, {10'000'000'000}},
                                   "DRAM clock", "paper 004, Table I"};
    Parameter<int> bytes_per_cycle{this,
                                   "bytes_per_cycle",
                                   4,
                                   {1, 1024},
                                   "data moved per DRAM cycle and edge; by whom, says bandwidth_of",
                                   "paper 004, Table I: 4 B/cycle"};
    Choice<BandwidthOf> bandwidth_of{
        this,
        "bandwidth_of",
        {{"each_channel", BandwidthOf::each_channel}, {"all_channels", BandwidthOf::all_channels}},
        BandwidthOf::each_channel,
        "what bytes_per_cycle is the bandwidth of",
        "a channel of LPDDR3 has 32 bits"};
    Choice<DataEdges> data_edges{this,
                                 "data_edges",
                                 {{"one", DataEdges::one}, {"both", DataEdges::both}},
                                 DataEdges::both,
                                 "edges of the clock that move data",
                                 "LPDDR3 moves data on both edges: 6.4 GB/s with paper 004's numbers"};
    Parameter<Cycles> row_hit_latency{this,
                                      "row_hit_latency",
                                      {50},
                                      {{1}, {10'000}},
                                      "DRAM cycles from request to the last byte when the row is open and all is idle",
                                      "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<Cycles> row_miss_latency{this,
                                       "row_miss_latency",
                                       {100},
                                       {{1}, {10'000}},
                                       "the same when another row has to be closed first",
                                       "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<int> banks{this, "banks", 8, {1, 256}, "banks of a channel", "paper 004, Table I"};
    Parameter<Bytes> row{
        this, "row", {4096}, {{64}, {1 << 20}}, "bytes of an open row of a channel", "gem5, LPDDR3_1600_1x32"};
    Parameter<int> queue{this,
                         "queue",
                         32,
                         {1, 65536},
                         "entries of a channel's request queue, shared out among the L2 slices that it serves as "
                         "equally as can be",
                         "design"};

    // DRAM cycles in which one of so many channels moves a line of 64 bytes.
    std::int64_t burst_cycles(int channels) const;
    // Throws ConfigError if so many channels of this interleaving, in bytes, cannot be.
    void check_with(int channels, std::int64_t interleave) const;
};

struct DramParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Choice<DramModel> model{this,
                            "model",
                            {{"timed", DramModel::timed}, {"flat", DramModel::flat}},
                            DramModel::timed,
                            "every command of a device with its timing, or two latencies and a bandwidth (dram.flat)",
                            "design"};
    Choice<const DramDevice*> device{this,
                                     "device",
                                     devices(),
                                     default_device(),
                                     "the DRAM device, which has a clock of its own",
                                     "paper 004, Table I: LPDDR3, 400 MHz"};
    Parameter<int> channels{this, "channels", 2, {1, 16}, "channels", "paper 004, Table I: dual channel LPDDR3"};
    Parameter<int> bus_bits{this,
                            "bus_bits",
                            0,
                            {0, 256},
                            "data bits of a channel, of as many devices in lockstep as that takes; 0: of one device",
                            "design: 32 of LPDDR3, which is 4 B/cycle in paper 004, Table I"};
    Parameter<Bytes> interleave{this,    "interleave", {64}, {{64}, {1 << 20}}, "bytes before the next channel's turn",
                                "design"};
    std::uint32_t interleave_blocks() const { return static_cast<std::uint32_t>(interleave.count() / block_bytes); }
    Choice<std::size_t> mapping{this,
                                "mapping",
                                options_of<AddressMapping>(),
                                0,
                                "which bits of an address, most significant first, choose row, bank, column and bank "
                                "group; xor: the bank's number XOR the row's",
                                "design: a stream uses all bank groups"};
    Choice<PagePolicy> page{this,
                            "page",
                            {{"open", PagePolicy::open}, {"closed", PagePolicy::closed}},
                            PagePolicy::open,
                            "whether a row stays open, or is closed with the last access that waits for it",
                            "design"};
    Choice<RefreshPolicy> refresh{
        this,
        "refresh",
        {{"all_banks", RefreshPolicy::all_banks}, {"per_bank", RefreshPolicy::per_bank}, {"off", RefreshPolicy::off}},
        RefreshPolicy::all_banks,
        "all banks at once, bank after bank, or never (no memory works so)",
        "design"};
    Parameter<int> row_hit_cap{this,
                               "row_hit_cap",
                               16,
                               {0, 1024},
                               "requests for an open row that may overtake an older one for another row of the bank",
                               "design"};
    Parameter<int> slice_queue{this,
                               "slice_queue",
                               8,
                               {1, 1024},
                               "requests of an L2 slice that a channel has room for before its common queues; no more "
                               "are sent in the time of two ways (network.memory_latency) and a read of the device, "
                               "about 60 ns, so a slice that has a channel of LPDDR5-6400 to itself needs 16",
                               "design: several slices together cover the way of a credit at full bandwidth"};
    Parameter<int> read_queue{this, "read_queue", 32, {1, 1024}, "reads a channel chooses from", "DRAMsim3"};
    Parameter<int> write_queue{this, "write_queue", 32, {1, 1024}, "writes that a channel collects", "DRAMsim3"};
    Parameter<int> write_high{this,
                              "write_high",
                              24,
                              {1, 1024},
                              "writes collected with which a channel turns from reading to writing",
                              "design: before the queue is full"};
    Parameter<int> write_low{
        this,      "write_low", 8, {0, 1023}, "writes left with which it turns back; without reads it writes on",
        "DRAMsim3"};
    Parameter<Bytes> size{
        this,
        "size",
        {1 << 30},
        {{1 << 20}, {std::int64_t{1} << 37}},
        "memory that a machine uses, of what there is; its top holds the parameter buffers and the programs",
        "paper 004, Table I"};
    DramTimingParameters timing{
        this, "timing",
        "timings other than the device's, in cycles of its clock; models/memory/dram/devices has those"};
    FlatDramParameters flat{this, "flat", "main memory with dram.model = \"flat\""};
    void check() const override;
    void add_without_effect(WithoutEffect& found) const;

    // The devices of a channel in lockstep as if they were one, with the timings that were set.
    DramDevice channel() const;
    int devices_per_channel() const { return bus_bits() == 0 ? 1 : bus_bits() / device()->width; }
    std::int64_t bytes() const { return channels() * channel().bytes(); }  // of all channels
    Frequency clock() const { return model() == DramModel::flat ? flat.frequency() : Frequency{device()->clock}; }
    DramShape shape(std::int64_t line_bytes = block_bytes) const;  // of a channel

  private:
    static std::vector<Choice<const DramDevice*>::Option> devices();
    static const DramDevice* default_device();
};

}  // namespace models
