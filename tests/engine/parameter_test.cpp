#include "engine/parameter.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

using namespace literals;  // NOLINT(google-build-using-namespace)
using testing::ElementsAre;
using testing::HasSubstr;

struct CacheParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> capacity{this, "capacity", 16_KiB, {1_KiB, 1_MiB}, "data capacity", "paper 004, Table I"};
    Parameter<int> ways{this, "ways", 4, {1, 64}, "associativity", "paper 004, Table I"};
    Parameter<Cycles> hit{this, "hit_latency", 2_cycles, {1_cycles, 100_cycles}, "cycles of a hit", "design"};
    void check() const override {
        if (capacity.count() % (ways() * 64) != 0) throw ConfigError("capacity: the ways do not divide it");
    }
};

struct MachineParameters : ParameterGroup {
    Parameter<Frequency> clock{this, "clock", 600_MHz, {1_MHz, 4000_MHz}, "clock of the cores", "paper 004"};
    Flag early_z{this, "early_z", true, "depth test before shading", "design"};
    enum class Order { morton, scanline, hilbert };
    Choice<Order> order{this,
                        "order",
                        {{"morton", Order::morton}, {"scanline", Order::scanline}, {"hilbert", Order::hilbert}},
                        Order::morton,
                        "order of tiles",
                        "design"};
    CacheParameters cache{this, "cache", "texture cache"};
};

