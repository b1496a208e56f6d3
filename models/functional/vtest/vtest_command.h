// The messages of the vtest protocol, version 0, by which an application's Mesa talks to a renderer: their numbers and
// names, for whoever records them and for whoever reads recordings.
#pragma once

#include <cstdint>
#include <string_view>

namespace models::functional {

enum class VtestCommand : std::uint32_t {
    get_caps = 1,
    resource_create = 2,
    resource_unref = 3,
    transfer_get = 4,
    transfer_put = 5,
    submit_cmd = 6,
    resource_busy_wait = 7,
    create_renderer = 8,
    get_caps2 = 9,
    ping_protocol_version = 10,
    protocol_version = 11,
};

// Also of a number that the protocol does not have: "unknown".
std::string_view name(VtestCommand command);
bool is_known(VtestCommand command);

}  // namespace models::functional
