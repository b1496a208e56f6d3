#include "io/image_file.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include <png.h>

#include "engine/error.h"
#include "io/file.h"

namespace io {

namespace {

using models::functional::Image;

// Behind the signature and the header, which are as long in every PNG file: a text chunk, whole with its length in
// front and its checksum behind.
constexpr std::size_t note_position = 33;
constexpr std::string_view note(
    "\0\0\0\x10"
    "tEXtSoftware\0Tessera"
    "\x94\xf5\x3c\x4f",
    28);

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

std::filesystem::path image_path(const std::filesystem::path& folder, std::uint32_t frame) {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%04u.png", frame);
    return folder / name;
}

void write_image_file(const std::filesystem::path& path, const std::string& png, Existing existing) {
    const std::size_t at = std::min(note_position, png.size());
    write_file(path, png.substr(0, at) + std::string(note) + png.substr(at), existing);
}

bool is_image_file(const std::filesystem::path& path) {
    std::string start(note_position + note.size(), '\0');
    start.resize(read_bytes(open_for_reading(path), std::as_writable_bytes(std::span(start)), path));
    return start.ends_with(note) && start.starts_with("\x89PNG");
}

}  // namespace io
