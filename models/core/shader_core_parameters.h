// Parameters of the processors of shader programs.
#pragma once

#include <string_view>

#include "models/base/clocks.h"
#include "models/base/without_effect.h"

namespace models {

enum class BankHash : std::uint8_t { warp_shift, register_index };
enum class ReadRequests : std::uint8_t { all, heads };

// Of the pipeline `collector` (pipelines/collector.h).
struct CollectorParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> issue_width{
        this, "issue_width", 2, {1, 16}, "warps of which an instruction is issued per cycle", "paper 002, Table 4.1"};
    Parameter<int> issue_buffer{this,
                                "issue_buffer",
                                25,
                                {1, 256},
                                "issued instructions that wait for a collector unit",
                                "paper 002, Table 4.1"};
    Parameter<int> issue_buffer_ports{this,
                                      "issue_buffer_ports",
                                      16,
                                      {1, 64},
                                      "instructions that enter that buffer per cycle, and that leave it",
                                      "paper 002, Table 4.1"};
    Parameter<int> units{this,
                         "units",
                         16,
                         {1, 64},
                         "collector units: instructions whose operands are being read",
                         "paper 002, section 4.2.5"};
    Parameter<int> banks{this,
                         "banks",
                         4,
                         {1, 64},
                         "banks of the register file, with a read and a write port each",
                         "paper 002, section 5.2"};
    Choice<BankHash> bank_hash{this,
                               "bank_hash",
                               {{"warp_shift", BankHash::warp_shift}, {"register_index", BankHash::register_index}},
                               BankHash::warp_shift,
                               "the bank of a register: (warp + register) mod banks, or register mod banks",
                               "paper 002, equations 5.1 and 5.2"};
    Choice<ReadRequests> read_requests{
        this,
        "read_requests",
        {{"all", ReadRequests::all}, {"heads", ReadRequests::heads}},
        ReadRequests::all,
        "of the operands that wait for a bank, which may be granted: any of them, or only the one that came first",
        "paper 002, section 3.2.1; heads: GPGPU-Sim"};
    Choice<bool> unit_reads{this,
                            "unit_reads",
                            {{"one", true}, {"one_per_bank", false}},
                            true,
                            "operands that a collector unit reads per cycle: one, or one from every bank",
                            "paper 002, section 3.2.1; one_per_bank: GPGPU-Sim"};
    Parameter<int> dispatch_buffer{this,
                                   "dispatch_buffer",
                                   25,
                                   {1, 256},
                                   "instructions with all operands that wait for a functional unit",
                                   "paper 002, Table 4.1"};
    Parameter<int> dispatch_buffer_ports{this,
                                         "dispatch_buffer_ports",
                                         16,
                                         {1, 64},
                                         "instructions that enter that buffer per cycle, and that leave it",
                                         "paper 002, Table 4.1"};
    Parameter<int> functional_units{
        this,
        "functional_units",
        4,
        {1, 64},
        "pipelined units for all but textures; also how many texture instructions and ends of programs begin per cycle",
        "paper 002, Table 4.1"};
    Parameter<int> registers{this,
                             "registers",
                             8000,
                             {1, 65536},
                             "physical vector registers, shared by the resident warps",
                             "paper 002, Table 4.1"};
};

// Of the pipeline `squash` (pipelines/squash.h).
struct SquashParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> alu_units{
        this, "alu_units", 4, {1, 64}, "threads a cycle of simple operations", "paper 000, Table 1"};
    Parameter<int> special_units{this,
                                 "special_units",
                                 4,
                                 {1, 64},
                                 "threads a cycle of reciprocals, roots, logarithms, ...",
                                 "paper 000, Table 1"};
    Parameter<int> texture_units{
        this, "texture_units", 2, {1, 64}, "threads a cycle whose textures are asked for", "paper 000, Table 1"};
};

// Of one class of instructions.
struct ClassParameters : ParameterGroup {
    ClassParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, int cycles)
        : ParameterGroup(parent, name, doc),
          latency(this, "latency", {cycles}, {{1}, {256}}, "cycles until the result can be used", "design") {}
    Parameter<Cycles> latency;
    Parameter<Cycles> interval{this,
                               "interval",
                               {1},
                               {{1}, {64}},
                               "cycles between two of them: in a core, in a functional unit of the pipelines collector "
                               "and squash",
                               "design"};
};

struct ShaderCoreParameters : ParameterGroup {
    struct Defaults {
        int count, least, most, warps, groups_per_warp;
        std::string_view count_doc, group_doc, count_source, group_source;
    };
    ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults);
    Parameter<int> count;
    Parameter<int> warps;
    Parameter<int> thread_registers;
    Parameter<int> groups_per_warp;
    Parameter<int> export_warps;
    Parameter<int> vector_width;
    ClassParameters floating, integer, conversion, special, control;
    Choice<std::size_t> issue_scheduler;
    Parameter<int> active_warps;
    Choice<std::size_t> pipeline;
    CollectorParameters collector;
    SquashParameters squash;

    void add_without_effect(WithoutEffect& found) const;
};

}  // namespace models
