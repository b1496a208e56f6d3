#include "models/functional/primitive_stage.h"

#include <algorithm>
#include <string>

#include "engine/error.h"

namespace models::functional {

namespace {

constexpr std::size_t chunk_primitives = 2048;  // of one work item

class ChunkMaker {
  public:
    ChunkMaker(const VertexOrder& order, const ShadedVertices& shaded, const PrimitiveWork& work)
        : order_(order),
          shaded_(shaded),
          work_(work),
          clipper_(shaded.vertices, work.clip_rules, work.viewport, work.provoking) {}

    void make(std::span<const AssembledPrimitive> assembled, std::uint32_t first, PrimitiveChunk& out) const {
        out.clip.made.reset(shaded_.vertices.attributes(), shaded_.vertices.clip_distances());
        for (std::size_t i = 0; i < assembled.size(); ++i) {
            const std::size_t before = out.primitives.size();
            out.clip.primitives.clear();
            clipper_.clip(work_.kind, to_vertices(assembled[i]), first + static_cast<std::uint32_t>(i), out.clip);
            for (const ClippedPrimitive& clipped : out.clip.primitives) set_up(clipped, out);
            out.culled += out.primitives.size() == before ? 1U : 0U;
        }
    }

  private:
    // From positions in the order of all instances to shaded vertices.
    AssembledPrimitive to_vertices(const AssembledPrimitive& positions) const {
        const auto per_instance = static_cast<std::uint32_t>(order_.order.size());
        const auto distinct = static_cast<std::uint32_t>(order_.distinct.size());
        AssembledPrimitive vertices;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t position = positions.vertex[i];
            vertices.vertex[i] = position / per_instance * distinct + order_.order[position % per_instance];
        }
        return vertices;
    }

    void set_up(const ClippedPrimitive& clipped, PrimitiveChunk& out) const {
        if (work_.smooth_lines) {
            set_up_smooth_line(clipped, false, out);
            set_up_smooth_line(clipped, true, out);
            return;
        }
        const VertexView view{shaded_.vertices, out.clip.made};
        const float* const v0 = view.window(clipped.vertex[0]);
        const float* const v1 = view.window(clipped.vertex[1]);
        const float* const v2 = view.window(clipped.vertex[2]);
        SetupPrimitive made;
        made.clipped = clipped;
        SetupOutcome outcome = SetupOutcome::outside;
        switch (work_.kind) {
            case PrimitiveKind::triangle:
                outcome = setup_triangle(v0, v1, v2, work_.setup, made.raster, made.basis);
                break;
            case PrimitiveKind::line:
                outcome = setup_line(v0, v1, work_.setup, made.raster, made.basis);
                break;
            case PrimitiveKind::point:
                outcome = setup_point(v0, point_size(clipped.vertex[0]), work_.setup, made.raster, made.basis);
                break;
        }
        add(made, outcome, out);
    }

    void set_up_smooth_line(const ClippedPrimitive& line, bool second, PrimitiveChunk& out) const {
        const VertexView view{shaded_.vertices, out.clip.made};
        SetupPrimitive made;
        made.clipped = line;
        for (int i = 0; i < 3; ++i) made.clipped.vertex[i] = line.vertex[smooth_line_corners[second ? 1 : 0][i] / 2];
        const SetupOutcome outcome = setup_smooth_line(view.window(line.vertex[0]), view.window(line.vertex[1]), second,
                                                       work_.setup, made.raster, made.basis);
        add(made, outcome, out);
    }

    static void add(const SetupPrimitive& made, SetupOutcome outcome, PrimitiveChunk& out) {
        if (outcome == SetupOutcome::visible) {
            out.primitives.push_back(made);
        } else if (outcome == SetupOutcome::unbounded) {
            throw engine::InputError("a primitive with window coordinates beyond " +
                                     std::to_string(static_cast<std::int64_t>(window_limit)) + " is not supported");
        }
    }

    float point_size(std::uint32_t vertex) const {
        return shaded_.point_sizes.empty() ? work_.point_size : shaded_.point_sizes[vertex];
    }

    const VertexOrder& order_;
    const ShadedVertices& shaded_;
    const PrimitiveWork& work_;
    Clipper clipper_;
};

}  // namespace

void make_primitives(const DrawCall& call, const VertexOrder& order, const ShadedVertices& shaded,
                     const PrimitiveWork& work, const Workers& workers, DrawnPrimitives& out) {
    const auto per_instance = static_cast<std::uint32_t>(order.order.size());
    for (std::uint32_t instance = 0; instance < call.instance_count; ++instance)
        for (const VertexRun& run : order.runs)
            assemble(call.mode, work.provoking, instance * per_instance + run.first, run.count, out.assembled);
    if (work.discard) {
        out.chunks.resize(1);
        out.chunks[0].culled = static_cast<std::uint32_t>(out.assembled.size());
        return;
    }
    const std::size_t chunks = (out.assembled.size() + chunk_primitives - 1) / chunk_primitives;
    out.chunks.resize(chunks);
    const ChunkMaker maker(order, shaded, work);
    workers.for_each(static_cast<int>(chunks), [&](int chunk, int) {
        const std::size_t first = static_cast<std::size_t>(chunk) * chunk_primitives;
        const std::size_t count = std::min(chunk_primitives, out.assembled.size() - first);
        maker.make(std::span(out.assembled).subspan(first, count), static_cast<std::uint32_t>(first),
                   out.chunks[static_cast<std::size_t>(chunk)]);
    });
}

}  // namespace models::functional
