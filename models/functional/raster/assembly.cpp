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

    void point(std::uint32_t a) { triangle(a, a, a); }
    void line(std::uint32_t a, std::uint32_t b) { triangle(a, b, b); }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        out_.push_back({{first_ + a, first_ + b, first_ + c}});
    }
    // A triangle whose vertex `a` provokes, whatever the convention; turned, not mirrored.
    void triangle_provoked_by(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        provoking_last_ ? triangle(b, c, a) : triangle(a, b, c);
    }

    // Every second triangle of a strip runs backwards and is mirrored, keeping the provoking vertex in its place.
    void strip(std::uint32_t i) {
        const std::uint32_t odd = i & 1;
        provoking_last_ ? triangle(i + odd, i + 1 - odd, i + 2) : triangle(i, i + 1 + odd, i + 2 - odd);
    }
    void fan(std::uint32_t i) { provoking_last_ ? triangle(0, i + 1, i + 2) : triangle(i + 1, i + 2, 0); }
    // Corners in order around the quad; d provokes.
    void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        triangle_provoked_by(d, a, b);
        triangle_provoked_by(d, b, c);
    }
    // The corners of a strip's quad around it are i, i + 1, i + 3, i + 2; the split joins i and i + 3.
    void strip_quad(std::uint32_t i) {
        triangle_provoked_by(i + 3, i, i + 1);
        triangle_provoked_by(i + 3, i + 2, i);
    }

  private:
    bool provoking_last_;
    std::uint32_t first_;
    std::vector<AssembledPrimitive>& out_;
};

}  // namespace

PrimitiveKind kind_of(PrimitiveMode mode) {
    if (mode == PrimitiveMode::points) return PrimitiveKind::point;
    return mode < PrimitiveMode::triangles ? PrimitiveKind::line : PrimitiveKind::triangle;
}

void assemble(PrimitiveMode mode, Provoking provoking, std::uint32_t first, std::uint32_t count,
              std::vector<AssembledPrimitive>& out) {
    Assembler made(provoking, first, out);
    switch (mode) {
        case PrimitiveMode::points:
            for (std::uint32_t i = 0; i < count; ++i) made.point(i);
            return;
        case PrimitiveMode::lines:
            for (std::uint32_t i = 0; i + 1 < count; i += 2) made.line(i, i + 1);
            return;
        case PrimitiveMode::line_loop:
        case PrimitiveMode::line_strip:
            for (std::uint32_t i = 0; i + 1 < count; ++i) made.line(i, i + 1);
            if (mode == PrimitiveMode::line_loop && count >= 2) made.line(count - 1, 0);
            return;
        case PrimitiveMode::triangles:
            for (std::uint32_t i = 0; i + 2 < count; i += 3) made.triangle(i, i + 1, i + 2);
            return;
        case PrimitiveMode::triangle_strip:
            for (std::uint32_t i = 0; i + 2 < count; ++i) made.strip(i);
            return;
        case PrimitiveMode::triangle_fan:
            for (std::uint32_t i = 0; i + 2 < count; ++i) made.fan(i);
            return;
        case PrimitiveMode::quads:
            for (std::uint32_t i = 0; i + 3 < count; i += 4) made.quad(i, i + 1, i + 2, i + 3);
            return;
        case PrimitiveMode::quad_strip:
            for (std::uint32_t i = 0; i + 3 < count; i += 2) made.strip_quad(i);
            return;
        case PrimitiveMode::polygon:
            for (std::uint32_t i = 0; i + 2 < count; ++i) made.triangle_provoked_by(0, i + 1, i + 2);
            return;
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
    for (const std::uint32_t index : indices) {
        if (index == restart) {
            end_run();
        } else {
            kept.push_back(index);
        }
    }
    end_run();
    return runs;
}

}  // namespace models::functional
