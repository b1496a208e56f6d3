#include "models/functional/raster/assembly.h"

#include <cassert>

namespace models::functional {

namespace {

// Takes one run apart; positions are relative to the run's first vertex.
class Assembler {
  public:
    Assembler(Provoking provoking, std::uint32_t first, std::vector<AssembledPrimitive>& out)
        : provoking_last_(provoking == Provoking::last),
          first_(first),
          out_(out) {}

    void points(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) triangle(i, i, i);
    }
    void lines(std::uint32_t count, std::uint32_t step) {
        for (std::uint32_t i = 0; i + 1 < count; i += step) line(i, i + 1);
    }
    void line(std::uint32_t a, std::uint32_t b) { triangle(a, b, b); }

    void triangles(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 2 < count; i += 3) triangle(i, i + 1, i + 2);
    }
    // Every second triangle runs backwards and is mirrored, keeping the provoking vertex in its place.
    void strip(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 2 < count; ++i) {
            const std::uint32_t odd = i & 1;
            provoking_last_ ? triangle(i + odd, i + 1 - odd, i + 2) : triangle(i, i + 1 + odd, i + 2 - odd);
        }
    }
    void fan(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 2 < count; ++i)
            provoking_last_ ? triangle(0, i + 1, i + 2) : triangle(i + 1, i + 2, 0);
    }
    void quads(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 3 < count; i += 4) {
            provoked_by(i + 3, i, i + 1);
            provoked_by(i + 3, i + 1, i + 2);
        }
    }
    // The corners around a strip's quad are i, i + 1, i + 3, i + 2.
    void quad_strip(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 3 < count; i += 2) {
            provoked_by(i + 3, i, i + 1);
            provoked_by(i + 3, i + 2, i);
        }
    }
    void polygon(std::uint32_t count) {
        for (std::uint32_t i = 0; i + 2 < count; ++i) provoked_by(0, i + 1, i + 2);
    }

  private:
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        out_.push_back({{first_ + a, first_ + b, first_ + c}});
    }
    // A triangle whose vertex `a` provokes, whatever the convention; turned, not mirrored.
    void provoked_by(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        provoking_last_ ? triangle(b, c, a) : triangle(a, b, c);
    }

    bool provoking_last_;
    std::uint32_t first_;
    std::vector<AssembledPrimitive>& out_;
};

}  // namespace

int vertices_between_primitives(PrimitiveMode mode) {
    switch (mode) {
        case PrimitiveMode::lines:
        case PrimitiveMode::quads:  // two triangles for four vertices
            return 2;
        case PrimitiveMode::triangles:
            return 3;
        default:
            return 1;
    }
}

PrimitiveKind kind_of(PrimitiveMode mode) {
    if (mode == PrimitiveMode::points) return PrimitiveKind::point;
    return mode < PrimitiveMode::triangles ? PrimitiveKind::line : PrimitiveKind::triangle;
}

void assemble(PrimitiveMode mode, Provoking provoking, std::uint32_t first, std::uint32_t count,
              std::vector<AssembledPrimitive>& out) {
    Assembler run(provoking, first, out);
    switch (mode) {
        case PrimitiveMode::points:
            return run.points(count);
        case PrimitiveMode::lines:
            return run.lines(count, 2);
        case PrimitiveMode::line_strip:
            return run.lines(count, 1);
        case PrimitiveMode::line_loop:
            run.lines(count, 1);
            if (count >= 2) run.line(count - 1, 0);
            return;
        case PrimitiveMode::triangles:
            return run.triangles(count);
        case PrimitiveMode::triangle_strip:
            return run.strip(count);
        case PrimitiveMode::triangle_fan:
            return run.fan(count);
        case PrimitiveMode::quads:
            return run.quads(count);
        case PrimitiveMode::quad_strip:
            return run.quad_strip(count);
        case PrimitiveMode::polygon:
            return run.polygon(count);
    }
    assert(false && "the caller refuses other modes");
}

std::vector<VertexRun> split_at_restart(std::span<const std::uint32_t> indices, std::uint32_t restart,
                                        std::vector<std::uint32_t>& kept) {
    std::vector<VertexRun> runs;
    kept.clear();
    std::uint32_t first = 0;
    const auto end_run = [&] {
        const auto end = static_cast<std::uint32_t>(kept.size());
        if (end > first) runs.push_back({first, end - first});
        first = end;
    };
    for (const std::uint32_t index : indices)
        if (index == restart)
            end_run();
        else
            kept.push_back(index);
    end_run();
    return runs;
}

}  // namespace models::functional
