#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
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
    if (pixels == 0) return 1;
    Moments sum;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        sum.add(1 / static_cast<double>(pixels), of_pixel(image, reference, pixel));
    return sum.similarity();
}

// The moments of a row, each in an array of its own, so that the loops over the row become vector instructions.
class MomentRow {
  public:
    explicit MomentRow(std::size_t size) : size_(size), values_(5 * size) {}
    std::size_t size() const { return size_; }
    double* of(std::size_t moment) { return values_.data() + moment * size_; }
    const double* of(std::size_t moment) const { return values_.data() + moment * size_; }
    void clear() { std::fill(values_.begin(), values_.end(), 0.0); }

    // Adds row `other` from its element `first` on.
    void add(double weight, const MomentRow& other, std::size_t first) {
        for (std::size_t m = 0; m < 5; ++m) {
            double* const to = of(m);
            const double* const from = other.of(m) + first;
            for (std::size_t x = 0; x < size_; ++x) to[x] += weight * from[x];
        }
    }
    Moments at(std::size_t x) const { return {of(0)[x], of(1)[x], of(2)[x], of(3)[x], of(4)[x]}; }

  private:
    std::size_t size_;
    std::vector<double> values_;
};

void read_row(const Image& image, const Image& reference, std::size_t y, MomentRow& row) {
    for (std::size_t x = 0; x < row.size(); ++x) {
        const Moments moments = of_pixel(image, reference, y * image.width + x);
        row.of(0)[x] = moments.x;
        row.of(1)[x] = moments.y;
        row.of(2)[x] = moments.xx;
        row.of(3)[x] = moments.yy;
        row.of(4)[x] = moments.xy;
    }
}

// The similarity of each window whose first row is in first .. end - 1.
void filter_band(const Image& image, const Image& reference, std::size_t first, std::size_t end, double* similarity) {
    const std::size_t across = image.width - window + 1;
    MomentRow pixels(image.width);
    MomentRow means(across);
    std::vector<MomentRow> rows(window, MomentRow(across));  // of the last 11 rows, row y at y % 11
    for (std::size_t y = first; y < end + window - 1; ++y) {
        read_row(image, reference, y, pixels);
        MomentRow& row = rows[y % window];
        row.clear();
        for (std::size_t i = 0; i < window; ++i) row.add(gaussian[i], pixels, i);
        if (y + 1 < first + window) continue;
        means.clear();
        for (std::size_t i = 0; i < window; ++i) means.add(gaussian[i], rows[(y + 1 + i) % window], 0);
        for (std::size_t x = 0; x < across; ++x) similarity[(y + 1 - window) * across + x] = means.at(x).similarity();
    }
}

}  // namespace

double structural_similarity(const Image& image, const Image& reference, const Workers& workers) {
    if (image.width < window || image.height < window) return of_one_window(image, reference);
    const std::size_t across = image.width - window + 1;
    const std::size_t down = image.height - window + 1;
    std::vector<double> similarity(across * down);
    for_each_band(workers, static_cast<std::uint32_t>(down), [&](std::uint32_t first, std::uint32_t end) {
        filter_band(image, reference, first, end, similarity.data());
    });
    // One sum from the first window to the last: the same bits for any number of threads.
    return std::accumulate(similarity.begin(), similarity.end(), 0.0) / static_cast<double>(across * down);
}

}  // namespace models::functional
