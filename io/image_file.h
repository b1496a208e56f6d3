// PNG: 8 bits each of red, green and blue, top row first. Alpha is left out: in a window it means nothing.
#pragma once

#include <string>

#include "models/functional/image.h"

namespace io {

// The bytes of a PNG file; the same bytes for the same image.
std::string encode_png(const models::functional::Image& image);

// Throws engine::InputError ("WHERE: not a PNG image: ...") for anything but a whole PNG of at most 2^28 pixels.
models::functional::Image decode_png(const std::string& bytes, const std::string& where);

}  // namespace io
