#include "io/toml_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(TomlValues, AreFoundByTheirPath) {
    EXPECT_THAT(io::toml_values(
                    "top = 1\n# no value\n[l2]\nways = 4\n[l2.bank]\nname = \"x\"\nlist = [1, 2]\nok = true\n", "text"),
                ElementsAre(Pair("l2.bank.list", "[ 1, 2 ]"), Pair("l2.bank.name", testing::HasSubstr("x")),
                            Pair("l2.bank.ok", "true"), Pair("l2.ways", "4"), Pair("top", "1")));
    EXPECT_TRUE(io::toml_values("", "text").empty());
}

TEST(TomlValues, WhatIsNoTomlIsRefusedByItsName) {
    try {
        io::toml_values("a = ", "machine of A");
        FAIL();
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("machine of A: expected TOML"));
    }
}

TEST(TomlValues, KeysOfVeryManyPartsAreRefused) {
    std::string key = "a";
    for (int i = 0; i < 200'000; ++i) key += ".a";
    EXPECT_THROW(io::toml_values(key + " = 1", "machine of A"), engine::InputError);
}

}  // namespace
