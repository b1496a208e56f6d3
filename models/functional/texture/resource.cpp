#include "models/functional/texture/resource.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/error.h"
#include "models/functional/texture/content_hash.h"

namespace models::functional {

namespace {

constexpr std::uint32_t largest_side = 16384;           // texels
constexpr std::uint32_t largest_layers = 2048;          // array layers or cube faces
constexpr std::uint64_t largest_buffer = 1ULL << 30;    // bytes
constexpr std::uint64_t largest_resource = 2ULL << 30;  // bytes
constexpr std::uint32_t most_levels = 15;

[[noreturn]] void refuse(const ResourceDescription& d, const std::string& what) {
    std::string message = "resource of format ";
    message += format_name(d.format);
    message += ", ";
    message += std::to_string(d.width) + "x" + std::to_string(d.height) + "x" + std::to_string(d.depth);
    message += ", " + std::to_string(d.array_size) + " layers: ";
    message += what;
    throw engine::InputError(message);
}

std::uint32_t minified(std::uint32_t size, std::uint32_t level) {
    return std::max(1U, size >> level);
}

std::uint32_t rounded_up(std::uint32_t texels, std::uint32_t block) {
    return (texels + block - 1) / block;
}

void check_samples(const ResourceDescription& d) {
    if (d.samples == 1) return;
    if (d.samples != multisamples)
        refuse(d, "multisampling with " + std::to_string(d.samples) + " samples is not supported, only with up to 4");
    if (d.target != ResourceTarget::t2d || d.array_size != 1 || d.last_level != 0 ||
        format_info(d.format, "texture").compressed()) {
        refuse(d, "multisampled textures other than 2D without mipmaps are not supported");
    }
}

void check_sizes(const ResourceDescription& d) {
    if (d.width == 0 || d.height == 0 || d.depth == 0) refuse(d, "a size of 0");
    if (d.target == ResourceTarget::buffer) {
        if (d.width > largest_buffer) refuse(d, "buffers have at most 2^30 bytes");
        return;
    }
    if (std::max({d.width, d.height, d.depth}) > largest_side) refuse(d, "sides have at most 16384 texels");
    if (d.array_size > largest_layers) refuse(d, "at most 2048 layers are supported");
    if (d.last_level >= most_levels || (std::max({d.width, d.height, d.depth}) >> d.last_level) == 0)
        refuse(d, "level " + std::to_string(d.last_level) + " would have no texels");
    if (is_cube(d.target) && (d.array_size % 6 != 0 || d.width != d.height))
        refuse(d, "cubes have square faces, 6 a cube");
    check_samples(d);
}

ResourceDescription normalised(ResourceDescription d) {
    if (d.array_size == 0) d.array_size = 1;
    if (d.samples == 0 || d.target == ResourceTarget::buffer) d.samples = 1;
    if (d.samples > 1 && d.samples < multisamples) d.samples = multisamples;
    if (d.target == ResourceTarget::cube && d.array_size == 1) d.array_size = 6;
    if (d.target == ResourceTarget::buffer) d.height = d.depth = d.array_size = 1;
    return d;
}

}  // namespace

const char* resource_target_name(ResourceTarget target) {
    constexpr const char* names[] = {"buffer",    "1D",       "2D",       "3D",        "cube",
                                     "rectangle", "1D array", "2D array", "cube array"};
    const auto number = static_cast<std::size_t>(target);
    return number < std::size(names) ? names[number] : "unknown";
}

Resource::Resource(const ResourceDescription& description, AddressSpace& space)
    : description_(normalised(description)),
      space_(&space) {
    check_sizes(description_);
    const bool buffer = description_.target == ResourceTarget::buffer;
    // A buffer is bytes, whatever its format says.
    format_ = &format_info(buffer ? Format::r8_unorm : description_.format, "texture");
    lay_out_levels();
}

Resource::~Resource() {
    space_->release(address_);
}

void Resource::lay_out_levels() {
    const ResourceDescription& d = description_;
    const bool buffer = d.target == ResourceTarget::buffer;
    std::uint64_t bytes = 0, placed = 0;
    for (std::uint32_t number = 0; number <= (buffer ? 0 : d.last_level); ++number) {
        Level level;
        level.width = minified(d.width, number);
        level.height = minified(d.height, number);
        level.layers = d.target == ResourceTarget::t3d ? minified(d.depth, number) : d.array_size;
        level.layout = buffer ? buffer_layout(*format_, level.width)
                              : surface_layout(*format_, level.width, level.height, d.samples);
        level.row_bytes = std::size_t{rounded_up(level.width, format_->block_width)} * format_->block_bytes;
        level.layer_bytes = level.row_bytes * rounded_up(level.height, format_->block_height);
        level.sample_bytes = level.layer_bytes * level.layers;
        level.offset = bytes;
        level.address = placed;
        bytes += level.sample_bytes * d.samples;
        placed += level.layout.bytes * level.layers;
        if (bytes > largest_resource) refuse(d, "more than 2 GiB");
        levels_.push_back(level);
    }
    address_ = space_->allocate(placed);  // refuses what does not fit, before memory is taken
    bytes_.resize(bytes);
    for (Level& level : levels_) level.address += address_;
    contents_.resize(contents_of(levels()));
}

namespace {

// The box in blocks of the format, and the strides of the transfer's data.
struct Transfer {
    std::size_t row_bytes = 0, rows = 0, layers = 0;
    std::size_t stride = 0, layer_stride = 0;
    std::size_t bytes = 0;  // from the first to the last byte touched
};

Transfer plan_transfer(const FormatInfo& format, const Box& box, std::uint32_t stride, std::uint32_t layer_stride) {
    Transfer t;
    t.row_bytes = std::size_t{rounded_up(box.width, format.block_width)} * format.block_bytes;
    t.rows = rounded_up(box.height, format.block_height);
    t.layers = box.depth;
    t.stride = stride == 0 ? t.row_bytes : stride;
    t.layer_stride = layer_stride == 0 ? t.stride * t.rows : layer_stride;
    if (t.row_bytes == 0 || t.rows == 0 || t.layers == 0) return t;
    t.bytes = (t.layers - 1) * t.layer_stride + (t.rows - 1) * t.stride + t.row_bytes;
    return t;
}

bool exceeds(std::uint32_t first, std::uint32_t count, std::uint32_t limit) {
    return std::uint64_t{first} + count > limit;
}

std::string box_text(const Box& box) {
    std::string text = "box ";
    text += std::to_string(box.width) + "x" + std::to_string(box.height) + "x" + std::to_string(box.depth);
    text += " at (" + std::to_string(box.x) + ", " + std::to_string(box.y) + ", " + std::to_string(box.z) + ")";
    return text;
}

}  // namespace

std::size_t Resource::transfer_bytes(const Box& box, std::uint32_t stride, std::uint32_t layer_stride) const {
    return plan_transfer(*format_, box, stride, layer_stride).bytes;
}

void Resource::check_transfer(std::uint32_t level, const Box& box, std::size_t needed, std::size_t present) const {
    if (level >= levels_.size())
        refuse(description_, "a transfer names level " + std::to_string(level) + " of " + std::to_string(levels()));
    if (description_.samples > 1) refuse(description_, "transfers of multisampled textures are not supported");
    const Level& to = levels_[level];
    const bool outside = exceeds(box.x, box.width, to.width) || exceeds(box.y, box.height, to.height) ||
                         exceeds(box.z, box.depth, to.layers);
    if (outside) refuse(description_, "the " + box_text(box) + " leaves level " + std::to_string(level));
    if (box.x % format_->block_width != 0 || box.y % format_->block_height != 0)
        refuse(description_, "the " + box_text(box) + " cuts a compressed block");
    if (present < needed) {
        refuse(description_, "the " + box_text(box) + " needs " + std::to_string(needed) +
                                 " bytes of data, there are " + std::to_string(present));
    }
}

void Resource::transfer_put(std::uint32_t level, const Box& box, std::uint32_t stride, std::uint32_t layer_stride,
                            std::span<const std::byte> data) {
    const Transfer t = plan_transfer(*format_, box, stride, layer_stride);
    check_transfer(level, box, t.bytes, data.size());
    for (std::size_t layer = 0; layer < t.layers; ++layer) {
        contents_changed(level, box.z + static_cast<std::uint32_t>(layer));
        std::byte* to = bytes_.data() + block_offset(level, box, layer);
        const std::byte* from = data.data() + layer * t.layer_stride;
        for (std::size_t row = 0; row < t.rows; ++row)
            std::memcpy(to + row * levels_[level].row_bytes, from + row * t.stride, t.row_bytes);
    }
}

void Resource::fill(std::uint32_t level, const Box& box, std::span<const std::byte> texel) {
    if (format_->compressed()) refuse(description_, "clears of compressed textures are not supported");
    const std::size_t bytes = format_->block_bytes;
    check_transfer(level, box, bytes, texel.size());
    for (std::uint32_t layer = 0; layer < box.depth; ++layer) {
        contents_changed(level, box.z + layer);
        for (std::uint32_t row = 0; row < box.height; ++row) {
            std::byte* const to = bytes_.data() + block_offset(level, box, layer) + row * levels_[level].row_bytes;
            for (std::uint32_t x = 0; x < box.width; ++x) std::memcpy(to + x * bytes, texel.data(), bytes);
        }
    }
}

std::size_t Resource::contents_of(std::uint32_t level) const {
    std::size_t layers = 0;
    for (std::uint32_t number = 0; number < level; ++number) layers += levels_[number].layers;
    return layers;
}

std::uint64_t Resource::content_hash(std::uint32_t level, std::uint32_t layer) const {
    std::uint64_t& known = contents_[contents_of(level) + layer];
    if (known != 0) return known;
    const Level& l = levels_[level];
    ContentHash hash;
    for (std::uint32_t sample = 0; sample < description_.samples; ++sample)
        hash.add_bytes(bytes().subspan(l.offset + layer * l.layer_bytes + sample * l.sample_bytes, l.layer_bytes));
    return known = std::max<std::uint64_t>(hash.value(), 1);
}

std::vector<MemoryRange> Resource::ranges(std::uint32_t level, const Box& box) const {
    const Level& l = levels_[level];
    std::vector<MemoryRange> pieces;
    if (box.width == 0 || box.height == 0 || box.depth == 0) return pieces;
    if (!l.layout.tiled)
        return {{l.address + l.layout.offset(box.x, 0), std::uint64_t{box.width} * l.layout.linear_bytes}};
    const std::uint32_t tile_x = l.layout.tile_width, tile_y = l.layout.tile_height;
    // All of a level in one piece, if it has no padding.
    const std::uint64_t tiles = std::uint64_t{(l.width + tile_x - 1) / tile_x} * ((l.height + tile_y - 1) / tile_y);
    const bool whole = box.width == l.width && box.height == l.height && l.layout.order.count() == tiles;
    for (std::uint32_t z = box.z; z < box.z + box.depth; ++z) {
        const Address layer = l.address + z * l.layout.bytes;
        if (whole) {
            pieces.push_back({layer, l.layout.bytes});
            continue;
        }
        for (std::uint32_t y = box.y / tile_y * tile_y; y < box.y + box.height; y += tile_y)
            for (std::uint32_t x = box.x / tile_x * tile_x; x < box.x + box.width; x += tile_x)
                pieces.push_back({layer + l.layout.offset(x, y), 1ULL << l.layout.tile_shift});
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const MemoryRange& a, const MemoryRange& b) { return a.address < b.address; });
    std::vector<MemoryRange> joined;
    for (const MemoryRange& piece : pieces)
        if (!joined.empty() && joined.back().address + joined.back().bytes == piece.address)
            joined.back().bytes += piece.bytes;
        else
            joined.push_back(piece);
    return joined;
}

