// How many fragments per second the functional renderer shades, tests, blends and (where it says so) traces: whole
// frames of 1024 x 512 pixels under eight layers of large triangles, by what a fragment does. Arguments: threads,
// traced or not.
#include <string_view>

#include <benchmark/benchmark.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::uint32_t width = 1024, height = 512;
constexpr int layers = 8;

constexpr std::string_view lit_program = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..2]
IMM[0] FLT32 {0x3f000000, 0x3e800000, 0x3f800000, 0x41a00000}
  0: DP3 TEMP[0].x, IN[0], IN[0]
  1: RSQ TEMP[0].x, TEMP[0].xxxx
  2: MUL TEMP[1].xyz, IN[0], TEMP[0].xxxx
  3: DP3 TEMP[2].x, TEMP[1], IMM[0]
  4: MAX TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy
  5: POW TEMP[2].y, TEMP[2].xxxx, IMM[0].wwww
  6: MAD OUT[0], IN[0], TEMP[2].xxxx, TEMP[2].yyyy
  7: END
)";

enum class Kind { plain, lit, textured, blended };

Scene scene_of(Kind kind) {
    Scene scene(width, height);
    scene.clear(Scene::clear_all);
    if (kind == Kind::lit) scene.fragment_shader(lit_program);
    if (kind == Kind::blended) scene.blend(Scene::translucent);
    if (kind == Kind::textured) {
        scene.fragment_shader(functional::textured);
        scene.bind_texture(scene.texture(256, {WordList(std::size_t{256} * 256, 0xff8040ffU)}), 0, true);
    }
    scene.vertices(whole_window(0));
    for (int layer = 0; layer < layers; ++layer) scene.draw_call(6, Scene::triangles);
    scene.end_frame();
    return scene;
}

void fragments(benchmark::State& state, Kind kind) {
    const Scene scene = scene_of(kind);
    const bool traced = state.range(1) != 0;
    std::int64_t shaded = 0;
    for (auto _ : state) {
        FunctionalRenderer renderer(scene.stream.bytes(), {.threads = static_cast<int>(state.range(0))});
        Frame frame;
        renderer.next_frame(traced ? &frame : nullptr, nullptr, nullptr);
        benchmark::DoNotOptimize(frame.quads.data());
        shaded += std::int64_t{width} * height * layers;
    }
    state.counters["fragments"] = benchmark::Counter(static_cast<double>(shaded), benchmark::Counter::kIsRate);
}

void arguments(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"threads", "traced"})->ArgsProduct({{1, 2}, {0, 1}})->UseRealTime();
}

BENCHMARK_CAPTURE(fragments, plain, Kind::plain)->Apply(arguments);
BENCHMARK_CAPTURE(fragments, lit, Kind::lit)->Apply(arguments);
BENCHMARK_CAPTURE(fragments, textured, Kind::textured)->Apply(arguments);
BENCHMARK_CAPTURE(fragments, blended, Kind::blended)->Apply(arguments);

}  // namespace
}  // namespace models::functional
