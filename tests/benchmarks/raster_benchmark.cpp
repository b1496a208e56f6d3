// Speed of the geometric part of the renderer on one thread, by the size of triangles: setup and coverage in quads per
// second, interpolation in quads per second for four perspective inputs, clipping in triangles per second.
#include <cstdint>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "models/functional/raster/clip.h"
#include "models/functional/raster/coverage.h"
#include "models/functional/raster/interpolate.h"

namespace models::functional {

namespace {

constexpr int screen_pixels = 1024;
constexpr Interpolation modes[] = {Interpolation::perspective, Interpolation::perspective, Interpolation::perspective,
                                   Interpolation::perspective};
const Viewport viewport = {{512, 512, 0.5F}, {512, 512, 0.5F}};

// The same numbers everywhere and every time.
class Numbers {
  public:
    float between(float low, float high) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return low + (high - low) * static_cast<float>(state_ >> 40) / 16777216.0F;
    }

  private:
    std::uint64_t state_ = 1;
};

// Triangles whose corners lie within `pixels` of each other, somewhere within `reach` times the view volume.
VertexArray make_vertices(std::uint32_t triangles, float pixels, float reach) {
    Numbers numbers;
    VertexArray vertices(4, 0);
    vertices.resize(3 * triangles);
    const float size = pixels / 512;
    for (std::uint32_t t = 0; t < triangles; ++t) {
        const float x = numbers.between(-reach, reach - size), y = numbers.between(-reach, reach - size);
        for (std::uint32_t v = 3 * t; v < 3 * t + 3; ++v) {
            const float w = numbers.between(1, 2);
            const float place[4] = {(x + numbers.between(0, size)) * w, (y + numbers.between(0, size)) * w, 0, w};
            std::copy(place, place + 4, vertices.clip(v));
            for (int i = 0; i < 16; ++i) vertices.attribute(v, 0)[i] = numbers.between(-1, 1);
        }
    }
    return vertices;
}

SetupRules setup_rules() {
    SetupRules rules;
    rules.region = {0, 0, screen_pixels - 1, screen_pixels - 1};
    return rules;
}

struct Triangle {
    ClippedPrimitive source;
    RasterPrimitive primitive;
    InterpolationBasis basis;
};

std::vector<Triangle> set_up(const VertexArray& vertices) {
    std::vector<Triangle> triangles;
    const SetupRules rules = setup_rules();
    for (std::uint32_t v = 0; v < vertices.size(); v += 3) {
        Triangle triangle;
        triangle.source = {{v, v + 1, v + 2}, v + 2, v / 3};
        if (setup_triangle(vertices.window(v), vertices.window(v + 1), vertices.window(v + 2), rules,
                           triangle.primitive, triangle.basis) == SetupOutcome::visible) {
            triangles.push_back(triangle);
        }
    }
    return triangles;
}

VertexArray classified(float pixels, float reach = 1) {
    ClipRules rules;
    rules.interpolation = modes;
    VertexArray vertices = make_vertices(4096, pixels, reach);
    classify_vertices(vertices, 0, vertices.size(), rules, viewport);
    return vertices;
}

template <class Visit>
std::int64_t visit_tiles(const RasterPrimitive& primitive, TileCoverage& coverage, Visit visit) {
    std::int64_t quads = 0;
    const Region& box = primitive.box;
    for (std::int32_t ty = box.y0 / tile_pixels; ty <= box.y1 / tile_pixels; ++ty) {
        for (std::int32_t tx = box.x0 / tile_pixels; tx <= box.x1 / tile_pixels; ++tx) {
            cover_tile(primitive, tx, ty, coverage);
            quads += coverage.count;
            visit(tx, ty);
        }
    }
    return quads;
}

void rate(benchmark::State& state, const char* name, std::int64_t items) {
    state.counters[name] = benchmark::Counter(static_cast<double>(items), benchmark::Counter::kIsRate);
}

void classify(benchmark::State& state) {
    ClipRules rules;
    rules.interpolation = modes;
    VertexArray vertices = make_vertices(4096, 10, 1);
    std::int64_t items = 0;
    for (auto _ : state) {
        classify_vertices(vertices, 0, vertices.size(), rules, viewport);
        benchmark::DoNotOptimize(vertices.window(0));
        items += vertices.size();
    }
    rate(state, "vertices", items);
}

// Twice the view volume on each side: about a quarter of the triangles is inside, the larger the more are cut.
void clip(benchmark::State& state) {
    const VertexArray vertices = classified(static_cast<float>(state.range(0)), 2);
    ClipRules rules;
    rules.interpolation = modes;
    const Clipper clipper(vertices, rules, viewport, Provoking::last);
    ClipOutput out;
    std::int64_t items = 0;
    for (auto _ : state) {
        out.made.reset(4, 0);
        out.primitives.clear();
        for (std::uint32_t v = 0; v < vertices.size(); v += 3)
            clipper.clip(PrimitiveKind::triangle, {{v, v + 1, v + 2}}, v / 3, out);
        benchmark::DoNotOptimize(out.primitives.data());
        items += vertices.size() / 3;
    }
    rate(state, "triangles", items);
}

void setup(benchmark::State& state) {
    const VertexArray vertices = classified(static_cast<float>(state.range(0)));
    std::int64_t items = 0;
    for (auto _ : state) {
        const std::vector<Triangle> triangles = set_up(vertices);
        benchmark::DoNotOptimize(triangles.data());
        items += vertices.size() / 3;
    }
    rate(state, "triangles", items);
}

void cover(benchmark::State& state) {
    const std::vector<Triangle> triangles = set_up(classified(static_cast<float>(state.range(0))));
    const auto coverage = std::make_unique<TileCoverage>();
    std::int64_t quads = 0;
    for (auto _ : state) {
        for (const Triangle& triangle : triangles) {
            quads += visit_tiles(triangle.primitive, *coverage,
                                 [&](int, int) { benchmark::DoNotOptimize(coverage->quads); });
        }
    }
    rate(state, "quads", quads);
    rate(state, "triangles",
         static_cast<std::int64_t>(triangles.size()) * static_cast<std::int64_t>(state.iterations()));
}

// Batches are filled across triangles, as small ones need.
void interpolate(benchmark::State& state) {
    const VertexArray vertices = classified(static_cast<float>(state.range(0)));
    const std::vector<Triangle> triangles = set_up(vertices);
    std::vector<InputRule> rules(4);
    for (std::size_t i = 0; i < rules.size(); ++i) rules[i].attribute = static_cast<std::int16_t>(i);
    const VertexArray none_made(4, 0);
    std::vector<Plane> storage(triangles.size() * 4 * rules.size());
    std::vector<PrimitivePlanes> planes;
    planes.reserve(triangles.size());
    for (const Triangle& triangle : triangles) {
        planes.push_back(make_planes(PrimitiveKind::triangle, triangle.source, {vertices, none_made}, triangle.basis,
                                     rules, storage.data() + planes.size() * 4 * rules.size()));
    }
    std::vector<BatchQuad> quads;
    const auto coverage = std::make_unique<TileCoverage>();
    for (std::size_t i = 0; i < triangles.size() && quads.size() < 100000; ++i) {
        visit_tiles(triangles[i].primitive, *coverage, [&](int tx, int ty) {
            for (int q = 0; q < coverage->count; ++q) {
                quads.push_back({&planes[i], tx * tile_pixels + 2 * coverage->quads[q].x,
                                 ty * tile_pixels + 2 * coverage->quads[q].y});
            }
        });
    }
    const auto inputs = std::make_unique<Vec4Lanes[]>(rules.size());
    std::int64_t items = 0;
    for (auto _ : state) {
        for (std::size_t q = 0; q + batch_quads <= quads.size(); q += batch_quads) {
            interpolate_inputs({&quads[q], batch_quads}, rules, 0.5F, nullptr, inputs.get());
            benchmark::DoNotOptimize(inputs.get());
            benchmark::ClobberMemory();
            items += batch_quads;
        }
    }
    rate(state, "quads", items);
}

}  // namespace

BENCHMARK(classify);
BENCHMARK(clip)->Arg(4)->Arg(64)->Arg(512);
BENCHMARK(setup)->Arg(4)->Arg(64);
BENCHMARK(cover)->Arg(4)->Arg(16)->Arg(64)->Arg(256)->Arg(1024);
BENCHMARK(interpolate)->Arg(4)->Arg(64)->Arg(1024);

}  // namespace models::functional
