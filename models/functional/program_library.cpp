#include "models/functional/program_library.h"

#include "engine/error.h"
#include "models/functional/virgl/record_stream.h"

namespace models::functional {

namespace {

void expect_at_most(std::size_t most, std::size_t found, const char* what) {
    if (found <= most) return;
    throw engine::InputError("shaders whose warps take more than " + std::to_string(most) + " " + what +
                             " altogether are not supported; fewer frames (`tessera trace --frames`) or a smaller "
                             "picture have fewer");
}

}  // namespace

const CompiledShader& ProgramLibrary::compile(const std::string& text, std::uint64_t offset) {
    std::unique_ptr<CompiledShader>& found = shaders_[text];
    if (!found) {
        try {
            found = std::make_unique<CompiledShader>(text);
        } catch (const engine::InputError& error) {
            refuse(offset, std::string("shader: ") + error.what());
        }
        found->program = static_cast<std::uint32_t>(programs_.size());
        programs_.push_back(found->shader.program);
        paths_.emplace_back(found->shader.program.stage);
        branches_.push_back(!found->executable.straight_line());
        if (found->executable.straight_line())
            intern({found->program, found->executable.straight_path()});  // always path 0
    }
    return *found;
}

const CompiledShader& ProgramLibrary::compile(const ShaderObject& shader, bool undefined_as_zero) {
    constexpr const char* names[] = {"vertex", "fragment", "compute"};
    constexpr const char* record_again = "; a new recording by `tessera record` has the application's program";
    if (shader.missing_bytes > 0)
        throw engine::InputError("a shader of which " + std::to_string(shader.missing_bytes) + " bytes are missing");
    const CompiledShader& compiled = compile(shader.text, shader.offset);
    if (compiled.shader.program.stage != shader.stage)
        throw engine::InputError("a shader bound to a stage that its text is not for");
    if (compiled.shader.shifts_floats)
        throw engine::InputError("a " + std::string(names[static_cast<std::size_t>(shader.stage)]) +
                                 " shader that shifts floats is not supported: Mesa makes it of a program with "
                                 "integers where it takes the GPU to have none, and it computes something else" +
                                 record_again);
    if (const std::int32_t temporary = compiled.shader.unwritten_temporary; temporary >= 0 && !undefined_as_zero) {
        throw engine::InputError("what is drawn is undefined: the " +
                                 std::string(names[static_cast<std::size_t>(shader.stage)]) + " shader may read TEMP[" +
                                 std::to_string(temporary) + "], which it never writes" +
                                 (compiled.shader.float_only ? record_again : ""));
    }
    return compiled;
}

std::uint16_t ProgramLibrary::intern(const ProgramPath& path) {
    PathTable& table = paths_[path.program];
    const std::size_t known = table.paths().size();
    const std::size_t runs = table.runs();
    const std::uint64_t bytes = table.bytes();
    const std::uint16_t number = table.intern(path.path);
    if (table.paths().size() > known) {
        programs_[path.program].paths.push_back(table.paths().back());
        path_bytes_ += 2 * (table.bytes() - bytes);
        run_count_ += table.runs() - runs;
        expect_at_most(most_paths, ++path_count_, "different paths");
        expect_at_most(most_path_runs, run_count_, "runs of instructions");
    }
    return number;
}

}  // namespace models::functional
