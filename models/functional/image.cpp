#include "models/functional/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <span>

#include "engine/error.h"

namespace models::functional {

namespace {

// Where a byte of a shown pixel is in a texel of normalised bytes: the texel's bytes, then 0 and 255.
std::array<std::size_t, 4> byte_places(const FormatInfo& format) {
    std::array<std::size_t, 4> places{};
    for (std::size_t c = 0; c < 4; ++c) {
        const std::uint8_t source = format.source[c];
        places[c] = source < source_zero ? std::size_t{format.channels[source].shift} / 8 : source;
    }
    return places;
}

// The same for four bytes a texel, all at once.
void read_words(const std::array<std::size_t, 4>& places, const std::byte* texels, std::uint32_t width,
                std::uint8_t* rgba) {
    std::array<std::uint32_t, 4> shift{}, mask{};
    std::uint32_t ones = 0;
    for (std::size_t c = 0; c < 4; ++c) {
        if (places[c] < 4) {
            shift[c] = static_cast<std::uint32_t>(8 * places[c]);
            mask[c] = 0xff;
        } else if (places[c] == source_one) {
            ones |= 0xffU << 8 * c;
        }
    }
    for (std::size_t x = 0; x < width; ++x) {
        std::uint32_t word = 0;
        std::memcpy(&word, texels + 4 * x, 4);
        word = ones | (word >> shift[0] & mask[0]) | (word >> shift[1] & mask[1]) << 8U |
               (word >> shift[2] & mask[2]) << 16U | (word >> shift[3] & mask[3]) << 24U;
        std::memcpy(rgba + 4 * x, &word, 4);
    }
}

// A row of normalised bytes: what conversion to floats and back would give.
void read_bytes(const FormatInfo& format, const std::byte* texels, std::uint32_t width, std::uint8_t* rgba) {
    const std::array<std::size_t, 4> places = byte_places(format);
    if (format.block_bytes == 4) return read_words(places, texels, width, rgba);
    std::array<std::uint8_t, 6> bytes{0, 0, 0, 0, 0, 255};
    static_assert(source_zero == 4 && source_one == 5);
    for (std::uint32_t x = 0; x < width; ++x, texels += format.block_bytes, rgba += 4) {
        std::memcpy(bytes.data(), texels, format.block_bytes);
        for (std::size_t c = 0; c < 4; ++c) rgba[c] = bytes[places[c]];
    }
}

void read_floats(const FormatInfo& format, const std::byte* texels, std::uint32_t width, std::uint8_t* rgba) {
    std::vector<float> row(std::size_t{4} * width);
    unpack_floats(format, texels, static_cast<int>(width), reinterpret_cast<float(*)[4]>(row.data()));
    std::transform(row.begin(), row.end(), rgba,
                   [](float v) { return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0F, 1.0F) * 255.0F)); });
}

}  // namespace

void sum_colours(const Image& image, Presented& sums, const Workers& workers) {
    std::mutex adding;
    for_each_band(workers, image.height, [&](std::uint32_t first, std::uint32_t end) {
        std::array<std::uint64_t, 3> sum{}, squares{};
        const std::span<const std::uint8_t> pixels(image.rgba.data() + std::size_t{4} * first * image.width,
                                                   std::size_t{4} * (end - first) * image.width);
        for (std::size_t p = 0; p < pixels.size(); p += 4) {
            for (std::size_t c = 0; c < 3; ++c) {
                const std::uint32_t value = pixels[p + c];
                sum[c] += value;
                squares[c] += value * value;
            }
        }
        const std::lock_guard lock(adding);  // sums of integers: in whatever order
        sums.red += sum[0];
        sums.green += sum[1];
        sums.blue += sum[2];
        sums.red_squared += squares[0];
        sums.green_squared += squares[1];
        sums.blue_squared += squares[2];
    });
}

void read_image(const SurfaceView& surface, Image& image, const Workers& workers) {
    const FormatInfo& format = *surface.format;
    if (format.depth || format.stencil || format.integer || format.compressed())
        throw engine::InputError("an image in format " + format_name(format.format) + " cannot be shown");
    image.width = surface.width;
    image.height = surface.height;
    image.rgba.resize(std::size_t{4} * surface.width * surface.height);
    const bool as_bytes = format.unorm_bytes && !format.srgb;
    for_each_band(workers, surface.height, [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t y = first; y < end; ++y) {
            std::uint8_t* const rgba = image.rgba.data() + std::size_t{4} * surface.width * y;
            (as_bytes ? read_bytes : read_floats)(format, surface.texel(0, y), surface.width, rgba);
        }
    });
}

namespace {

constexpr std::uint32_t tolerated_difference = 2;

// Of the colours of some pixels; whole numbers, so that their order does not matter.
struct Differences {
    std::uint64_t squares = 0;
    std::uint64_t pixels_off = 0;
    std::uint32_t largest = 0;

    void add(std::span<const std::uint8_t> image, std::span<const std::uint8_t> reference) {
        for (std::size_t pixel = 0; pixel < image.size(); pixel += 4) {
            std::uint32_t largest_here = 0;
            for (std::size_t i = pixel; i < pixel + 3; ++i) {
                const auto difference = static_cast<std::uint32_t>(std::abs(image[i] - reference[i]));
                squares += difference * difference;
                largest_here = std::max(largest_here, difference);
            }
            largest = std::max(largest, largest_here);
            pixels_off += largest_here > tolerated_difference ? 1 : 0;
        }
    }
    void add(const Differences& other) {
        squares += other.squares;
        pixels_off += other.pixels_off;
        largest = std::max(largest, other.largest);
    }
};

}  // namespace

ImageCheck compare(const Image& image, const Image& reference, const Workers& workers) {
    ImageCheck check{.present = true};
    if (image.width != reference.width || image.height != reference.height) {
        check.largest_difference = 255;
        check.share_off = 1;
        return check;
    }
    std::mutex mutex;
    Differences all;
    for_each_band(workers, image.height, [&](std::uint32_t first, std::uint32_t end) {
        const std::size_t row = std::size_t{4} * image.width;
        Differences band;
        for (std::uint32_t y = first; y < end; ++y)
            band.add(std::span(image.rgba).subspan(y * row, row), std::span(reference.rgba).subspan(y * row, row));
        const std::lock_guard lock(mutex);
        all.add(band);
    });
    check.largest_difference = all.largest;
    check.ssim = structural_similarity(image, reference, workers);
    check.share_off = static_cast<double>(all.pixels_off) / (static_cast<double>(image.width) * image.height);
    const double samples = 3.0 * image.width * image.height;
    check.psnr = all.squares == 0 ? std::numeric_limits<double>::infinity()
                                  : 10 * std::log10(255.0 * 255.0 * samples / static_cast<double>(all.squares));
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
