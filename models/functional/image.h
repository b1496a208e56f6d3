// Pictures as people see them, and how near two of them are.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/resource.h"

namespace models::functional {

struct Image {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // rows from the top, 4 bytes a pixel

    bool empty() const { return rgba.empty(); }
};

// Eight bits a channel; a format without alpha gives 255. Throws InputError for formats that are not colours.
Image read_image(const SurfaceView& surface);

// PSNR and largest difference over R, G and B of all pixels. Images of different sizes have a PSNR of 0 dB.
ImageCheck compare(const Image& image, const Image& reference);

}  // namespace models::functional
