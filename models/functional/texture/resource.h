// A buffer or texture: its bytes (rows of texels, level by level and layer by layer) and its place in simulated memory.
// Layers are array layers, cube faces (+x -x +y -y +z -z) or the slices of a 3D texture. Row 0 is the first row
// transferred. 2D textures without mipmaps may have four samples a texel: they are kept as four images, one after the
// other, but lie side by side in simulated memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/address_space.h"
#include "models/functional/texture/format.h"
#include "models/functional/texture/layout.h"

namespace models::functional {

enum class ResourceTarget : std::uint8_t { buffer, t1d, t2d, t3d, cube, rect, t1d_array, t2d_array, cube_array };

const char* resource_target_name(ResourceTarget target);  // "2D array"
constexpr bool is_cube(ResourceTarget target) {
    return target == ResourceTarget::cube || target == ResourceTarget::cube_array;
}

// Of a multisampled texel. Whoever asks for two or three gets four, as OpenGL allows (at least as many as asked for)
// and as llvmpipe has it, with which the reference images are drawn; Arm's GPUs have 4, 8 or 16.
inline constexpr std::uint32_t multisamples = 4;

struct ResourceDescription {
    ResourceTarget target = ResourceTarget::t2d;
    Format format = Format::unknown;
    std::uint32_t width = 1, height = 1, depth = 1;  // texels; bytes for buffers
    std::uint32_t array_size = 1;                    // cubes: 6 times the number of cubes
    std::uint32_t last_level = 0;
    std::uint32_t samples = 1;  // up to multisamples; 0 is taken as 1
    std::uint32_t bind = 0;     // the protocol's flags, kept for the pipeline
};

// Texels of one level; z counts layers or slices.
struct Box {
    std::uint32_t x = 0, y = 0, z = 0;
    std::uint32_t width = 0, height = 0, depth = 0;
};

// One level and layer, to draw into or read from. Valid as long as its resource.
struct SurfaceView {
    std::byte* texels = nullptr;
    std::size_t row_bytes = 0;
    std::uint32_t width = 0, height = 0;
    const FormatInfo* format = nullptr;
    Address address = 0;
    SurfaceLayout layout;
    std::uint32_t samples = 1;     // `texels` and `address` are those of sample 0
    std::size_t sample_bytes = 0;  // from one sample of a texel to the next

    std::byte* texel(std::uint32_t x, std::uint32_t y) const {
        return texels + y * row_bytes + std::size_t{x} * format->block_bytes;
    }
    Address texel_address(std::uint32_t x, std::uint32_t y) const { return address + layout.offset(x, y); }
    SurfaceView sample(std::uint32_t number) const {
        SurfaceView view = *this;
        view.texels += number * sample_bytes;
        view.address += std::uint64_t{number} * format->block_bytes;
        view.samples = 1;
        return view;
    }
};

struct MemoryRange {
    Address address = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const MemoryRange&, const MemoryRange&) = default;
};

class Resource {
  public:
    struct Level {
        std::uint32_t width = 0, height = 0;  // texels
        std::uint32_t layers = 0;             // layers, faces or slices
        std::size_t offset = 0;               // of the first byte in bytes()
        std::size_t row_bytes = 0;            // from one row of blocks to the next
        std::size_t layer_bytes = 0;
        std::size_t sample_bytes = 0;  // of all layers of one sample
        Address address = 0;           // of layer 0
        SurfaceLayout layout;
    };

    // Zero-filled. Throws InputError on what is unsupported or inconsistent. `space` outlives the resource.
    Resource(const ResourceDescription& description, AddressSpace& space);
    ~Resource();
    Resource(const Resource&) = delete;
    Resource& operator=(const Resource&) = delete;

    const ResourceDescription& description() const { return description_; }
    const FormatInfo& format() const { return *format_; }
    std::uint32_t levels() const { return static_cast<std::uint32_t>(levels_.size()); }
    const Level& level(std::uint32_t number) const { return levels_[number]; }
    Address address() const { return address_; }

    // To be written.
    std::span<std::byte> bytes() {
        std::fill(contents_.begin(), contents_.end(), 0);
        return bytes_;
    }
    std::span<const std::byte> bytes() const { return bytes_; }

    // As the protocol's inline transfers: `stride` and `layer_stride` are those of the data, 0 means tightly packed.
    // Throw InputError when the box leaves the level or the data is too short.
    void transfer_put(std::uint32_t level, const Box& box, std::uint32_t stride, std::uint32_t layer_stride,
                      std::span<const std::byte> data);
    // The texel, as transfers have it, everywhere in the box. Not of compressed formats.
    void fill(std::uint32_t level, const Box& box, std::span<const std::byte> texel);
    void transfer_get(std::uint32_t level, const Box& box, std::uint32_t stride, std::uint32_t layer_stride,
                      std::span<std::byte> data) const;

    // Simulated memory that such a transfer writes, in whole tiles of texels: ranges in ascending order that do not
    // touch. The box is inside the level.
    std::vector<MemoryRange> ranges(std::uint32_t level, const Box& box) const;

    // Bytes of a transfer of the box with these strides.
    std::size_t transfer_bytes(const Box& box, std::uint32_t stride, std::uint32_t layer_stride) const;

    // A hash of all texels (of all samples) of a level and layer, never 0. Taken when it is asked for and kept until
    // they change: whoever writes through a surface says so when it is done. Not for several threads at once.
    std::uint64_t content_hash(std::uint32_t level, std::uint32_t layer) const;
    void contents_changed(std::uint32_t level, std::uint32_t layer) { contents_[contents_of(level) + layer] = 0; }

    // Throws InputError when there is no such level or layer, or when `view` has other texel sizes than the resource.
    SurfaceView surface(std::uint32_t level, std::uint32_t layer, Format view);
    SurfaceView surface(std::uint32_t level, std::uint32_t layer) { return surface(level, layer, format_->format); }

  private:
    void lay_out_levels();
    void check_transfer(std::uint32_t level, const Box& box, std::size_t needed, std::size_t present) const;
    std::size_t contents_of(std::uint32_t level) const;
    std::size_t block_offset(std::uint32_t level, const Box& box, std::size_t layer) const;

    ResourceDescription description_;
    const FormatInfo* format_ = nullptr;
    AddressSpace* space_ = nullptr;
    std::vector<Level> levels_;
    std::vector<std::byte> bytes_;
    mutable std::vector<std::uint64_t> contents_;  // hashes by level and layer; 0: not known
    Address address_ = 0;
};

}  // namespace models::functional
