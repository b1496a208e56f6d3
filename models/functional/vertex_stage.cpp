#include "models/functional/vertex_stage.h"

#include <algorithm>
#include <bit>

#include "engine/error.h"

namespace models::functional {

namespace {

constexpr std::uint32_t chunk_vertices = 1024;  // of one work item: a draw below it runs on the calling thread

std::uint32_t system_value(const tgsi::Varying& varying, std::uint32_t id, std::uint32_t instance,
                           const DrawCall& call) {
    switch (varying.semantic) {
        case tgsi::Semantic::vertex_id:
            return id;
        case tgsi::Semantic::vertex_id_nobase:
            return id - call.index_bias;
        case tgsi::Semantic::instance_id:
            return instance;
        case tgsi::Semantic::base_vertex:
            return call.indexed ? call.index_bias : 0;
        case tgsi::Semantic::base_instance:
            return call.start_instance;
        case tgsi::Semantic::draw_id:
            return call.draw_id;
        default:
            throw engine::InputError("a system value that vertex shaders do not have");
    }
}

}  // namespace

// What one work item adds to the trace; positions count from the item's own start.
struct VertexStage::ChunkTrace {
    std::vector<std::uint32_t> paths;
    std::vector<ProgramPath> known_paths;
    std::vector<std::uint32_t> first_access;
    std::vector<TextureAccess> accesses;
    std::vector<BlockNumber> blocks;
    std::vector<std::uint32_t> first_constant_access;
    std::vector<ConstantAccess> constant_accesses;
    std::vector<std::uint16_t> constant_indices;
};

// One thread's registers.
struct VertexStage::Worker {
    tgsi::Executor executor;
    TextureUnit textures;
    Footprint footprint;
    AccessSplitter splitter;
    std::vector<tgsi::ConstantIndices> constant_log;
    std::vector<Vec4Lanes> inputs, outputs, system_values;
    std::array<std::uint32_t, batch_lanes> ids{}, instances{};
    Path path;

    void bind(const VertexWork& work, bool trace);
    void run(const VertexWork& work, std::uint32_t first, int count);
    void store(const VertexWork& work, std::uint32_t first, int count, ShadedVertices& out) const;
    void record(const VertexWork& work, int count, ChunkTrace& trace);
};

void VertexStage::Worker::bind(const VertexWork& work, bool trace) {
    const tgsi::Shader& shader = work.program.shader;
    inputs.assign(std::max<std::size_t>(shader.inputs.size(), static_cast<std::size_t>(work.fetcher.attributes())),
                  Vec4Lanes{});
    outputs.resize(shader.outputs.size());
    system_values.resize(shader.system_values.size());
    textures.begin(work.textures, LaneGrouping::lanes, trace ? &footprint : nullptr);
    executor.bind(
        work.program.executable,
        {.constants = work.constants.spans(), .textures = &textures, .constant_log = trace ? &constant_log : nullptr});
}

void VertexStage::Worker::run(const VertexWork& work, std::uint32_t first, int count) {
    const auto distinct = static_cast<std::uint32_t>(work.order.distinct.size());
    const std::vector<tgsi::Varying>& values = work.program.shader.system_values;
    for (int lane = 0; lane < count; ++lane) {
        const std::uint32_t vertex = first + static_cast<std::uint32_t>(lane);
        const auto l = static_cast<std::size_t>(lane);
        ids[l] = work.order.distinct[vertex % distinct];
        instances[l] = vertex / distinct;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i].declared) {
                const std::uint32_t value = system_value(values[i], ids[l], instances[l], work.call);
                for (auto& component : system_values[i].c) component[lane] = std::bit_cast<float>(value);
            }
        }
    }
    work.fetcher.fetch(ids.data(), instances.data(), count, inputs.data());
    const LaneMask lanes = count == batch_lanes ? ~LaneMask{0} : (LaneMask{1} << count) - 1;
    footprint.clear();
    constant_log.clear();
    executor.run(inputs.data(), system_values.data(), outputs.data(), lanes);
}

namespace {

bool is_colour(const tgsi::Varying& output) {
    return output.semantic == tgsi::Semantic::color || output.semantic == tgsi::Semantic::bcolor;
}

void store_register(const Vec4Lanes& from, int count, bool clamp, float* to, std::size_t stride) {
    for (int lane = 0; lane < count; ++lane, to += stride) {
        for (int c = 0; c < 4; ++c) {
            const float value = from.c[c][lane];
            to[c] = clamp ? std::clamp(value, 0.0F, 1.0F) : value;
        }
    }
}

}  // namespace

