#include "models/functional/texture/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace models::functional {
namespace {

TEST(Format, NamesComeFromTheNumber) {
    EXPECT_EQ(format_name(1), "B8G8R8A8_UNORM");
    EXPECT_EQ(format_name(Format::r9g9b9e5_float), "R9G9B9E5_FLOAT");
    EXPECT_EQ(format_name(263), "A1R5G5B5_UNORM");
    EXPECT_EQ(format_name(321), "R5G6B5_UNORM");
    EXPECT_EQ(format_name(73), "format 73");
    EXPECT_EQ(format_name(4711), "format 4711");
}

TEST(Format, UnsupportedOnesAreRefusedByName) {
    for (const std::uint32_t number : {0U, 14U, 119U, 145U, 255U, 256U, 314U, 4711U}) {
        EXPECT_EQ(find_format(number), nullptr) << format_name(number);
        try {
            format_info(number, "texture");
            FAIL() << format_name(number);
        } catch (const engine::InputError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(format_name(number)));
            EXPECT_THAT(error.what(), testing::HasSubstr("texture"));
        }
    }
}

struct Expected {
    std::uint32_t number;
    int bytes, block_width;
    ChannelType type;
    bool srgb, integer, depth, stencil;
};

class FormatTable : public testing::TestWithParam<Expected> {};

TEST_P(FormatTable, DescribesTheBlock) {
    const Expected& e = GetParam();
    const FormatInfo& info = format_info(e.number, "test");
    EXPECT_EQ(static_cast<std::uint32_t>(info.format), e.number);
    EXPECT_EQ(info.block_bytes, e.bytes);
    EXPECT_EQ(info.block_width, e.block_width);
    EXPECT_EQ(info.block_height, e.block_width);
    EXPECT_EQ(info.type, e.type);
    EXPECT_EQ(info.srgb, e.srgb);
    EXPECT_EQ(info.integer, e.integer);
    EXPECT_EQ(info.depth, e.depth);
    EXPECT_EQ(info.stencil, e.stencil);
}

constexpr auto unorm = ChannelType::unorm;

INSTANTIATE_TEST_SUITE_P(Formats, FormatTable,
                         testing::Values(Expected{1, 4, 1, unorm, false, false, false, false},
                                         Expected{7, 2, 1, unorm, false, false, false, false},
                                         Expected{16, 2, 1, unorm, false, false, true, false},
                                         Expected{18, 4, 1, ChannelType::floating, false, false, true, false},
                                         Expected{19, 4, 1, unorm, false, false, true, true},
                                         Expected{23, 1, 1, ChannelType::uint, false, true, false, true},
                                         Expected{27, 32, 1, ChannelType::floating, false, false, false, false},
                                         Expected{30, 12, 1, ChannelType::floating, false, false, false, false},
                                         Expected{46, 12, 1, ChannelType::sscaled, false, false, false, false},
                                         Expected{66, 3, 1, unorm, false, false, false, false},
                                         Expected{87, 4, 1, ChannelType::fixed, false, false, false, false},
                                         Expected{93, 6, 1, ChannelType::floating, false, false, false, false},
                                         Expected{96, 2, 1, unorm, true, false, false, false},
                                         Expected{105, 8, 4, unorm, false, false, false, false},
                                         Expected{112, 16, 4, unorm, true, false, false, false},
                                         Expected{114, 8, 4, ChannelType::snorm, false, false, false, false},
                                         Expected{124, 4, 1, ChannelType::floating, false, false, false, false},
                                         Expected{126, 8, 1, ChannelType::floating, false, false, true, true},
                                         Expected{138, 8, 1, ChannelType::uint, false, true, false, true},
                                         Expected{188, 8, 1, ChannelType::uint, false, true, false, false},
                                         Expected{199, 12, 1, ChannelType::sint, false, true, false, false},
                                         Expected{253, 4, 1, ChannelType::uint, false, true, false, false}),
                         [](const auto& each) { return format_name(each.param.number); });

TEST(Format, EveryDescriptionIsConsistent) {
    int supported = 0;
    for (std::uint32_t number = 0; number < 400; ++number) {
        const FormatInfo* info = find_format(number);
        if (info == nullptr) continue;
        ++supported;
        int bits = 0;
        for (int k = 0; k < info->channel_count && info->kind == FormatKind::plain; ++k) {
            EXPECT_EQ(info->channels[k].shift, bits) << format_name(number);
            bits += info->channels[k].bits;
        }
        const bool plain = info->kind == FormatKind::plain;
        EXPECT_EQ(bits, plain ? info->block_bytes * 8 : 0) << format_name(number);
        for (const std::uint8_t source : info->source) EXPECT_LE(source, source_one) << format_name(number);
    }
    EXPECT_GT(supported, 230);
}

}  // namespace
}  // namespace models::functional
