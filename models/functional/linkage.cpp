#include "models/functional/linkage.h"

#include "engine/error.h"
#include "models/functional/tgsi/uniform_outputs.h"

namespace models::functional {

namespace {

using tgsi::Semantic;

Interpolation interpolation_of(const tgsi::Varying& input, bool flat_shade) {
    switch (input.interpolation) {
        case tgsi::Interpolation::constant:
            return Interpolation::constant;
        case tgsi::Interpolation::linear:
            return Interpolation::linear;
        case tgsi::Interpolation::perspective:
            return Interpolation::perspective;
        case tgsi::Interpolation::color:
            break;
    }
    return flat_shade ? Interpolation::constant : Interpolation::perspective;
}

// Whether points replace the input by their point coordinate.
bool is_sprite(const tgsi::Varying& input, const RasterizerObject& rasterizer) {
    if (input.semantic == Semantic::pcoord) return true;
    const bool numbered = input.semantic == Semantic::texcoord;
    return numbered && input.semantic_index < 32 && (rasterizer.sprite_coordinates >> input.semantic_index & 1U) != 0;
}

class Linker {
  public:
    Linker(const tgsi::Shader& vertex, Linkage& linkage)
        : vertex_(vertex),
          linkage_(linkage),
          uniform_(tgsi::find_uniform_outputs(vertex)) {}

    // The attribute that carries an output of the vertex program, or -1 when there is no such output.
    std::int16_t attribute(Semantic semantic, int index, Interpolation interpolation) {
        const int output = tgsi::Shader::find(vertex_.outputs, semantic, index);
        if (output < 0) return -1;
        for (std::size_t i = 0; i < linkage_.outputs.size(); ++i)
            if (linkage_.outputs[i] == output && linkage_.interpolation[i] == interpolation)
                return static_cast<std::int16_t>(i);
        linkage_.outputs.push_back(static_cast<std::int16_t>(output));
        linkage_.interpolation.push_back(interpolation);
        return static_cast<std::int16_t>(linkage_.outputs.size() - 1);
    }

    std::uint8_t uniform_components(std::int16_t attribute) const {
        return uniform_[static_cast<std::size_t>(linkage_.outputs[static_cast<std::size_t>(attribute)])];
    }

  private:
    const tgsi::Shader& vertex_;
    Linkage& linkage_;
    std::vector<std::uint8_t> uniform_;  // of its outputs
};

InputRule link_input(const tgsi::Varying& input, const RasterizerObject& rasterizer, PrimitiveKind kind,
                     Linker& linker) {
    InputRule rule{.source = InputSource::unused,
                   .interpolation = interpolation_of(input, rasterizer.flat_shade),
                   .components = input.components,
                   .centroid = input.location == tgsi::InterpolationLocation::centroid};
    if (!input.declared) return rule;
    switch (input.semantic) {
        case Semantic::position:
            rule.source = InputSource::position;
            return rule;
        case Semantic::face:
            rule.source = InputSource::facing;
            return rule;
        case Semantic::primitive_id:
            throw engine::InputError("the fragment input PRIMID is not supported");
        case Semantic::layer:
            throw engine::InputError("the fragment input LAYER is not supported");
        case Semantic::viewport_index:
            throw engine::InputError("the fragment input VIEWPORT_INDEX is not supported");
        default:
            break;
    }
    if (kind == PrimitiveKind::point && is_sprite(input, rasterizer)) {
        rule.source = InputSource::sprite;
        return rule;
    }
    rule.attribute = linker.attribute(input.semantic, input.semantic_index, rule.interpolation);
    if (rule.attribute >= 0) {
        rule.source = InputSource::attribute;
        rule.uniform = linker.uniform_components(rule.attribute);
    }
    if (input.semantic == Semantic::color && rasterizer.two_sided_light) {
        rule.back_attribute = linker.attribute(Semantic::bcolor, input.semantic_index, rule.interpolation);
        if (rule.back_attribute >= 0) {
            const std::uint8_t uniform = linker.uniform_components(rule.back_attribute);
            rule.uniform = rule.attribute < 0 ? uniform : rule.uniform & uniform;
            rule.source = InputSource::attribute;
        }
    }
    return rule;
}

}  // namespace

Linkage link(const tgsi::Shader& vertex, const tgsi::Shader& fragment, const RasterizerObject& rasterizer,
             PrimitiveKind kind) {
    Linkage linkage;
    linkage.position_output = tgsi::Shader::find(vertex.outputs, Semantic::position);
    if (linkage.position_output < 0)
        throw engine::InputError("a vertex shader that writes no position is not supported");
    linkage.point_size_output = tgsi::Shader::find(vertex.outputs, Semantic::psize);
    linkage.clip_vertex_output = tgsi::Shader::find(vertex.outputs, Semantic::clipvertex);
    for (int i = 0; i < 2; ++i) {
        const int output = tgsi::Shader::find(vertex.outputs, Semantic::clipdist, i);
        if (output >= 0) linkage.distance_outputs.push_back(static_cast<std::int16_t>(output));
    }
    linkage.position_input = tgsi::Shader::find(fragment.inputs, Semantic::position);
    Linker linker(vertex, linkage);
    for (const tgsi::Varying& input : fragment.inputs)
        linkage.inputs.push_back(link_input(input, rasterizer, kind, linker));
    return linkage;
}

}  // namespace models::functional
