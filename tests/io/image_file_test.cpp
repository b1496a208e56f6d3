#include "io/image_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using models::functional::Image;

Image gradient(std::uint32_t width, std::uint32_t height) {
    Image image{width, height, {}};
    for (std::uint32_t i = 0; i < width * height * 4; ++i)
        image.rgba.push_back(i % 4 == 3 ? 255 : static_cast<std::uint8_t>(i * 7));
    return image;
}

TEST(ImageFile, PixelsComeBackExactly) {
    const Image image = gradient(37, 11);
    const Image read = io::decode_png(io::encode_png(image), "test");
    EXPECT_EQ(read.width, 37u);
    EXPECT_EQ(read.height, 11u);
    EXPECT_EQ(read.rgba, image.rgba);
}

TEST(ImageFile, EqualImagesAreEqualFiles) {
    EXPECT_EQ(io::encode_png(gradient(20, 20)), io::encode_png(gradient(20, 20)));
}

TEST(ImageFile, AlphaIsLeftOut) {
    Image clear = gradient(8, 8);
    for (std::size_t i = 3; i < clear.rgba.size(); i += 4) clear.rgba[i] = 0;
    EXPECT_EQ(io::encode_png(clear), io::encode_png(gradient(8, 8)));
}

TEST(ImageFile, WhatIsNoWholePngIsRefused) {
    const std::string png = io::encode_png(gradient(64, 64));
    for (const std::string& bytes : {std::string(), std::string("hello"), png.substr(0, png.size() / 2)})
        EXPECT_THAT([&] { io::decode_png(bytes, "test"); },
                    testing::ThrowsMessage<engine::InputError>(testing::StartsWith("test: not a PNG image: ")));
}

TEST(ImageFile, AnImpossiblyLargePngIsRefusedBeforeItIsUnpacked) {
    std::string png = io::encode_png(gradient(8, 8));
    const std::string size("\0\0\x80\0\0\0\x40\0", 8);  // 32768 x 16384
    const std::string checksum("\x87\x03\xab\xa3", 4);  // of the header with this size
    png.replace(16, 8, size).replace(29, 4, checksum);
    EXPECT_THAT([&] { io::decode_png(png, "test"); },
                testing::ThrowsMessage<engine::InputError>("test: not a PNG image: larger than 2^28 pixels"));
}

}  // namespace
