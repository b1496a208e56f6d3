// Traces of memory addresses as other DRAM simulators play them, a request a line:
//
//     0x1a2b40 READ 120     DRAMsim3: address, READ or WRITE, the cycle in which it comes
//     LD 0x1a2b40           Ramulator, load-store: LD or ST
//     R 0x1a2b40            Ramulator, read-write: R or W
//     0x1a2b40 R            the same with the address first, as older versions have it
//
// Addresses are bytes, decimal or hexadecimal (0x). All lines of a file are of one kind; blank ones are passed over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace io {

struct AddressTrace {
    struct Access {
        std::uint64_t address = 0, cycle = 0;
        bool is_write = false;
    };
    std::vector<Access> accesses;  // one at least
    bool has_cycles = false;       // they do not decrease
};

// Throws InputError that says file, line and column: of what is malformed, of an address that is not below `memory`
// bytes, of a cycle before the one before. IoError if the file cannot be read.
AddressTrace read_address_trace(const std::filesystem::path& path, std::uint64_t memory);

}  // namespace io
