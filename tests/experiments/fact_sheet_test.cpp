#include "experiments/tessera/fact_sheet.h"

#include <limits>

#include <gtest/gtest.h>

namespace {

using experiments::Cell;
using experiments::FactSheet;

FactSheet sheet() {
    FactSheet facts;
    facts.facts = {{"file", "a \"b\".vtr"}, {"frame count", 2U}};
    facts.tables = {{"frames", {"frame", "psnr", "checked"}, {}}};
    facts.tables[0].rows.push_back({0U, Cell::real(50.126, 2), Cell::yes_or_no(true)});
    facts.tables[0].rows.push_back(
        {10U, Cell::real(std::numeric_limits<double>::infinity(), 2), Cell::yes_or_no(false)});
    return facts;
}

TEST(FactSheet, TextAlignsNumbersToTheRight) {
    EXPECT_EQ(sheet().as_text(),
              "file         a \"b\".vtr\n"
              "frame count  2\n"
              "\n"
              "frames\n"
              "  frame   psnr  checked\n"
              "      0  50.13      yes\n"
              "     10    inf       no\n");
}

TEST(FactSheet, JsonHasNumbersTruthValuesAndNull) {
    EXPECT_EQ(sheet().as_json(),
              "{\n"
              "  \"file\": \"a \\\"b\\\".vtr\",\n"
              "  \"frame_count\": 2,\n"
              "  \"frames\": [\n"
              "    {\"frame\": 0, \"psnr\": 50.13, \"checked\": true},\n"
              "    {\"frame\": 10, \"psnr\": null, \"checked\": false}\n"
              "  ]\n"
              "}\n");
}

}  // namespace
