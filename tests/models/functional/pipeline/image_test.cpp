#include "models/functional/image.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace models::functional {

namespace {

template <class Colour>
Image image_of(std::uint32_t width, std::uint32_t height, Colour colour) {
    Image image{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255)};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::size_t pixel = std::size_t{4} * (y * width + x);
            for (std::size_t i = pixel; i < pixel + 3; ++i) image.rgba[i] = static_cast<std::uint8_t>(colour(x, y));
        }
    }
    return image;
}

Image plain(std::uint32_t width, std::uint32_t height, std::uint8_t grey) {
    return image_of(width, height, [=](auto, auto) { return grey; });
}

Image pattern(std::uint32_t width, std::uint32_t height) {
    return image_of(width, height, [](auto x, auto y) { return (x * 37 + y * 61) % 200; });
}

// The formula of the paper, window by window, without any of the tricks.
double directly(const Image& a, const Image& b) {
    double sum = 0;
    for (std::uint32_t y0 = 0; y0 + 11 <= a.height; ++y0) {
        for (std::uint32_t x0 = 0; x0 + 11 <= a.width; ++x0) {
            double weights = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
            for (std::uint32_t j = 0; j < 11; ++j) {
                for (std::uint32_t i = 0; i < 11; ++i) {
                    const double u = i - 5.0;
                    const double v = j - 5.0;
                    const double w = std::exp(-(u * u + v * v) / (2 * 1.5 * 1.5));
                    const std::size_t pixel = 4 * ((y0 + j) * a.width + x0 + i);
                    const double p = a.rgba[pixel];
                    const double q = b.rgba[pixel];
                    weights += w, x += w * p, y += w * q, xx += w * p * p, yy += w * q * q, xy += w * p * q;
                }
            }
            x /= weights, y /= weights;
            const double vx = xx / weights - x * x;
            const double vy = yy / weights - y * y;
            const double covariance = xy / weights - x * y;
            sum += (2 * x * y + 6.5025) * (2 * covariance + 58.5225) / ((x * x + y * y + 6.5025) * (vx + vy + 58.5225));
        }
    }
    return sum / ((a.width - 10.0) * (a.height - 10.0));
}

// A surface of 256 texels whose bytes are all there are, in every place.
struct Bytes256 {
    explicit Bytes256(Format format) : info(*find_format(format)) {
        for (std::uint32_t i = 0; i < 256 * info.block_bytes; ++i)
            texels.push_back(static_cast<std::byte>(i / info.block_bytes * (2 * (i % info.block_bytes) + 1)));
    }
    SurfaceView view() {
        SurfaceView view;
        view.texels = texels.data();
        view.row_bytes = 16 * info.block_bytes;
        view.width = view.height = 16;
        view.format = &info;
        return view;
    }

    FormatInfo info;
    std::vector<std::byte> texels;
};

}  // namespace

TEST(ReadImageTest, BytesAreReadAsTheyAreByWayOfFloats) {
    for (const Format format : {Format::b8g8r8a8_unorm, Format::b8g8r8x8_unorm, Format::r8g8b8a8_unorm,
                                Format::r8g8b8_unorm, Format::r8g8_unorm, Format::r8_unorm, Format::a8_unorm}) {
        Bytes256 surface(format);
        Image as_bytes, as_floats;
        read_image(surface.view(), as_bytes);
        surface.info.unorm_bytes = false;
        read_image(surface.view(), as_floats);
        EXPECT_EQ(as_bytes.rgba, as_floats.rgba) << surface.info.block_bytes << " bytes";
        EXPECT_EQ(as_bytes.rgba.size(), 4 * 256U);
    }
}

TEST(ReadImageTest, WhatWasInTheImageIsGone) {
    Bytes256 surface(Format::r8g8b8a8_unorm);
    Image fresh, used = plain(50, 3, 17);
    read_image(surface.view(), fresh);
    read_image(surface.view(), used);
    EXPECT_EQ(used.width, 16U);
    EXPECT_EQ(used.height, 16U);
    EXPECT_EQ(used.rgba, fresh.rgba);
}

TEST(ImageCheckTest, EqualImagesAreEqualInEveryMeasure) {
    const ImageCheck check = compare(pattern(20, 15), pattern(20, 15));
    EXPECT_TRUE(std::isinf(check.psnr));
    EXPECT_EQ(check.largest_difference, 0U);
    EXPECT_DOUBLE_EQ(check.ssim, 1);
    EXPECT_EQ(check.share_off, 0);
}

TEST(ImageCheckTest, SimilarityOfPlainImagesIsThatOfTheirBrightness) {
    const double expected = (2.0 * 100 * 120 + 6.5025) / (100.0 * 100 + 120 * 120 + 6.5025);
    EXPECT_NEAR(structural_similarity(plain(16, 16, 100), plain(16, 16, 120)), expected, 1e-12);
    EXPECT_NEAR(structural_similarity(plain(5, 3, 100), plain(5, 3, 120)), expected, 1e-12) << "smaller than a window";
}

TEST(ImageCheckTest, SimilarityIsTheFormulaOfThePaper) {
    const Image a = pattern(23, 14);
    const Image b = image_of(23, 14, [](auto x, auto y) { return (x * 37 + y * 61) % 200 + (x * y) % 7; });
    EXPECT_NEAR(structural_similarity(a, b), directly(a, b), 1e-9);
    EXPECT_LT(structural_similarity(a, b), 0.9999);
}

TEST(ImageCheckTest, OnePixelOfFiftyOffByThreeIsTwoPercent) {
    Image image = plain(10, 5, 50);
    image.rgba[4 * 7 + 1] = 53;
    image.rgba[4 * 8] = 52;  // off by two: tolerated
    const ImageCheck check = compare(image, plain(10, 5, 50));
    EXPECT_DOUBLE_EQ(check.share_off, 0.02);
    EXPECT_EQ(check.largest_difference, 3U);
}

TEST(ImageCheckTest, ImagesOfDifferentSizesAreOffEverywhere) {
    const ImageCheck check = compare(plain(4, 4, 1), plain(4, 5, 1));
    EXPECT_TRUE(check.present);
    EXPECT_EQ(check.psnr, 0);
    EXPECT_EQ(check.ssim, 0);
    EXPECT_EQ(check.share_off, 1);
}

TEST(ImageCheckTest, ADifferenceImageIsBrightWhereImagesDiffer) {
    Image image = plain(2, 1, 50);
    image.rgba[0] = 49;
    image.rgba[5] = 90;
    const std::vector<std::uint8_t> expected{32, 0, 0, 255, 0, 255, 0, 255};
    EXPECT_EQ(difference_image(image, plain(2, 1, 50)).rgba, expected);
}

}  // namespace models::functional
