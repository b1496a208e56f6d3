#include "models/functional/image.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/error.h"

namespace models::functional {

Image read_image(const SurfaceView& surface) {
    const FormatInfo& format = *surface.format;
    if (format.depth || format.stencil || format.integer || format.compressed()) {
        throw engine::InputError("an image in format " + format_name(format.format) + " cannot be shown");
    }
    Image image{surface.width, surface.height, {}};
    image.rgba.resize(std::size_t{4} * surface.width * surface.height);
    std::vector<float> row(std::size_t{4} * surface.width);
    auto* const texels = reinterpret_cast<float(*)[4]>(row.data());
    for (std::uint32_t y = 0; y < surface.height; ++y) {
        unpack_floats(format, surface.texel(0, y), static_cast<int>(surface.width), texels);
        std::transform(row.begin(), row.end(), image.rgba.begin() + std::ptrdiff_t{4} * surface.width * y, [](float v) {
            return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0F, 1.0F) * 255.0F));
        });
    }
    return image;
}

namespace {

constexpr std::uint32_t tolerated_difference = 2;

}  // namespace

ImageCheck compare(const Image& image, const Image& reference) {
    ImageCheck check{.present = true};
    if (image.width != reference.width || image.height != reference.height) {
        check.largest_difference = 255;
        check.share_off = 1;
        return check;
    }
    std::uint64_t squares = 0;
    std::uint64_t pixels_off = 0;
    for (std::size_t pixel = 0; pixel < image.rgba.size(); pixel += 4) {
        std::uint32_t largest = 0;
        for (std::size_t i = pixel; i < pixel + 3; ++i) {
            const auto difference = static_cast<std::uint32_t>(std::abs(image.rgba[i] - reference.rgba[i]));
            squares += std::uint64_t{difference} * difference;
            largest = std::max(largest, difference);
        }
        check.largest_difference = std::max(check.largest_difference, largest);
        if (largest > tolerated_difference) {
            ++pixels_off;
        }
    }
    check.ssim = structural_similarity(image, reference);
    check.share_off = static_cast<double>(pixels_off) / (static_cast<double>(image.width) * image.height);
    const double samples = 3.0 * image.width * image.height;
    check.psnr = squares == 0 ? std::numeric_limits<double>::infinity()
                              : 10 * std::log10(255.0 * 255.0 * samples / static_cast<double>(squares));
    return check;
}

Image difference_image(const Image& image, const Image& reference) {
    constexpr int amplification = 32;
    Image difference{image.width, image.height, {}};
    difference.rgba.resize(image.rgba.size());
    for (std::size_t i = 0; i < image.rgba.size(); ++i) {
        const int value = amplification * std::abs(image.rgba[i] - reference.rgba[i]);
        difference.rgba[i] = static_cast<std::uint8_t>(i % 4 == 3 ? 255 : std::min(value, 255));
    }
    return difference;
}

}  // namespace models::functional
