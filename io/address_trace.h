// Traces of memory addresses as other simulators of DRAM and caches play them, a request a line:
//
//     dramsim3    0x1a2b40 READ 120     address, READ or WRITE, the cycle in which it comes (which does not decrease)
//     ramulator   LD 0x1a2b40           load-store: LD or ST
//                 R 0x1a2b40            read-write: R or W
//                 0x1a2b40 R            the same with the address first, as older versions have it
//     list        0x1a2b40              an address, which is read; R or W may follow it
//     din         0 1a2b40 comment      Dinero's: 0 reads, 1 writes, 2 fetches an instruction, which is a read here
//
// Addresses are bytes, decimal or hexadecimal (0x); those of din are hexadecimal, with or without 0x. No format has the
// size of a request. All lines of a file are of one kind, which the first tells; blank ones are passed over. A first
// line of two numbers is taken for din only if the address has one of the digits a to f: "0 1000" may be anything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_words.h"

namespace io {

enum class TraceFormat : std::uint8_t { dramsim3, ramulator, list, din };

struct AddressTrace {
    struct Access {
        std::uint64_t address = 0, cycle = 0;
        bool is_write = false;
    };
    std::vector<Access> accesses;  // one at least
    bool has_cycles = false;       // they do not decrease
};

// One request after the other.
class AddressTraceReader {
  public:
    // In one of these formats. Throws IoError if the file cannot be read, as does next().
    AddressTraceReader(const std::filesystem::path& path, std::span<const TraceFormat> formats);

    // False at the end. Throws InputError that says file, line and column of what is malformed, and for a file without
    // requests.
    bool next(AddressTrace::Access& access);
    bool has_cycles() const;
    // Throws InputError for the address that next() has given.
    [[noreturn]] void refuse_address(const std::string& expected) const;

  private:
    struct Kind;
    static const Kind kinds[];
    const Kind& kind_of(const LineWords& line) const;

    LineReader lines_;
    std::vector<const Kind*> expected_;
    const Kind* kind_ = nullptr;  // after the first line
    std::optional<LineWords> line_;
    std::uint64_t cycle_ = 0;  // of the line before
};

// The whole of one of DRAMsim3 or Ramulator. InputError also for an address that is not below `memory` bytes.
AddressTrace read_address_trace(const std::filesystem::path& path, std::uint64_t memory);

}  // namespace io
