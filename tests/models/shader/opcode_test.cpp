#include "models/shader/opcode.h"

#include <set>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(Opcode, NamesAreUniqueAndFoundAgain) {
    std::set<std::string> seen;
    for (int i = 0; i < opcode_count; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const OpcodeInfo& info = opcode_info(opcode);
        EXPECT_TRUE(seen.insert(std::string(info.name)).second) << info.name;
        ASSERT_TRUE(find_opcode(info.name).has_value()) << info.name;
        EXPECT_EQ(*find_opcode(info.name), opcode);
    }
    EXPECT_EQ(opcode_names().size(), static_cast<std::size_t>(opcode_count));
}

TEST(Opcode, TheTableStandsInTheOrderOfTheEnumeration) {
    EXPECT_EQ(opcode_info(Opcode::nop).name, "NOP");
    EXPECT_EQ(opcode_info(Opcode::and_).name, "AND");
    EXPECT_EQ(opcode_info(Opcode::cont).name, "CONT");
    EXPECT_EQ(opcode_info(Opcode::umsb).name, "UMSB");
    EXPECT_EQ(opcode_info(Opcode::kill_if).name, "KILL_IF");
    EXPECT_EQ(opcode_info(Opcode::endswitch).name, "ENDSWITCH");
}

TEST(Opcode, SaysHowManyOperandsTheTextHas) {
    EXPECT_EQ(opcode_info(Opcode::mad).source_count, 3);
    EXPECT_EQ(opcode_info(Opcode::txd).source_count, 4);
    EXPECT_EQ(opcode_info(Opcode::kill).destination_count, 0);
    EXPECT_EQ(opcode_info(Opcode::bfi).source_count, 4);
    EXPECT_TRUE(opcode_info(Opcode::tg4).is_texture);
    EXPECT_TRUE(opcode_info(Opcode::dp4).replicates);
    EXPECT_FALSE(opcode_info(Opcode::mul).replicates);
}

TEST(Opcode, DoesNotFindOtherSpellings) {
    EXPECT_FALSE(find_opcode("mov").has_value());
    EXPECT_FALSE(find_opcode("MOV_SAT").has_value());
    EXPECT_FALSE(find_opcode("").has_value());
}

}  // namespace
}  // namespace models
