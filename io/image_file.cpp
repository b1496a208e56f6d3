#include "io/image_file.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <png.h>

#include "engine/error.h"

namespace io {

namespace {

using models::functional::Image;

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;

png_image describe(std::uint32_t width, std::uint32_t height) {
    png_image description{};
    description.version = PNG_IMAGE_VERSION;
    description.width = width;
    description.height = height;
    description.format = PNG_FORMAT_RGB;
    return description;
}

}  // namespace

std::string encode_png(const Image& image) {
    const std::size_t pixels = std::size_t{image.width} * image.height;
    assert(image.rgba.size() == 4 * pixels);
    std::vector<std::uint8_t> rgb(3 * pixels);
    for (std::size_t i = 0; i < pixels; ++i) std::copy_n(&image.rgba[4 * i], 3, &rgb[3 * i]);
    png_image description = describe(image.width, image.height);
    // To ask for the size first would compress the image twice.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&description, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0)
        throw engine::InternalError(std::string("cannot encode an image as PNG: ") + description.message);
    bytes.resize(size);
    return bytes;
}

Image decode_png(const std::string& bytes, const std::string& where) {
    png_image description = describe(0, 0);
    const auto fail = [&] { throw engine::InputError(where + ": not a PNG image: " + description.message); };
    if (png_image_begin_read_from_memory(&description, bytes.data(), bytes.size()) == 0) fail();
    if (std::uint64_t{description.width} * description.height > most_pixels) {
        png_image_free(&description);
        throw engine::InputError(where + ": not a PNG image: larger than 2^28 pixels");
    }
    description.format = PNG_FORMAT_RGBA;
    Image image{description.width, description.height, {}};
    image.rgba.resize(PNG_IMAGE_SIZE(description));
    if (png_image_finish_read(&description, nullptr, image.rgba.data(), 0, nullptr) == 0) fail();
    return image;
}

}  // namespace io
