#include "models/functional/vtest/vtest_command.h"

#include <array>

namespace models::functional {

namespace {

constexpr std::array<std::string_view, 12> vtest_names{
    "unknown",
    "GET_CAPS",
    "RESOURCE_CREATE",
    "RESOURCE_UNREF",
    "TRANSFER_GET",
    "TRANSFER_PUT",
    "SUBMIT_CMD",
    "RESOURCE_BUSY_WAIT",
    "CREATE_RENDERER",
    "GET_CAPS2",
    "PING_PROTOCOL_VERSION",
    "PROTOCOL_VERSION",
};

}  // namespace

bool is_known(VtestCommand command) {
    const auto number = static_cast<std::size_t>(command);
    return number > 0 && number < vtest_names.size();
}

std::string_view name(VtestCommand command) {
    return is_known(command) ? vtest_names[static_cast<std::size_t>(command)] : vtest_names[0];
}

}  // namespace models::functional
