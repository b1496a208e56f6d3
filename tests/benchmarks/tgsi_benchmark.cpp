// How fast one thread executes TGSI: instructions per second (an instruction of a batch counts once for each lane), for
// programs like those of real applications. Texture sampling is left out: the sampler here returns a constant.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "models/functional/tgsi/executor.h"

namespace {

using namespace models::functional;

class Grey : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        benchmark::DoNotOptimize(request.coordinates[0]);
        benchmark::DoNotOptimize(result.c);
    }
};

const std::string transform =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0..7]\nDCL TEMP[0..7]\n"
    "IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}\n"
    "MUL TEMP[0], IN[0].xxxx, CONST[0]\nMAD TEMP[1], IN[0].yyyy, CONST[1], TEMP[0]\n"
    "MAD TEMP[2], IN[0].zzzz, CONST[2], TEMP[1]\nMAD OUT[0], IN[0].wwww, CONST[3], TEMP[2]\n"
    "MUL TEMP[3].xyz, IN[1].xxxx, CONST[4]\nMAD TEMP[4].xyz, IN[1].yyyy, CONST[5], TEMP[3]\n"
    "MAD TEMP[5].xyz, IN[1].zzzz, CONST[6], TEMP[4]\nDP3 TEMP[6].x, TEMP[5].xyzz, TEMP[5].xyzz\n"
    "RSQ TEMP[6].x, TEMP[6].xxxx\nMUL TEMP[5].xyz, TEMP[5], TEMP[6].xxxx\nDP3 TEMP[7].x, TEMP[5], CONST[7]\n"
    "MAX OUT[1], TEMP[7].xxxx, IMM[0].xxxx\nEND\n";

const std::string phong =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\n"
    "DCL TEMP[0..9]\nIMM[0] FLT32 {0.0, 1.0, -1.0, 20.0}\n"
    "DP3 TEMP[0].x, IN[0], IN[0]\nRSQ TEMP[0].x, TEMP[0].xxxx\nMUL TEMP[1].xyz, IN[0], TEMP[0].xxxx\n"
    "ADD TEMP[2].xyz, CONST[0], -IN[1]\nDP3 TEMP[3].x, TEMP[2], TEMP[2]\nRSQ TEMP[3].x, TEMP[3].xxxx\n"
    "MUL TEMP[2].xyz, TEMP[2], TEMP[3].xxxx\nDP3 TEMP[4].x, TEMP[1], TEMP[2]\nMAX TEMP[4].x, TEMP[4].xxxx, "
    "IMM[0].xxxx\n"
    "MUL TEMP[5].xyz, TEMP[1], TEMP[4].xxxx\nMAD TEMP[5].xyz, TEMP[5], IMM[0].wwww, -TEMP[2]\n"
    "DP3 TEMP[6].x, TEMP[5], TEMP[1]\nMAX TEMP[6].x, TEMP[6].xxxx, IMM[0].xxxx\n"
    "POW TEMP[6].x, TEMP[6].xxxx, IMM[0].wwww\nMUL TEMP[7], CONST[1], TEMP[4].xxxx\n"
    "MAD TEMP[7], CONST[2], TEMP[6].xxxx, TEMP[7]\nADD_SAT OUT[0], TEMP[7], CONST[3]\nEND\n";

const std::string noise =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..5]\nIMM[0] FLT32 {0.5, 289.0, 34.0, "
    "1.0}\n"
    "MUL TEMP[0], IN[0], IMM[0].yyyy\nFRC TEMP[1], TEMP[0]\nFLR TEMP[0], TEMP[0]\nMAD TEMP[2], TEMP[0], IMM[0].zzzz, "
    "IMM[0].wwww\n"
    "MUL TEMP[2], TEMP[2], TEMP[0]\nFRC TEMP[2], TEMP[2]\nSGE TEMP[3], TEMP[1], IMM[0].xxxx\nLRP TEMP[4], TEMP[1], "
    "TEMP[2], TEMP[3]\n"
    "SLT TEMP[5], TEMP[4], IMM[0].xxxx\nCMP TEMP[5], -TEMP[5], TEMP[4], TEMP[2]\nMAD OUT[0], TEMP[5], TEMP[4], "
    "TEMP[1]\nEND\n";

const std::string textured =
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], TEXCOORD[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
    "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..1]\nMOV TEMP[0], IN[1].xyxw\nTXP TEMP[1], TEMP[0], SAMP[0], 2D\n"
    "MUL OUT[0], TEMP[1], IN[0]\nEND\n";

const std::string branching =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nIMM[0] FLT32 {0.0, 1.0, 6.0, 0.5}\n"
    "MOV TEMP[0].x, IMM[0].xxxx\nMOV TEMP[1], IN[0]\nBGNLOOP\nSGE TEMP[2].x, TEMP[0].xxxx, IMM[0].zzzz\nIF "
    "TEMP[2].xxxx\nBRK\n"
    "ENDIF\nSLT TEMP[3].x, TEMP[1].xxxx, IMM[0].wwww\nIF TEMP[3].xxxx\nMAD TEMP[1], TEMP[1], IN[0], IMM[0].wwww\nELSE\n"
    "ADD TEMP[1], TEMP[1], -IN[0]\nENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], "
    "TEMP[1]\nEND\n";

void execute(benchmark::State& state, const std::string& text) {
    const tgsi::Shader shader = tgsi::parse(text);
    const tgsi::Executable executable(shader);
    std::vector<Vec4Lanes> inputs(shader.inputs.size()), outputs(shader.outputs.size());
    for (Vec4Lanes& input : inputs)
        for (auto& row : input.c)
            for (int i = 0; i < batch_lanes; ++i) row[i] = 0.015F * static_cast<float>(i) + 0.1F;
    const std::vector<float> constants(64, 0.75F);
    const std::span<const float> buffers[] = {constants};
    Grey grey;
    tgsi::Executor executor;
    executor.bind(executable, {buffers, &grey});
    models::Path path;
    std::int64_t instructions = 0;
    for (auto _ : state) {
        executor.run(inputs.data(), nullptr, outputs.data(), ~LaneMask{0});
        benchmark::DoNotOptimize(outputs.data());
    }
    executor.path(~LaneMask{0}, path);
    for (const models::PathRun& run : path) instructions += run.count;
    state.SetItemsProcessed(state.iterations() * instructions * batch_lanes);
}

BENCHMARK_CAPTURE(execute, vertex_transform, transform);
BENCHMARK_CAPTURE(execute, phong, phong);
BENCHMARK_CAPTURE(execute, noise, noise);
BENCHMARK_CAPTURE(execute, textured, textured);
BENCHMARK_CAPTURE(execute, branching, branching);

}  // namespace
