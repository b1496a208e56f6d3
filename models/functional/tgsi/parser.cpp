#include "models/functional/tgsi/parser.h"

#include <algorithm>
#include <array>

#include "engine/parameter.h"
#include "models/functional/tgsi/names.h"

namespace models::functional::tgsi {

Shader parse(std::string_view text) {
    return Parser(text).parse();
}

int Shader::find(const std::vector<Varying>& varyings, Semantic semantic, int index) {
    for (std::size_t i = 0; i < varyings.size(); ++i)
        if (varyings[i].declared && varyings[i].semantic == semantic && varyings[i].semantic_index == index)
            return static_cast<int>(i);
    return -1;
}

Shader Parser::parse() {
    cursor_.skip_empty_lines();
    stage();
    while (!cursor_.at_end()) statement();
    if (!ended_) cursor_.fail_expected("END");
    analyse();
    return std::move(shader_);
}

void Parser::stage() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    if (name == "VERT")
        shader_.program.stage = ShaderStage::vertex;
    else if (name == "FRAG")
        shader_.program.stage = ShaderStage::fragment;
    else if (name == "COMP")
        shader_.program.stage = ShaderStage::compute;
    else if (const std::string_view reason = stage_refusal(name); !reason.empty())
        cursor_.unsupported(start, name, reason);
    else
        cursor_.fail(start, "expected VERT, FRAG or COMP, found '" + std::string(name.substr(0, 40)) + "'");
    cursor_.end_statement();
}

void Parser::statement() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    std::string_view name = cursor_.word();
    if (ended_ && (name == "PROPERTY" || name == "DCL" || name == "IMM"))
        cursor_.fail(start, "expected a subroutine or nothing after END, found " + std::string(name));
    if (name == "PROPERTY")
        property();
    else if (name == "DCL")
        declaration();
    else if (name == "IMM")
        immediate();
    else {
        std::size_t name_start = start;
        if (name.front() >= '0' && name.front() <= '9') {  // "12: MOV ..."
            cursor_.go_to(start);
            const std::uint32_t number = cursor_.number(0xffff, "an instruction number");
            if (number != shader_.operations.size())
                cursor_.fail(start, "expected instruction " + std::to_string(shader_.operations.size()) + ", found " +
                                        std::to_string(number));
            cursor_.expect(':');
            cursor_.peek();
            name_start = cursor_.position();
            name = cursor_.word();
        }
        instruction(name, name_start);
    }
    cursor_.end_statement();
}

void Parser::property() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    cursor_.peek();
    const std::size_t value_start = cursor_.position();
    const auto one_of = [&](std::string_view no, std::string_view yes) {
        const std::string_view value = cursor_.word();
        if (value != no && value != yes)
            cursor_.fail(value_start, "expected " + std::string(no) + " or " + std::string(yes) + ", found '" +
                                          std::string(value.substr(0, 40)) + "'");
        return value == yes;
    };
    const auto number = [&] { return cursor_.number(0xffffffff, "a number"); };
    if (name == "FS_COORD_ORIGIN")
        shader_.origin_lower_left = one_of("UPPER_LEFT", "LOWER_LEFT");
    else if (name == "FS_COORD_PIXEL_CENTER")
        shader_.pixel_center_integer = one_of("HALF_INTEGER", "INTEGER");
    else if (name == "FS_COLOR0_WRITES_ALL_CBUFS")
        shader_.color0_writes_all = number() != 0;
    else if (name == "FS_EARLY_DEPTH_STENCIL")
        shader_.early_depth_stencil = number() != 0;
    else if (name == "VS_PROHIBIT_UCPS")
        shader_.prohibit_user_clip = number() != 0;
    else if (name == "VS_WINDOW_SPACE_POSITION")
        shader_.window_space_position = number() != 0;
    else if (name == "NUM_CLIPDIST_ENABLED")
        shader_.clip_distances = cursor_.number(8, "a number");
    else if (name == "NUM_CULLDIST_ENABLED") {
        if (number() != 0) cursor_.unsupported(start, name, "cull distances");
    } else if (name == "FS_DEPTH_LAYOUT" || name == "SEPARABLE_PROGRAM" || name == "NEXT_SHADER" ||
               name == "LEGACY_MATH_RULES") {
        // Promises to the compiler (how depth changes, how stages are linked) that change no result here.
        if (name == "LEGACY_MATH_RULES" && cursor_.peek() != '0') cursor_.unsupported(start, name, "0 * infinity = 0");
        cursor_.line();
    } else if (name == "FS_BLEND_EQUATION_ADVANCED")
        cursor_.unsupported(start, name, "advanced blending, KHR_blend_equation_advanced");
    else if (!compute_property(name))
        cursor_.unsupported(start, name, "shader property");
}

bool Parser::compute_property(std::string_view name) {
    constexpr std::array<std::string_view, 3> names{"CS_FIXED_BLOCK_WIDTH", "CS_FIXED_BLOCK_HEIGHT",
                                                    "CS_FIXED_BLOCK_DEPTH"};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() || shader_.program.stage != ShaderStage::compute) return false;
    constexpr std::uint32_t most_threads = 1024;
    shader_.block[static_cast<std::size_t>(found - names.begin())] =
        cursor_.number(most_threads, "a number of threads");
    return true;
}

}  // namespace models::functional::tgsi
