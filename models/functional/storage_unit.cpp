#include "models/functional/storage_unit.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "engine/error.h"
#include "models/functional/tgsi/texture_target.h"

namespace models::functional {

namespace {

constexpr std::uint32_t dword_bytes = 4;

std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

bool same_kind(TextureTarget program, ResourceTarget bound) {
    switch (program) {
        case TextureTarget::buffer:
            return bound == ResourceTarget::buffer;
        case TextureTarget::t1d:
            return bound == ResourceTarget::t1d;
        case TextureTarget::t2d:
        case TextureTarget::rect:
            return bound == ResourceTarget::t2d || bound == ResourceTarget::rect || bound == ResourceTarget::t3d ||
                   bound == ResourceTarget::cube || bound == ResourceTarget::t2d_array ||
                   bound == ResourceTarget::cube_array;  // one layer of it
        case TextureTarget::t3d:
            return bound == ResourceTarget::t3d;
        case TextureTarget::cube:
        case TextureTarget::cube_array:
            return bound == ResourceTarget::cube || bound == ResourceTarget::cube_array;
        case TextureTarget::t1d_array:
            return bound == ResourceTarget::t1d_array;
        case TextureTarget::t2d_array:
            return bound == ResourceTarget::t2d_array || bound == ResourceTarget::cube ||
                   bound == ResourceTarget::cube_array;
        default:
            return false;
    }
}

StorageBindings::Buffer bind_buffer(const StorageBuffer& bound) {
    if (!bound.resource) return {};
    const std::span<std::byte> bytes = bound.resource->bytes();
    const std::size_t first = std::min<std::size_t>(bound.offset, bytes.size());
    return {bytes.subspan(first, std::min<std::size_t>(bound.bytes, bytes.size() - first)),
            bound.resource->address() + first};
}

SurfaceView row_of_buffer(const StorageImage& bound, const FormatInfo& format) {
    const StorageBindings::Buffer buffer = bind_buffer({bound.resource, bound.first, bound.last});
    SurfaceView view;
    view.texels = buffer.bytes.data();
    view.width = static_cast<std::uint32_t>(buffer.bytes.size() / format.block_bytes);
    view.height = 1;
    view.format = &format;
    view.address = buffer.address;
    return view;
}

StorageBindings::Image bind_image(TextureTarget target, const StorageImage& bound, std::size_t slot) {
    StorageBindings::Image image;
    image.target = target;
    if (!bound.resource) return image;
    const FormatInfo& format = format_info(bound.format, "shader image");
    const ResourceDescription& description = bound.resource->description();
    if (!same_kind(target, description.target)) {
        throw engine::InputError("the program has a " + std::string(tgsi::target_info(target).name) +
                                 " image in slot " + std::to_string(slot) + ", which holds a " +
                                 resource_target_name(description.target) + " texture");
    }
    if (format.kind != FormatKind::plain || format.srgb || description.samples > 1) {
        throw engine::InputError("unsupported format " + format_name(format.format) + " of a shader image" +
                                 (description.samples > 1 ? " with several samples" : ""));
    }
    if (target == TextureTarget::buffer) {
        image.layers.push_back(row_of_buffer(bound, format));
    } else {
        if (bound.level >= bound.resource->levels() || bound.last >= bound.resource->level(bound.level).layers ||
            bound.first > bound.last) {
            throw engine::InputError("the image in slot " + std::to_string(slot) + " has layers " +
                                     std::to_string(bound.first) + " to " + std::to_string(bound.last) + " of level " +
                                     std::to_string(bound.level) + ", which its texture has not");
        }
        for (std::uint32_t layer = bound.first; layer <= bound.last; ++layer)
            image.layers.push_back(bound.resource->surface(bound.level, layer, bound.format));
    }
    image.format = &format;
    image.width = image.layers[0].width;
    image.height = image.layers[0].height;
    return image;
}

}  // namespace

StorageBindings::StorageBindings(const tgsi::Shader& shader, const StageState& stage) {
    for (std::size_t i = 0; i < shader.buffers.size(); ++i)
        buffers_.push_back(shader.buffers[i].declared ? bind_buffer(stage.buffers[i]) : Buffer{});
    for (std::size_t i = 0; i < shader.images.size(); ++i) {
        images_.push_back(shader.images[i].declared ? bind_image(shader.images[i].target, stage.images[i], i)
                                                    : Image{});
    }
}

// Buffers said so when they were bound to be written.
void StorageBindings::tell_contents_changed(const tgsi::Shader& shader, const StageState& stage) const {
    for (std::size_t i = 0; i < images_.size(); ++i) {
        const StorageImage& bound = stage.images[i];
        if (!shader.images[i].written || images_[i].format == nullptr || images_[i].target == TextureTarget::buffer)
            continue;
        for (std::uint32_t layer = bound.first; layer <= bound.last; ++layer)
            bound.resource->contents_changed(bound.level, layer);
    }
}

void StorageUnit::begin(const StorageBindings& bindings, std::vector<PendingWrite>* writes, MemoryMeter& memory) {
    bindings_ = &bindings;
    writes_ = writes;
    memory_ = &memory;
}

void StorageUnit::begin_block(std::uint32_t shared_bytes) {
    shared_.assign(shared_bytes, std::byte{0});
}

void StorageUnit::access(const StorageRequest& request, Vec4Lanes& result) {
    if (footprint_ != nullptr && request.operation != StorageOperation::size) {
        if (!request.continues) footprint_->push_back({request.instruction, request.space, request.operation});
        footprint_->back().executed |= request.active;
    }
    if (request.operation != StorageOperation::store) {
        for (auto& row : result.c)
            for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) row[std::countr_zero(rest)] = 0;
    }
    switch (request.space) {
        case StorageSpace::buffer: {
            const StorageBindings::Buffer& buffer = bindings_->buffers()[request.slot];
            return reach_dwords(request, buffer.bytes, buffer.address, result);
        }
        case StorageSpace::shared:
            return reach_dwords(request, shared_, 0, result);
        case StorageSpace::image:
            return reach_texels(request, result);
    }
}

