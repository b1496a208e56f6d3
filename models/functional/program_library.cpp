#include "models/functional/program_library.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/error.h"
#include "models/functional/virgl/record_stream.h"

namespace models::functional {

bool ProgramLibrary::PathOrder::operator()(const Path& a, const Path& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const PathRun& x, const PathRun& y) {
        return std::pair(x.first, x.count) < std::pair(y.first, y.count);
    });
}

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
        paths_.emplace_back();
        branches_.push_back(!found->executable.straight_line());
        if (found->executable.straight_line()) {
            intern({found->program, found->executable.straight_path()});  // always path 0
        }
    }
    return *found;
}

std::uint16_t ProgramLibrary::intern(const ProgramPath& path) {
    auto& known = paths_[path.program];
    const auto found = known.find(path.path);
    if (found != known.end()) {
        return found->second;
    }
    if (known.size() > std::numeric_limits<std::uint16_t>::max()) {
        throw engine::InputError("a shader whose warps take more than 65536 different paths is not supported");
    }
    const auto number = static_cast<std::uint16_t>(known.size());
    known.emplace(path.path, number);
    programs_[path.program].paths.push_back(path.path);
    path_bytes_ += 2 * memory_of(programs_[path.program].paths.back());
    return number;
}

}  // namespace models::functional
