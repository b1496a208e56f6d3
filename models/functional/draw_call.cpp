#include "models/functional/draw_call.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/error.h"

namespace models::functional {

namespace {

constexpr std::uint32_t draw_words = 12, indirect_draw_words = 20;
constexpr std::uint32_t draw_id_word = 13, indirect_buffer_word = 14;  // where a command is so long
constexpr std::uint32_t index_tables_per_vertex = 4;                   // how sparse a table from id to position may be

void check_mode(const Words& words, std::uint32_t mode) {
    if (mode >= primitive_mode_count) {
        words.refuse(mode == 14 ? "patches are not supported"
                                : "primitives with adjacency are not supported (mode " + std::to_string(mode) + ")");
    }
}

std::vector<std::uint32_t> read_indices(const DrawCall& call, const IndexBuffer& buffer) {
    if (!buffer.resource) throw engine::InputError("an indexed draw without an index buffer");
    const std::span<const std::byte> bytes = std::as_const(*buffer.resource).bytes();
    const std::uint64_t first = first_index_byte(call, buffer);
    const std::uint64_t end = first + std::uint64_t{call.count} * buffer.index_bytes;
    if (end > bytes.size()) {
        throw engine::InputError("indices at bytes " + std::to_string(first) + " to " + std::to_string(end) +
                                 " are not in the index buffer of " + std::to_string(bytes.size()) + " bytes");
    }
    std::vector<std::uint32_t> indices(call.count);
    for (std::uint32_t i = 0; i < call.count; ++i)
        std::memcpy(&indices[i], bytes.data() + first + std::uint64_t{i} * buffer.index_bytes, buffer.index_bytes);
    return indices;
}

// Fills `distinct` and `order` from vertex ids. A table when the ids are dense, else a hash map (looked up only).
void find_distinct(std::span<const std::uint32_t> ids, VertexOrder& out) {
    out.order.resize(ids.size());
    if (ids.empty()) return;
    const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
    const std::uint32_t base = *low;
    const std::uint64_t range = std::uint64_t{*high} - base + 1;
    const auto append = [&](std::uint32_t& position, std::uint32_t id) {
        if (position == none) {
            position = static_cast<std::uint32_t>(out.distinct.size());
            out.distinct.push_back(id);
        }
        return position;
    };
    if (range <= ids.size() * index_tables_per_vertex + 1024) {
        std::vector<std::uint32_t> table(range, none);
        for (std::size_t i = 0; i < ids.size(); ++i) out.order[i] = append(table[ids[i] - base], ids[i]);
    } else {
        std::unordered_map<std::uint32_t, std::uint32_t> table;
        for (std::size_t i = 0; i < ids.size(); ++i)
            out.order[i] = append(table.try_emplace(ids[i], none).first->second, ids[i]);
    }
}

bool is_plain_floats(const FormatInfo& format) {
    for (int i = 0; i < format.channel_count; ++i)
        if (format.channels[i].type != ChannelType::floating || format.channels[i].bits != 32 || format.source[i] != i)
            return false;
    return format.kind == FormatKind::plain && format.block_bytes == format.channel_count * 4;
}

DrawCall decode_draw(const Words& words) {
    words.need(draw_words);
    check_mode(words, words[2]);
    if (words[11] != 0) words.refuse("a count from transform feedback is not supported");
    return {
        .start = words[0],
        .count = words[1],
        .mode = static_cast<PrimitiveMode>(words[2]),
        .indexed = words[3] != 0,
        .instance_count = words[4],
        .start_instance = words[6],
        .index_bias = words[5],
        .draw_id = words.count() > draw_id_word ? words[draw_id_word] : 0,
        .restart = words[7] != 0,
        .restart_index = words[8],
        .offset = words.offset(),
    };
}

}  // namespace

std::uint32_t indirect_buffer(const Words& words) {
    return words.count() > indirect_buffer_word ? words[indirect_buffer_word] : 0;
}

DrawCommand::DrawCommand(const Words& words, const Context& context) : words_(words), call_(decode_draw(words)) {
    const std::uint32_t buffer = indirect_buffer(words);
    if (buffer == 0) return;
    words.need(indirect_draw_words);
    if (words[19] != 0) words.refuse("a number of draws from a buffer is not supported");
    parameters_ = context.resource(words, buffer);
    offset_ = words[15];
    draws_ = words[17];
    stride_ = words[16] != 0 ? words[16] : parameter_bytes();
    if (draws_ == 0) return;
    const std::uint64_t end = offset_ + std::uint64_t{draws_ - 1} * stride_ + parameter_bytes();
    if (end > parameters_->bytes().size()) {
        words.refuse("the parameters of draws at bytes " + std::to_string(offset_) + " to " + std::to_string(end) +
                     " of a buffer of " + std::to_string(parameters_->bytes().size()) + " bytes");
    }
}

// As OpenGL lays them out: count, instances, first vertex or index, the base vertex of indexed draws, first instance.
void DrawCommand::read_parameters(std::uint32_t number, DrawCall& call) const {
    std::array<std::uint32_t, 5> values{};
    const std::uint64_t at = offset_ + std::uint64_t{number} * stride_;
    std::memcpy(values.data(), parameters_->bytes().data() + at, parameter_bytes());
    call.count = values[0];
    call.instance_count = values[1];
    call.start = call.indexed ? 0 : values[2];
    call.first_index = call.indexed ? values[2] : 0;
    call.index_bias = call.indexed ? values[3] : 0;
    call.start_instance = values[call.indexed ? 4 : 3];
    call.draw_id += number;
}

DrawCall DrawCommand::draw(std::uint32_t number) const {
    DrawCall call = call_;
    if (parameters_) read_parameters(number, call);
    if (std::uint64_t{call.count} * call.instance_count > max_draw_vertices) {
        words_.refuse("a draw of more than " + std::to_string(max_draw_vertices) + " vertices is not supported (" +
                      std::to_string(call.count) + " x " + std::to_string(call.instance_count) + " instances)");
    }
    return call;
}

VertexOrder order_vertices(const DrawCall& call, const IndexBuffer& buffer) {
    VertexOrder result;
    if (!call.indexed) {
        result.distinct.resize(call.count);
        result.order.resize(call.count);
        for (std::uint32_t i = 0; i < call.count; ++i) {
            result.distinct[i] = call.start + i;
            result.order[i] = i;
        }
        result.runs = {{0, call.count}};
        return result;
    }
    std::vector<std::uint32_t> ids = read_indices(call, buffer);
    if (call.restart) {
        std::vector<std::uint32_t> kept;
        result.runs = split_at_restart(ids, call.restart_index, kept);
        ids = std::move(kept);
    } else {
        result.runs = {{0, call.count}};
    }
    for (std::uint32_t& id : ids) id += call.index_bias;
    find_distinct(ids, result);
    return result;
}

VertexFetcher::VertexFetcher(const VertexElementsObject& elements, std::span<const VertexBuffer> buffers,
                             std::uint32_t start_instance) {
    for (const VertexElement& element : elements.elements) {
        Source source;
        source.format = element.format;
        source.divisor = element.divisor;
        source.start_instance = start_instance;
        VertexAttribute attribute;
        attribute.bytes = element.format->block_bytes;
        attribute.instance_divisor = element.divisor;
        if (element.buffer >= buffers.size())
            throw engine::InputError("vertex buffer " + std::to_string(element.buffer) + " does not exist");
        const VertexBuffer& buffer = buffers[element.buffer];
        if (buffer.resource) {
            const std::uint64_t offset = std::uint64_t{buffer.offset} + element.offset;
            const std::span<const std::byte> bytes = std::as_const(*buffer.resource).bytes();
            source.bytes = bytes.subspan(std::min<std::uint64_t>(offset, bytes.size()));
            source.stride = buffer.stride;
            attribute.stride = buffer.stride;
            attribute.address = buffer.resource->address() + offset +
                                (element.divisor != 0 ? std::uint64_t{start_instance} * buffer.stride : 0);
        }
        source.plain_floats = is_plain_floats(*element.format);
        sources_.push_back(source);
        trace_.push_back(attribute);
    }
}

void VertexFetcher::fetch(const std::uint32_t* ids, const std::uint32_t* instances, int count,
                          Vec4Lanes* inputs) const {
    std::array<std::uint32_t, batch_lanes> elements{};
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Source& source = sources_[i];
        for (int lane = 0; lane < count; ++lane) {
            elements[static_cast<std::size_t>(lane)] =
                source.divisor == 0 ? ids[lane] : source.start_instance + instances[lane] / source.divisor;
        }
        if (source.plain_floats)
            fetch_floats(source, elements.data(), count, inputs[i]);
        else
            fetch_converted(source, elements.data(), count, inputs[i]);
    }
}