// Shared memory is a block's own and is written at once.
void StorageUnit::write(const StorageRequest& request, std::byte* to, const std::byte* from, std::uint32_t bytes) {
    if (writes_ == nullptr || request.space == StorageSpace::shared) {
        std::memcpy(to, from, bytes);
        return;
    }
    for (std::uint32_t done = 0; done < bytes; done += dword_bytes) {
        PendingWrite write{to + done, 0, std::min(dword_bytes, bytes - done)};
        std::memcpy(&write.value, from + done, write.bytes);
        memory_->make_room_in_tile(*writes_, 1);
        writes_->push_back(write);
    }
}

void StorageUnit::note(int lane, Address address, std::uint32_t bytes) {
    if (footprint_ == nullptr) return;
    StorageFootprint& footprint = footprint_->back();
    footprint.bytes = footprint.active == 0 ? bytes : std::min(footprint.bytes, bytes);
    footprint.active |= LaneMask{1} << lane;
    footprint.address[static_cast<std::size_t>(lane)] = address;
}

// An atomic operation; the old dword. Programs that have them on buffers and images run block by block.
std::uint32_t StorageUnit::change(const StorageRequest& request, int lane, std::byte* dword) {
    std::uint32_t old = 0;
    std::memcpy(&old, dword, sizeof old);
    const std::uint32_t value = bits(request.value[0][lane]);
    const auto as_signed = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
    std::uint32_t made = value;
    switch (request.operation) {
        case StorageOperation::add:
            made = old + value;
            break;
        case StorageOperation::compare_exchange:
            made = old == value ? bits(request.replacement[lane]) : old;
            break;
        case StorageOperation::bit_and:
            made = old & value;
            break;
        case StorageOperation::bit_or:
            made = old | value;
            break;
        case StorageOperation::bit_xor:
            made = old ^ value;
            break;
        case StorageOperation::unsigned_min:
            made = std::min(old, value);
            break;
        case StorageOperation::unsigned_max:
            made = std::max(old, value);
            break;
        case StorageOperation::signed_min:
            made = as_signed(old) < as_signed(value) ? old : value;
            break;
        case StorageOperation::signed_max:
            made = as_signed(old) > as_signed(value) ? old : value;
            break;
        default:
            break;  // exchange
    }
    std::memcpy(dword, &made, sizeof made);
    return old;
}

