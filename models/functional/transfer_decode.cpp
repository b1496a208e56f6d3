// Decoding of the transfer commands, and what is refused of them.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "models/functional/transfer.h"

namespace models::functional {

namespace {

TransferBox transfer_box(const Words& words, std::uint32_t first) {
    const auto number = [&](std::uint32_t i) { return static_cast<std::int32_t>(words[first + i]); };
    return {number(0), number(1), number(2), number(3), number(4), number(5)};
}

void mirror(std::int32_t& start, std::int32_t& size) {
    start += size;
    size = -size;
}

// Makes the target's box run upwards; a mirrored transfer then has a mirrored source.
void straighten(TransferCommand& command) {
    TransferBox& t = command.target.box;
    TransferBox& s = command.source.box;
    if (t.width < 0) {
        mirror(t.x, t.width);
        mirror(s.x, s.width);
    }
    if (t.height < 0) {
        mirror(t.y, t.height);
        mirror(s.y, s.height);
    }
}

const Resource::Level& level_of(const Words& words, const TransferSide& side, const char* what) {
    if (side.level >= side.resource->levels())
        words.refuse(std::string("the ") + what + " has no level " + std::to_string(side.level));
    return side.resource->level(side.level);
}

[[noreturn]] void refuse_box(const Words& words, const Resource::Level& level, const char* what) {
    words.refuse(std::string("the box leaves the ") + what + " of " + std::to_string(level.width) + "x" +
                 std::to_string(level.height) + "x" + std::to_string(level.layers) + " texels");
}

bool inside(std::int64_t start, std::int64_t size, std::uint32_t limit) {
    const std::int64_t low = std::min(start, start + size);
    const std::int64_t high = std::max(start, start + size);
    return low >= 0 && high <= limit;
}

void check_box(const Words& words, const TransferSide& side, const char* what) {
    const Resource::Level& level = level_of(words, side, what);
    const TransferBox& b = side.box;
    const bool buffer = side.resource->description().target == ResourceTarget::buffer;
    const auto width = buffer ? static_cast<std::uint32_t>(side.resource->bytes().size()) : level.width;
    if (!inside(b.x, b.width, width) || (!buffer && !inside(b.y, b.height, level.height)) ||
        (!buffer && !inside(b.z, b.depth, level.layers)))
        refuse_box(words, level, what);
}

// A blit along an axis.
struct BlitAxis {
    std::int64_t target, target_size, target_limit;  // the size is not negative
    std::int64_t source, source_size, source_limit;
    std::int64_t scissor_begin, scissor_end;

