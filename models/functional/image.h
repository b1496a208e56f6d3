// Pictures as people see them, and how near two of them are.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/resource.h"
#include "models/functional/workers.h"

namespace models::functional {

struct Image {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // rows from the top, 4 bytes a pixel

    bool empty() const { return rgba.empty(); }
};

// Eight bits a channel; a format without alpha gives 255. Throws InputError for formats that are not colours. The
// memory of an image of an earlier frame is used again: to get it anew for each takes longer than to read the surface.
void read_image(const SurfaceView& surface, Image& image, const Workers& workers = Workers(1));

// Adds up the colours of all pixels and their squares.
void sum_colours(const Image& image, Presented& sums, const Workers& workers = Workers(1));

// PSNR, largest difference and share of pixels off over R, G and B of all pixels, and structural similarity. Images of
// different sizes have a PSNR of 0 dB, a similarity of 0 and all pixels off.
ImageCheck compare(const Image& image, const Image& reference, const Workers& workers = Workers(1));

// The mean structural similarity of Wang, Bovik, Sheikh and Simoncelli (2004) of the luma (0.299 R + 0.587 G + 0.114
// B): Gaussian windows of 11x11 pixels with a standard deviation of 1.5, wholly inside the image; K1 = 0.01, K2 = 0.03,
// L = 255; no downsampling. An image narrower or lower than a window is one window with equal weights.
double structural_similarity(const Image& image, const Image& reference, const Workers& workers = Workers(1));

// Where and how much two images of one size differ: |difference| of each colour, 32 times as bright, at most white.
Image difference_image(const Image& image, const Image& reference);

}  // namespace models::functional
