#include "models/functional/vtest/vtest_command.h"

#include <gtest/gtest.h>

namespace models::functional {
namespace {

TEST(VtestCommand, HasTheNameOfTheProtocol) {
    EXPECT_EQ(name(VtestCommand::get_caps), "GET_CAPS");
    EXPECT_EQ(name(VtestCommand::transfer_put), "TRANSFER_PUT");
    EXPECT_EQ(name(VtestCommand::protocol_version), "PROTOCOL_VERSION");
}

TEST(VtestCommand, IsUnknownOutsideOfVersion0) {
    for (const std::uint32_t number : {0U, 12U, 0xffffffffU}) {
        EXPECT_FALSE(is_known(static_cast<VtestCommand>(number)));
        EXPECT_EQ(name(static_cast<VtestCommand>(number)), "unknown");
    }
    for (std::uint32_t number = 1; number < 12; ++number) EXPECT_TRUE(is_known(static_cast<VtestCommand>(number)));
}

}  // namespace
}  // namespace models::functional
