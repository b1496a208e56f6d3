#include "models/functional/draw_recorder.h"

#include <algorithm>
#include <span>

namespace models::functional {

Draw describe_fragments(const FragmentWork& work) {
    Draw draw;
    draw.kind = work.kind;
    draw.colour_targets = static_cast<std::uint8_t>(std::count_if(
        work.outputs.begin(), work.outputs.end(), [](const auto& output) { return output.target.writes(); }));
    draw.early_depth = work.early_depth;
    draw.depth_test = work.depth_test;
    draw.stencil_test = work.stencil_test;
    draw.depth_write = work.depth_write;
    draw.stencil_write = work.stencil_write;
    draw.early_test = work.early_test;
    draw.discards = work.discards;
    draw.samples = static_cast<std::uint8_t>(work.samples);
    draw.blend = work.blend;
    draw.partial = work.partial;
    draw.colour_mask = work.colour_mask;
    draw.fragment_program = work.program->program;
    draw.constant_bytes = work.constants.bytes();
    return draw;
}

namespace {

std::uint32_t size32(const auto& list) {
    return static_cast<std::uint32_t>(list.size());
}

void record_vertices(const RecordedDraw& recorded, ProgramLibrary& library, const ShadedVertices& shaded, Draw& draw,
                     Frame& frame, MemoryMeter& memory) {
    std::vector<std::uint16_t> paths{0};  // programs without control flow have one path, number 0
    if (!shaded.known_paths.empty()) {
        paths.clear();
        for (const ProgramPath& path : shaded.known_paths) paths.push_back(library.intern(path));
        memory.set(MemoryMeter::Use::paths, library.path_bytes());
    }
    const VertexOrder& order = recorded.order;
    const std::uint32_t distinct = size32(order.distinct);
    const std::uint32_t first_access = size32(frame.vertex_accesses);
    const std::uint32_t first_block = size32(frame.vertex_blocks);
    const std::uint32_t first_constant_access = size32(frame.constant_accesses);
    draw.first_vertex = size32(frame.vertices);
    draw.vertex_count = shaded.vertices.size();
    memory.make_room(frame.vertices, draw.vertex_count);
    frame.vertices.resize(draw.first_vertex + draw.vertex_count);
    for (std::uint32_t v = 0; v < draw.vertex_count; ++v) {
        frame.vertices[draw.first_vertex + v] = {order.distinct[v % distinct], v / distinct, paths[shaded.paths[v]],
                                                 first_access + shaded.first_access[v],
                                                 first_constant_access + shaded.first_constant_access[v]};
    }
    memory.make_room(frame.vertex_accesses, shaded.accesses.size());
    for (TextureAccess access : shaded.accesses) {
        access.first_block += first_block;
        frame.vertex_accesses.push_back(access);
    }
    const std::uint32_t first_index = size32(frame.constant_indices);
    memory.make_room(frame.constant_accesses, shaded.constant_accesses.size());
    for (const ConstantAccess& access : shaded.constant_accesses)
        frame.constant_accesses.push_back({first_index + access.first_index, access.index_count});
    memory.make_room(frame.constant_indices, shaded.constant_indices.size());
    frame.constant_indices.insert(frame.constant_indices.end(), shaded.constant_indices.begin(),
                                  shaded.constant_indices.end());
    memory.make_room(frame.vertex_blocks, shaded.blocks.size());
    frame.vertex_blocks.insert(frame.vertex_blocks.end(), shaded.blocks.begin(), shaded.blocks.end());
    draw.first_fetch = size32(frame.fetches);
    draw.fetch_count = size32(order.order) * recorded.call.instance_count;
    memory.make_room(frame.fetches, draw.fetch_count);
    for (std::uint32_t instance = 0; instance < recorded.call.instance_count; ++instance)
        for (const std::uint32_t position : order.order) frame.fetches.push_back(instance * distinct + position);
}

void record_primitives(DrawnPrimitives& drawn, Draw& draw, Frame& frame, MemoryMeter& memory) {
    draw.first_primitive = size32(frame.primitives);
    draw.assembled_primitives = size32(drawn.assembled);
    for (PrimitiveChunk& chunk : drawn.chunks) {
        draw.culled_primitives += chunk.culled;
        memory.make_room(frame.primitives, chunk.primitives.size());
        for (SetupPrimitive& made : chunk.primitives) {
            const AssembledPrimitive& source = drawn.assembled[made.clipped.source];
            const Region& box = made.raster.box;
            const auto tile = [](std::int32_t pixel) {
                return static_cast<std::uint16_t>(pixel / static_cast<std::int32_t>(trace_tile_pixels));
            };
            made.trace = size32(frame.primitives);
            Primitive primitive{size32(frame.draws), made.clipped.source, {},          tile(box.x0),
                                tile(box.y0),        tile(box.x1),        tile(box.y1)};
            std::copy(std::begin(source.vertex), std::end(source.vertex), std::begin(primitive.vertices));
            frame.primitives.push_back(primitive);
        }
    }
    draw.primitive_count = size32(frame.primitives) - draw.first_primitive;
}

}  // namespace

void record_draw(const RecordedDraw& recorded, ProgramLibrary& library, FragmentWork& work, Frame& frame,
                 MemoryMeter& memory) {
    Draw draw = describe_fragments(work);
    draw.vertex_program = recorded.vertex.program;
    draw.constant_bytes += recorded.vertex_constants.bytes();
    draw.first_constant = size32(frame.constants);
    for (const std::span<const ConstantRange> ranges : {recorded.vertex_constants.ranges(), work.constants.ranges()}) {
        memory.make_room(frame.constants, ranges.size());
        frame.constants.insert(frame.constants.end(), ranges.begin(), ranges.end());
    }
    draw.constant_count = size32(frame.constants) - draw.first_constant;
    draw.varying_count = static_cast<std::uint32_t>(
        std::count_if(recorded.vertex.shader.outputs.begin(), recorded.vertex.shader.outputs.end(),
                      [](const tgsi::Varying& output) { return output.declared; }));
    if (recorded.call.indexed) {
        draw.index_bytes = static_cast<std::uint8_t>(recorded.indices.index_bytes);
        draw.index_address = recorded.indices.resource->address() + first_index_byte(recorded.call, recorded.indices);
    }
    const std::vector<VertexAttribute>& attributes = recorded.fetcher.trace_attributes();
    draw.first_attribute = size32(frame.attributes);
    draw.attribute_count = size32(attributes);
    memory.make_room(frame.attributes, attributes.size());
    frame.attributes.insert(frame.attributes.end(), attributes.begin(), attributes.end());
    record_vertices(recorded, library, work.shaded, draw, frame, memory);
    record_primitives(work.drawn, draw, frame, memory);
    memory.make_room(frame.draws, 1);
    frame.draws.push_back(draw);

    ShadedVertices& shaded = work.shaded;
    shaded.paths = {};
    shaded.known_paths = {};
    shaded.first_access = {};
    shaded.accesses = {};
    shaded.blocks = {};
    shaded.first_constant_access = {};
    shaded.constant_accesses = {};
    shaded.constant_indices = {};
    work.drawn.assembled = {};
}

}  // namespace models::functional