void StorageUnit::reach_dwords(const StorageRequest& request, std::span<std::byte> bytes, Address address,
                               Vec4Lanes& result) {
    if (request.operation == StorageOperation::size) {
        for (LaneMask rest = request.active; rest != 0; rest &= rest - 1)
            result.c[0][std::countr_zero(rest)] = std::bit_cast<float>(static_cast<std::uint32_t>(bytes.size()));
        return;
    }
    const bool atomic = is_atomic(request.operation);
    const unsigned components = atomic ? 1U : request.components;
    const auto last = static_cast<std::uint32_t>(std::bit_width(components) - 1);
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t first = std::uint64_t{bits(request.address[0][lane]) & ~(dword_bytes - 1)};
        if (first + dword_bytes > bytes.size()) continue;
        const std::uint64_t whole = (bytes.size() - first) / dword_bytes * dword_bytes;
        note(lane, address + first,
             static_cast<std::uint32_t>(std::min<std::uint64_t>((last + 1) * dword_bytes, whole)));
        for (std::uint32_t c = 0; c <= last; ++c) {
            const std::uint64_t at = first + std::uint64_t{c} * dword_bytes;
            if ((components >> c & 1) == 0 || at + dword_bytes > bytes.size()) continue;
            std::byte* const dword = bytes.data() + at;
            if (atomic)
                result.c[0][lane] = std::bit_cast<float>(change(request, lane, dword));
            else if (request.operation == StorageOperation::load)
                std::memcpy(&result.c[c][lane], dword, dword_bytes);
            else
                write(request, dword, reinterpret_cast<const std::byte*>(&request.value[c][lane]), dword_bytes);
        }
    }
}

void StorageUnit::reach_texels(const StorageRequest& request, Vec4Lanes& result) {
    const StorageBindings::Image& image = bindings_->images()[request.slot];
    if (image.format == nullptr) return;
    const auto layers = static_cast<std::uint32_t>(image.layers.size());
    const bool is_row = image.target == TextureTarget::t1d_array;  // the layer is the second coordinate
    const int coordinates = tgsi::target_info(image.target).coordinates;
    if (request.operation == StorageOperation::size) {
        const std::uint32_t second = is_row ? layers : image.height;
        const std::uint32_t third = image.target == TextureTarget::cube_array ? layers / 6 : layers;
        for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            result.c[0][lane] = std::bit_cast<float>(image.width);
            result.c[1][lane] = std::bit_cast<float>(second);
            result.c[2][lane] = std::bit_cast<float>(third);
        }
        return;
    }
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto coordinate = [&](int c) { return c < coordinates ? bits(request.address[c][lane]) : 0; };
        const std::uint32_t x = coordinate(0);
        const std::uint32_t y = is_row ? 0 : coordinate(1);
        const std::uint32_t layer = is_row ? coordinate(1) : coordinate(2);
        if (x >= image.width || y >= image.height || layer >= layers) continue;
        const SurfaceView& view = image.layers[layer];
        const Address address = image.target == TextureTarget::buffer
                                    ? view.address + std::uint64_t{x} * image.format->block_bytes
                                    : view.texel_address(x, y);
        note(lane, address, image.format->block_bytes);
        reach_texel(request, image, view.texel(x, y), lane, result);
    }
}

void StorageUnit::reach_texel(const StorageRequest& request, const StorageBindings::Image& image, std::byte* texel,
                              int lane, Vec4Lanes& result) {
    const FormatInfo& format = *image.format;
    if (is_atomic(request.operation)) {
        if (format.block_bytes != dword_bytes) {
            throw engine::InputError("an atomic operation on an image of format " + format_name(format.format) +
                                     " is not supported, only on those with texels of four bytes");
        }
        result.c[0][lane] = std::bit_cast<float>(change(request, lane, texel));
        return;
    }
    float floats[1][4];
    std::uint32_t integers[1][4];
    if (request.operation == StorageOperation::load) {
        if (format.integer) {
            unpack_integers(format, texel, 1, integers);
            std::memcpy(floats, integers, sizeof floats);
        } else {
            unpack_floats(format, texel, 1, floats);
        }
        for (int c = 0; c < 4; ++c) result.c[c][lane] = floats[0][c];
        return;
    }
    for (int c = 0; c < 4; ++c) floats[0][c] = request.value[c][lane];
    std::byte made[16] = {};
    std::memcpy(made, texel, format.block_bytes);
    if (format.integer) {
        std::memcpy(integers, floats, sizeof floats);
        pack_integers(format, integers, 1, made);
    } else {
        pack_floats(format, floats, 1, made);
    }
    write(request, texel, made, format.block_bytes);
}

}  // namespace models::functional