template <class P>
std::string error_of(P& parameter, std::string_view text) {
    try {
        parameter.set(text);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

TEST(Parameter, HasItsDefaultUntilItIsSet) {
    MachineParameters machine;
    EXPECT_EQ(machine.cache.capacity(), 16_KiB);
    EXPECT_EQ(machine.cache.capacity.count(), 16384);
    EXPECT_EQ(machine.clock.count(), 600'000'000);
    EXPECT_TRUE(machine.early_z());
    EXPECT_EQ(machine.order(), MachineParameters::Order::morton);
}

TEST(Parameter, ReadsAQuantityInAnyOfItsUnits) {
    MachineParameters machine;
    machine.cache.capacity.set("32 KiB");
    EXPECT_EQ(machine.cache.capacity(), 32_KiB);
    machine.cache.capacity.set("65536B");
    EXPECT_EQ(machine.cache.capacity(), 64_KiB);
    machine.clock.set("1 GHz");
    EXPECT_EQ(machine.clock(), 1000_MHz);
    machine.cache.hit.set("7");
    EXPECT_EQ(machine.cache.hit(), 7_cycles);
    machine.cache.hit.set("1 cycle");
    EXPECT_EQ(machine.cache.hit(), 1_cycles);
}

TEST(Parameter, WritesItselfInTheLargestUnitThatFits) {
    MachineParameters machine;
    EXPECT_EQ(machine.cache.capacity.value_text(), "16 KiB");
    machine.cache.capacity.set("1025 B");
    EXPECT_EQ(machine.cache.capacity.value_text(), "1025 B");
    EXPECT_EQ(machine.cache.capacity.default_text(), "16 KiB");
    EXPECT_EQ(machine.cache.capacity.range_text(), "1 KiB .. 1 MiB");
    EXPECT_EQ(machine.cache.capacity.unit(), "byte");
    EXPECT_EQ(machine.clock.value_text(), "600 MHz");
    EXPECT_EQ(machine.cache.ways.value_text(), "4");
}

TEST(Parameter, WhatItWritesItReads) {
    MachineParameters machine;
    for (const char* text : {"1 KiB", "1 MiB", "1500 B", "24 KiB"}) {
        machine.cache.capacity.set(text);
        EXPECT_EQ(machine.cache.capacity.value_text(), text);
    }
}

TEST(Parameter, RefusesWhatIsOutsideItsRangeAndKeepsItsValue) {
    MachineParameters machine;
    EXPECT_EQ(error_of(machine.cache.ways, "65"), "expected 1 .. 64, found 65");
    EXPECT_EQ(error_of(machine.cache.ways, "0"), "expected 1 .. 64, found 0");
    EXPECT_EQ(error_of(machine.cache.capacity, "2 MiB"), "expected 1 KiB .. 1 MiB, found 2 MiB");
    EXPECT_EQ(machine.cache.ways(), 4);
}

TEST(Parameter, RefusesWhatIsNoQuantityOfItsUnit) {
    MachineParameters machine;
    EXPECT_EQ(error_of(machine.cache.capacity, "16"),
              "expected a quantity in byte with its unit, a whole number of MiB, KiB, GiB or B, found \"16\"");
    EXPECT_THAT(error_of(machine.cache.capacity, "16 kB"), HasSubstr("found \"16 kB\""));
    EXPECT_THAT(error_of(machine.cache.ways, "four"), HasSubstr("expected an integer, found \"four\""));
    EXPECT_THAT(error_of(machine.cache.ways, ""), HasSubstr("found \"\""));
    EXPECT_THAT(error_of(machine.cache.ways, "4.5"), HasSubstr("found \"4.5\""));
    EXPECT_THAT(error_of(machine.cache.capacity, "9223372036854775807 KiB"), HasSubstr("found"));
    EXPECT_THAT(error_of(machine.cache.ways, "99999999999999999999"), HasSubstr("found"));
}

TEST(Parameter, AnIntegerBeyond32BitsIsOutOfRangeNotWrapped) {
    MachineParameters machine;
    EXPECT_EQ(error_of(machine.cache.ways, "4294967300"), "expected 1 .. 64, found 4294967300");
    EXPECT_EQ(machine.cache.ways(), 4);
}

TEST(Flag, IsTrueOrFalse) {
    MachineParameters machine;
    machine.early_z.set("false");
    EXPECT_FALSE(machine.early_z());
    EXPECT_EQ(machine.early_z.value_text(), "false");
    EXPECT_EQ(error_of(machine.early_z, "no"), "expected true or false, found \"no\"");
}

TEST(Choice, IsOneOfItsNamesAndSuggestsTheNearest) {
    MachineParameters machine;
    machine.order.set("hilbert");
    EXPECT_EQ(machine.order(), MachineParameters::Order::hilbert);
    EXPECT_EQ(machine.order.value_text(), "hilbert");
    EXPECT_EQ(machine.order.default_text(), "morton");
    EXPECT_EQ(error_of(machine.order, "mortn"),
              "expected one of morton scanline hilbert, found \"mortn\"; did you mean \"morton\"?");
    EXPECT_EQ(error_of(machine.order, "zzzzzzzzzzzz"),
              "expected one of morton scanline hilbert, found \"zzzzzzzzzzzz\"");
}

TEST(ParameterGroup, ListsParametersAndGroupsAsDeclared) {
    const MachineParameters machine;
    std::vector<std::string> names;
    for (const ParameterBase* parameter : machine.parameters()) names.push_back(parameter->name());
    EXPECT_THAT(names, ElementsAre("clock", "early_z", "order"));
    ASSERT_EQ(machine.groups().size(), 1U);
    EXPECT_EQ(machine.groups()[0]->name(), "cache");
    EXPECT_EQ(machine.groups()[0]->parameters().size(), 3U);
    EXPECT_EQ(machine.cache.capacity.source(), "paper 004, Table I");
}

TEST(ParameterGroup, ChecksWhatOneRangeCannotSayInTheWholeTree) {
    MachineParameters machine;
    machine.check_all();
    machine.cache.ways.set("3");
    EXPECT_THROW(machine.check_all(), ConfigError);
}

TEST(Nearest, FindsTheCandidateWithTheFewestEdits) {
    EXPECT_EQ(nearest("capacty", {"ways", "capacity", "cap"}), "capacity");
    EXPECT_EQ(nearest("wyas", {"ways", "capacity"}), "ways");
    EXPECT_EQ(nearest("wasy", {"ways", "capacity"}), "ways");
    EXPECT_EQ(nearest("size", {"ways", "line"}), "");  // half of it is another
    EXPECT_EQ(nearest("banana", {"ways", "capacity"}), "");
    EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace engine