void VertexStage::Worker::store(const VertexWork& work, std::uint32_t first, int count, ShadedVertices& out) const {
    const Linkage& linkage = work.linkage;
    VertexArray& vertices = out.vertices;
    const auto reg = [&](int index) -> const Vec4Lanes& { return outputs[static_cast<std::size_t>(index)]; };
    const auto stride = static_cast<std::size_t>(vertices.size() > 1 ? vertices.clip(1) - vertices.clip(0) : 0);
    store_register(reg(linkage.position_output), count, false, vertices.clip(first), stride);
    for (std::size_t i = 0; i < linkage.outputs.size(); ++i) {
        const int output = linkage.outputs[i];
        const bool clamp =
            work.clamp_colours && is_colour(work.program.shader.outputs[static_cast<std::size_t>(output)]);
        store_register(reg(output), count, clamp, vertices.attribute(first, static_cast<int>(i)), stride);
    }
    const int clip_output = linkage.clip_vertex_output >= 0 ? linkage.clip_vertex_output : linkage.position_output;
    for (int lane = 0; lane < count; ++lane) {
        const std::uint32_t vertex = first + static_cast<std::uint32_t>(lane);
        float* distances = vertices.distances(vertex);
        for (const std::uint8_t d : work.distances) *distances++ = reg(linkage.distance_outputs[d / 4U]).c[d % 4][lane];
        for (const ClipPlane& plane : work.user_planes) {
            const auto& c = reg(clip_output).c;
            *distances++ =
                plane[0] * c[0][lane] + plane[1] * c[1][lane] + plane[2] * c[2][lane] + plane[3] * c[3][lane];
        }
        if (linkage.point_size_output >= 0) out.point_sizes[vertex] = reg(linkage.point_size_output).c[0][lane];
    }
}

void VertexStage::Worker::record(const VertexWork& work, int count, ChunkTrace& trace) {
    const bool straight = work.program.executable.straight_line();
    splitter.start(footprint);
    for (int lane = 0; lane < count; ++lane) {
        const LaneMask mask = LaneMask{1} << lane;
        std::uint32_t number = 0;
        if (!straight) {
            executor.path(mask, path);
            const ProgramPath met{work.program.program, path};
            number = static_cast<std::uint32_t>(std::find(trace.known_paths.begin(), trace.known_paths.end(), met) -
                                                trace.known_paths.begin());
            if (number == trace.known_paths.size()) trace.known_paths.push_back(met);
        }
        trace.paths.push_back(number);
        trace.first_access.push_back(static_cast<std::uint32_t>(trace.accesses.size()));
        splitter.append(lane, mask, trace.accesses, trace.blocks);
        trace.first_constant_access.push_back(static_cast<std::uint32_t>(trace.constant_accesses.size()));
        append_constants(constant_log, mask, trace.constant_accesses, trace.constant_indices);
    }
}

VertexStage::VertexStage(const Workers& workers)
    : workers_(&workers),
      scratch_(std::make_unique<Worker[]>(static_cast<std::size_t>(workers.count()))) {}

VertexStage::~VertexStage() = default;

namespace {

// Appends one chunk's part of the trace, making its positions absolute.
template <class Chunk>
void append(const Chunk& chunk, ShadedVertices& out) {
    const auto first_path = static_cast<std::uint32_t>(out.known_paths.size());
    const auto first_access = static_cast<std::uint32_t>(out.accesses.size());
    const auto first_block = static_cast<std::uint32_t>(out.blocks.size());
    for (const std::uint32_t path : chunk.paths) out.paths.push_back(first_path + path);
    for (const std::uint32_t access : chunk.first_access) out.first_access.push_back(first_access + access);
    for (TextureAccess access : chunk.accesses) {
        access.first_block += first_block;
        out.accesses.push_back(access);
    }
    const auto first_constant_access = static_cast<std::uint32_t>(out.constant_accesses.size());
    const auto first_index = static_cast<std::uint32_t>(out.constant_indices.size());
    for (const std::uint32_t access : chunk.first_constant_access)
        out.first_constant_access.push_back(first_constant_access + access);
    for (const ConstantAccess& access : chunk.constant_accesses)
        out.constant_accesses.push_back({first_index + access.first_index, access.index_count});
    out.constant_indices.insert(out.constant_indices.end(), chunk.constant_indices.begin(),
                                chunk.constant_indices.end());
    out.blocks.insert(out.blocks.end(), chunk.blocks.begin(), chunk.blocks.end());
    out.known_paths.insert(out.known_paths.end(), chunk.known_paths.begin(), chunk.known_paths.end());
}

}  // namespace

void VertexStage::shade(const VertexWork& work, bool trace, ShadedVertices& out) {
    const auto total = static_cast<std::uint32_t>(work.order.distinct.size() * work.call.instance_count);
    out.vertices.reset(static_cast<int>(work.linkage.outputs.size()),
                       static_cast<int>(work.user_planes.size() + work.distances.size()));
    out.vertices.resize_undefined(total);
    if (work.linkage.point_size_output >= 0) out.point_sizes.resize(total);
    const std::uint32_t chunks = (total + chunk_vertices - 1) / chunk_vertices;
    std::vector<ChunkTrace> traces(trace ? chunks : 0);
    workers_->for_each(static_cast<int>(chunks), [&](int chunk, int thread) {
        Worker& worker = scratch_[static_cast<std::size_t>(thread)];
        worker.bind(work, trace);
        const std::uint32_t begin = static_cast<std::uint32_t>(chunk) * chunk_vertices;
        const std::uint32_t end = std::min(total, begin + chunk_vertices);
        out.vertices.zero(begin, end - begin);
        for (std::uint32_t first = begin; first < end; first += batch_lanes) {
            const int count = static_cast<int>(std::min<std::uint32_t>(batch_lanes, end - first));
            worker.run(work, first, count);
            worker.store(work, first, count, out);
            if (trace) worker.record(work, count, traces[static_cast<std::size_t>(chunk)]);
        }
        classify_vertices(out.vertices, begin, end - begin, work.clip_rules, work.viewport);
    });
    for (const ChunkTrace& chunk : traces) append(chunk, out);
}

}  // namespace models::functional
