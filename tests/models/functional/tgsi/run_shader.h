// Runs a TGSI text over one batch, for tests: inputs and outputs are vec4s by lane and register.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/functional/tgsi/executor.h"

namespace models::functional::tgsi {

using Vec4 = std::array<float, 4>;

inline float as_float(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}
inline std::uint32_t as_bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
inline float integer(std::int32_t value) {
    return std::bit_cast<float>(value);
}

struct ShaderRun {
    explicit ShaderRun(const std::string& text) : shader(parse(text)), executable(shader) {
        inputs.resize(shader.inputs.size());
        system_values.resize(shader.system_values.size());
        outputs.resize(shader.outputs.size());
    }

    ShaderRun& set_input(std::size_t number, const std::function<Vec4(int lane)>& value) {
        for (int lane = 0; lane < batch_lanes; ++lane) {
            const Vec4 v = value(lane);
            for (std::size_t c = 0; c < 4; ++c) inputs[number].c[c][lane] = v[c];
        }
        return *this;
    }
    ShaderRun& run(LaneMask lanes = ~LaneMask{0}) {
        std::vector<std::span<const float>> spans(constants.begin(), constants.end());
        executor.bind(executable, {spans, textures});
        executor.run(inputs.data(), system_values.data(), outputs.data(), lanes);
        return *this;
    }
    Vec4 output(std::size_t number, int lane) const {
        return {outputs[number].c[0][lane], outputs[number].c[1][lane], outputs[number].c[2][lane],
                outputs[number].c[3][lane]};
    }
    Path path(LaneMask group) const {
        Path result;
        executor.path(group, result);
        return result;
    }

    Shader shader;
    Executable executable;
    Executor executor;
    TextureSampler* textures = nullptr;
    std::vector<Vec4Lanes> inputs, system_values, outputs;
    std::vector<std::vector<float>> constants;
};

// A fragment shader with four inputs, constants, temporaries and one output around `body`. END is added unless the body
// has one.
inline std::string fragment(const std::string& body, const std::string& immediates = "") {
    return "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\n"
           "DCL IN[2], GENERIC[2], PERSPECTIVE\nDCL IN[3], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\n"
           "DCL CONST[0..7]\nDCL TEMP[0..7]\nDCL ADDR[0..1]\n" +
           immediates + body + (body.find("\nEND\n") == std::string::npos ? "END\n" : "");
}

}  // namespace models::functional::tgsi