void Resource::transfer_get(std::uint32_t level, const Box& box, std::uint32_t stride, std::uint32_t layer_stride,
                            std::span<std::byte> data) const {
    const Transfer t = plan_transfer(*format_, box, stride, layer_stride);
    check_transfer(level, box, t.bytes, data.size());
    for (std::size_t layer = 0; layer < t.layers; ++layer) {
        const std::byte* from = bytes_.data() + block_offset(level, box, layer);
        std::byte* to = data.data() + layer * t.layer_stride;
        for (std::size_t row = 0; row < t.rows; ++row)
            std::memcpy(to + row * t.stride, from + row * levels_[level].row_bytes, t.row_bytes);
    }
}

std::size_t Resource::block_offset(std::uint32_t level, const Box& box, std::size_t layer) const {
    const Level& l = levels_[level];
    return l.offset + (box.z + layer) * l.layer_bytes + box.y / format_->block_height * l.row_bytes +
           std::size_t{box.x / format_->block_width} * format_->block_bytes;
}

SurfaceView Resource::surface(std::uint32_t level, std::uint32_t layer, Format view) {
    const FormatInfo& info = format_info(view, "surface");
    if (level >= levels_.size() || layer >= levels_[level].layers)
        refuse(description_, "a surface names level " + std::to_string(level) + ", layer " + std::to_string(layer));
    if (info.block_bytes != format_->block_bytes || info.block_width != format_->block_width ||
        info.block_height != format_->block_height) {
        refuse(description_, "a surface of format " + format_name(view) + " has texels of another size");
    }
    const Level& l = levels_[level];
    return {.texels = bytes_.data() + l.offset + layer * l.layer_bytes,
            .row_bytes = l.row_bytes,
            .width = l.width,
            .height = l.height,
            .format = &info,
            .address = l.address + layer * l.layout.bytes,
            .layout = l.layout,
            .samples = description_.samples,
            .sample_bytes = l.sample_bytes};
}

}  // namespace models::functional
