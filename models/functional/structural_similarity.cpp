#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/functional/image.h"

namespace models::functional {

namespace {

constexpr std::size_t window = 11;  // pixels
// exp(-d^2 / (2 * 1.5^2)) for d = -5 .. 5, divided by their sum. Written out: exp differs between machines.
constexpr std::array<double, window> gaussian{0.00102838008447911,  0.007598758135239185, 0.03600077212843083,
                                              0.10936068950970002,  0.2130055377112537,   0.26601172486179436,
                                              0.2130055377112537,   0.10936068950970002,  0.03600077212843083,
                                              0.007598758135239185, 0.00102838008447911};

constexpr double c1 = 0.01 * 255 * 0.01 * 255;
constexpr double c2 = 0.03 * 255 * 0.03 * 255;

// Weighted means over a window: of x, y, x^2, y^2 and xy.
struct Moments {
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    void add(double weight, const Moments& other) {
        x += weight * other.x;
        y += weight * other.y;
        xx += weight * other.xx;
        yy += weight * other.yy;
        xy += weight * other.xy;
    }
    double similarity() const {
        const double product = x * y;
        const double squares = x * x + y * y;
        return (2 * product + c1) * (2 * (xy - product) + c2) / ((squares + c1) * (xx + yy - squares + c2));
    }
};

Moments of_pixel(const Image& image, const Image& reference, std::size_t pixel) {
    const auto luma = [pixel](const Image& from) {
        const std::uint8_t* const rgb = &from.rgba[4 * pixel];
        return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
    };
    const double x = luma(image);
    const double y = luma(reference);
    return {x, y, x * x, y * y, x * y};
}

double of_one_window(const Image& image, const Image& reference) {
    const std::size_t pixels = std::size_t{image.width} * image.height;
    if (pixels == 0) {
        return 1;
    }
    Moments sum;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        sum.add(1 / static_cast<double>(pixels), of_pixel(image, reference, pixel));
    }
    return sum.similarity();
}

// The horizontal means of a row, one per window.
void filter_row(const Image& image, const Image& reference, std::size_t y, std::vector<Moments>& pixels,
                std::span<Moments> means) {
    for (std::size_t x = 0; x < image.width; ++x) {
        pixels[x] = of_pixel(image, reference, y * image.width + x);
    }
    for (std::size_t x = 0; x < means.size(); ++x) {
        means[x] = {};
        for (std::size_t i = 0; i < window; ++i) {
            means[x].add(gaussian[i], pixels[x + i]);
        }
    }
}

}  // namespace

double structural_similarity(const Image& image, const Image& reference) {
    if (image.width < window || image.height < window) {
        return of_one_window(image, reference);
    }
    const std::size_t across = image.width - window + 1;
    std::vector<Moments> pixels(image.width);
    std::vector<Moments> rows(window * across);  // of the last 11 rows, row y at y % 11
    double sum = 0;
    for (std::size_t y = 0; y < image.height; ++y) {
        filter_row(image, reference, y, pixels, std::span(rows).subspan(y % window * across, across));
        if (y + 1 < window) {
            continue;
        }
        for (std::size_t x = 0; x < across; ++x) {
            Moments mean;
            for (std::size_t i = 0; i < window; ++i) {
                mean.add(gaussian[i], rows[(y + 1 + i) % window * across + x]);
            }
            sum += mean.similarity();
        }
    }
    return sum / static_cast<double>(across * (image.height - window + 1));
}

}  // namespace models::functional
