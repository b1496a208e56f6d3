// The commands of a DRAM channel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace models {

enum class DramOperation : std::uint8_t {
    activate,
    read,
    read_precharge,  // and close the row by itself
    write,
    write_precharge,
    precharge,
    precharge_all,
    refresh,       // all banks
    refresh_bank,  // `bank`, and those that are refreshed with it
};
inline constexpr std::size_t dram_operations = 9;
inline constexpr std::array<std::string_view, dram_operations> dram_operation_names{
    "activate",  "read",          "read_precharge", "write",       "write_precharge",
    "precharge", "precharge_all", "refresh",        "refresh_bank"};

constexpr bool is_read(DramOperation operation) {
    return operation == DramOperation::read || operation == DramOperation::read_precharge;
}
constexpr bool is_write(DramOperation operation) {
    return operation == DramOperation::write || operation == DramOperation::write_precharge;
}
// Of a column of an open row.
constexpr bool is_column(DramOperation operation) {
    return is_read(operation) || is_write(operation);
}

struct DramCommand {
    std::int64_t cycle = 0;  // of the channel's clock
    std::uint32_t row = 0;   // of activates, reads and writes
    std::uint16_t bank = 0;  // none of precharge_all and refresh
    DramOperation operation = DramOperation::activate;
    std::uint8_t spare = 0;

    friend bool operator==(const DramCommand&, const DramCommand&) = default;
};

}  // namespace models
