#include "io/parameter_reference.h"

#include <gtest/gtest.h>

namespace {

struct Inner : engine::ParameterGroup {
    using ParameterGroup::ParameterGroup;
    engine::Parameter<engine::Bytes> size{this, "size", {1024}, {{64}, {4096}}, "how \"large\"", "paper 9"};
};
struct Outer : engine::ParameterGroup {
    engine::Parameter<int> ways{this, "ways", 4, {1, 8}, "lines in a set", "design"};
    Inner inner{this, "inner", "an inner group"};
};

TEST(ParameterReference, TheTableHasAlignedColumns) {
    EXPECT_EQ(io::parameter_reference(Outer(), io::ReferenceFormat::table),
              "parameter   default  unit  range          meaning (source)\n"
              "ways        4        1     1 .. 8         lines in a set (design)\n"
              "inner.size  1 KiB    byte  64 B .. 4 KiB  how \"large\" (paper 9)\n");
}

TEST(ParameterReference, MarkdownIsATable) {
    EXPECT_EQ(io::parameter_reference(Outer(), io::ReferenceFormat::markdown),
              "| parameter | default | range | unit | meaning | source |\n|---|---|---|---|---|---|\n"
              "| `ways` | 4 | 1 .. 8 | 1 | lines in a set | design |\n"
              "| `inner.size` | 1 KiB | 64 B .. 4 KiB | byte | how \"large\" | paper 9 |\n");
}

TEST(ParameterReference, JsonIsEscaped) {
    EXPECT_EQ(
        io::parameter_reference(Outer(), io::ReferenceFormat::json),
        "[\n  {\"path\": \"ways\", \"default\": \"4\", \"unit\": \"1\", \"range\": \"1 .. 8\", \"doc\": \"lines in a "
        "set\", \"source\": \"design\"},\n  {\"path\": \"inner.size\", \"default\": \"1 KiB\", \"unit\": \"byte\", "
        "\"range\": \"64 B .. 4 KiB\", \"doc\": \"how \\\"large\\\"\", \"source\": \"paper 9\"}\n]\n");
}

}  // namespace
