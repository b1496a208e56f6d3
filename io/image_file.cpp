#include "io/image_file.h"

#include <cassert>
#include <stdexcept>

#include <png.h>

#include "engine/error.h"

namespace io {

namespace {

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
    assert(image.rgb.size() == std::size_t{3} * image.width * image.height);
    png_image description = describe(image.width, image.height);
    png_alloc_size_t size = 0;
    const auto write = [&](void* memory) {
        if (png_image_write_to_memory(&description, memory, &size, 0, image.rgb.data(), 0, nullptr) == 0)
            throw engine::InternalError(std::string("cannot encode an image as PNG: ") + description.message);
    };
    write(nullptr);
    std::string bytes(size, '\0');
    write(bytes.data());
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
    description.format = PNG_FORMAT_RGB;
    Image image{description.width, description.height, {}};
    image.rgb.resize(PNG_IMAGE_SIZE(description));
    if (png_image_finish_read(&description, nullptr, image.rgb.data(), 0, nullptr) == 0) fail();
    return image;
}

}  // namespace io