namespace {

// `size` floats of each lane; the others are 0, 0, 0, 1, and all are 0 beyond the buffer's end.
template <std::size_t size>
void fetch_vectors(std::span<const std::byte> bytes, std::uint64_t stride, const std::uint32_t* elements, int count,
                   Vec4Lanes& input) {
    for (int lane = 0; lane < count; ++lane) {
        std::array<float, 4> value{0, 0, 0, 1};
        const std::uint64_t at = elements[lane] * stride;
        if (at + size * sizeof(float) <= bytes.size())
            std::memcpy(value.data(), bytes.data() + at, size * sizeof(float));
        else
            value = {};
        for (std::size_t c = 0; c < 4; ++c) input.c[c][lane] = value[c];
    }
}

}  // namespace

void VertexFetcher::fetch_floats(const Source& source, const std::uint32_t* elements, int count, Vec4Lanes& input) {
    constexpr std::array fetches{fetch_vectors<1>, fetch_vectors<2>, fetch_vectors<3>, fetch_vectors<4>};
    fetches[source.format->block_bytes / sizeof(float) - 1](source.bytes, source.stride, elements, count, input);
}

void VertexFetcher::fetch_converted(const Source& source, const std::uint32_t* elements, int count, Vec4Lanes& input) {
    constexpr std::size_t largest_element = 32;  // bytes: four doubles
    std::array<std::byte, largest_element * batch_lanes> packed{};
    const std::size_t size = source.format->block_bytes;
    LaneMask inside = 0;
    for (int lane = 0; lane < count; ++lane) {
        const std::uint64_t at = std::uint64_t{elements[lane]} * source.stride;
        if (at + size <= source.bytes.size()) {
            std::memcpy(packed.data() + size * static_cast<std::size_t>(lane), source.bytes.data() + at, size);
            inside |= LaneMask{1} << lane;
        }
    }
    float values[batch_lanes][4];
    if (source.format->integer) {
        std::uint32_t integers[batch_lanes][4];
        unpack_integers(*source.format, packed.data(), count, integers);
        std::memcpy(values, integers, sizeof values);
    } else {
        unpack_floats(*source.format, packed.data(), count, values);
    }
    for (int lane = 0; lane < count; ++lane) {
        const bool present = (inside >> lane & 1U) != 0;
        for (int c = 0; c < 4; ++c) input.c[c][lane] = present ? values[lane][c] : 0;
    }
}

}  // namespace models::functional
