// The TGSI parser, the analysis, the translation to our own form, and one run of it over a batch.
#include <string_view>
#include <vector>

#include "models/functional/tgsi/executor.h"
#include "tests/fuzz/accept.h"

namespace {

using namespace models::functional;

class Coordinates : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        for (int lane = 0; lane < batch_lanes; ++lane)
            for (int c = 0; c < 4; ++c)
                result.c[c][lane] = request.coordinates[c] != nullptr ? request.coordinates[c][lane] : 1;
    }
};

// Answers with the address, and writes nothing.
class Addresses : public StorageAccess {
  public:
    void access(const StorageRequest& request, Vec4Lanes& result) override {
        for (auto& row : result.c)
            for (int lane = 0; lane < batch_lanes; ++lane)
                row[lane] = request.address[0] != nullptr ? request.address[0][lane] : 1;
    }
};

void run(const tgsi::Shader& shader) {
    const tgsi::Executable executable(shader);
    const std::vector<Vec4Lanes> inputs(shader.inputs.size()), system_values(shader.system_values.size());
    std::vector<Vec4Lanes> outputs(shader.outputs.size());
    const std::vector<float> constants(16, 1.5F);
    const std::vector<std::span<const float>> buffers(4, constants);
    Coordinates textures;
    tgsi::Executor executor;
    Addresses storage;
    executor.bind(executable, {.constants = buffers,
                               .textures = &textures,
                               .most_instructions = 10000,
                               .storage = &storage});  // or the fuzzer takes long loops for endless ones
    executor.run(inputs.data(), system_values.data(), outputs.data(), ~LaneMask{0});
    models::Path path;
    executor.path(LaneMask{0xf}, path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::accepts([&] { run(tgsi::parse({reinterpret_cast<const char*>(data), size})); });
    return 0;
}