    // Whether the middle of a pixel that is drawn comes from outside the source.
    bool leaves_source() const {
        const std::int64_t begin = std::max({target, scissor_begin, std::int64_t{0}});
        const std::int64_t end = std::min({target + target_size, scissor_end, target_limit});
        const auto from_outside = [&](std::int64_t pixel) {
            const std::int64_t twice = 2 * target_size;
            const std::int64_t at = (2 * (pixel - target) + 1) * source_size + twice * source;
            return at < 0 || at >= twice * source_limit;
        };
        return begin < end && (from_outside(begin) || from_outside(end - 1));
    }
};

// Layers are not cut. How far a box may leave its surface is limited, so that sums of its numbers do not overflow.
void check_blit_box(const Words& words, const TransferSide& side, const char* what) {
    constexpr std::int64_t farthest = 1 << 20;
    const Resource::Level& level = level_of(words, side, what);
    const TransferBox& b = side.box;
    for (const std::int64_t number : {b.x, b.y, b.width, b.height})
        if (std::abs(number) > farthest) refuse_box(words, level, what);
    if (!inside(b.z, b.depth, level.layers)) refuse_box(words, level, what);
}

// Of blits beyond the edges of a framebuffer Mesa sends the whole boxes, and as the scissor the pixels for which there
// is a target and a source.
void check_blit_source(const Words& words, const TransferCommand& command) {
    const Resource::Level& source = command.source.resource->level(command.source.level);
    const Resource::Level& target = command.target.resource->level(command.target.level);
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    const Scissor scissor = command.scissored ? command.scissor : Scissor{0, 0, 0xffff, 0xffff};
    const BlitAxis x{t.x, t.width, target.width, s.x, s.width, source.width, scissor.x0, scissor.x1};
    const BlitAxis y{t.y, t.height, target.height, s.y, s.height, source.height, scissor.y0, scissor.y1};
    if (x.leaves_source() || y.leaves_source()) refuse_box(words, source, "source");
}

bool same_size(const TransferCommand& command) {
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    return s.width == t.width && s.height == t.height;
}

// Whether the target's box comes within `margin` texels of the source's in one level: the order of pixels would matter.
bool overlap(const TransferCommand& command, std::int64_t margin) {
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    const auto meet = [](std::int64_t a, std::int64_t a_size, std::int64_t b, std::int64_t b_size, std::int64_t gap) {
        return std::min(a, a + a_size) < std::max(b, b + b_size) + gap &&
               std::min(b, b + b_size) < std::max(a, a + a_size) + gap;
    };
    return command.source.resource == command.target.resource && command.source.level == command.target.level &&
           meet(s.x, s.width, t.x, t.width, margin) && meet(s.y, s.height, t.y, t.height, margin) &&
           meet(s.z, s.depth, t.z, t.depth, 0);
}

// A level of a 3D texture from all of the one before it, as glGenerateMipmap makes it.
bool makes_level_of_volume(const TransferCommand& command) {
    const auto whole = [](const TransferSide& side) {
        return side.resource->description().target == ResourceTarget::t3d && side.box.z == 0 && side.box.depth > 0 &&
               static_cast<std::uint32_t>(side.box.depth) == side.resource->level(side.level).layers;
    };
    return whole(command.source) && whole(command.target) && (command.mask & ~colour_bits) == 0;
}

bool is_buffer(const TransferSide& side) {
    return side.resource->description().target == ResourceTarget::buffer;
}

void check_depth_blit(const Words& words, const TransferCommand& command) {
    if (command.source.format != command.target.format)
        words.refuse("blits that convert depth or stencil are not supported");
}

// Pixels with several samples are copied as they are, or resolved into pixels with one; they take the colour of pixels
// with one for all samples.
void check_samples(const Words& words, TransferCommand& command) {
    if (command.source.samples() == 1 && command.target.samples() == 1) return;
    const TransferBox& s = command.source.box;
    const TransferBox& t = command.target.box;
    if (std::abs(s.width) != t.width || std::abs(s.height) != t.height)
        words.refuse("blits that scale multisampled textures are not supported");
    if (command.target.samples() == 1) {
        if (command.source.resource->format().integer)
            words.refuse("resolves of multisampled integers are not supported");
        return;
    }
    const bool whole_texels = (command.mask & colour_bits) == colour_bits || (command.mask & colour_bits) == 0;
    if (command.source.format != command.target.format || !same_size(command) || !whole_texels)
        words.refuse("blits to multisampled textures other than copies are not supported");
    command.copy = true;
}

}  // namespace

TransferCommand decode_blit(const Words& words, const Context& context) {
    words.need(21);
    TransferCommand command;
    command.offset = words.offset();
    const std::uint32_t flags = words[0];
    command.mask = static_cast<std::uint8_t>(flags & 0x3f);
    command.linear = (flags >> 8 & 3U) == 1;
    command.scissored = (flags >> 10 & 1U) != 0;
    if ((flags >> 12 & 1U) != 0) words.refuse("blits that blend are not supported");
    command.scissor = {words[1] & 0xffff, words[1] >> 16, words[2] & 0xffff, words[2] >> 16};
    command.target = {context.resource(words, words[3]), words[4], static_cast<Format>(words[5]),
                      transfer_box(words, 6)};
    command.source = {context.resource(words, words[12]), words[13], static_cast<Format>(words[14]),
                      transfer_box(words, 15)};
    if (is_buffer(command.source) || is_buffer(command.target)) words.refuse("blits of buffers are not supported");
    check_blit_box(words, command.source, "source");
    check_blit_box(words, command.target, "target");
    straighten(command);
    check_blit_source(words, command);
    const bool scales_layers = command.target.box.depth != command.source.box.depth;
    if (command.target.box.depth < 0 || (scales_layers && !makes_level_of_volume(command)))
        words.refuse("blits that scale or mirror layers are not supported");
    if (overlap(command, 1)) words.refuse("blits from a texture to a place beside it in itself are not supported");
    if ((command.mask & ~colour_bits) != 0) {
        check_depth_blit(words, command);
        command.copy = true;
    }
    check_samples(words, command);
    return command;
}

TransferCommand decode_copy_region(const Words& words, const Context& context) {
    words.need(13);
    const auto number = [&](std::uint32_t i) { return static_cast<std::int32_t>(words[i]); };
    TransferCommand command;
    command.offset = words.offset();
    command.copy = true;
    command.mask = colour_bits | depth_bit | stencil_bit;
    command.source.resource = context.resource(words, words[5]);
    command.source.level = words[6];
    command.source.box = transfer_box(words, 7);
    command.target.resource = context.resource(words, words[0]);
    command.target.level = words[1];
    command.target.box = {number(2), number(3), number(4), number(10), number(11), number(12)};
    command.source.format = command.source.resource->format().format;
    command.target.format = command.target.resource->format().format;
    check_box(words, command.source, "source");
    check_box(words, command.target, "target");
    const TransferBox& box = command.source.box;
    if (box.width < 0 || box.height < 0 || box.depth < 0) words.refuse("a copy of a negative size");
    const FormatInfo& from = command.source.resource->format();
    const FormatInfo& to = command.target.resource->format();
    if (from.block_bytes != to.block_bytes || from.block_width != to.block_width ||
        from.block_height != to.block_height || is_buffer(command.source) != is_buffer(command.target)) {
        words.refuse("copies from " + format_name(from.format) + " to " + format_name(to.format) +
                     " are not supported");
    }
    if (command.source.samples() != command.target.samples())
        words.refuse("copies between textures with different numbers of samples are not supported");
    if (!is_buffer(command.source) && overlap(command, 0))
        words.refuse("copies of a part of a texture onto itself are not supported");
    return command;
}

}  // namespace models::functional
