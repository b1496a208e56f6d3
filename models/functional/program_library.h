// The shader programs of a recording: compiled once per text, numbered in the order of first use, with the paths that
// warps took. Not thread-safe: workers collect paths of their own, which are interned in a fixed order afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/functional/tgsi/executor.h"
#include "models/functional/tgsi/shader.h"
#include "models/functional/virgl/objects.h"
#include "models/shader/path_table.h"
#include "models/shader/program.h"

namespace models::functional {

struct CompiledShader {
    explicit CompiledShader(const std::string& text) : shader(tgsi::parse(text)), executable(shader) {}

    tgsi::Shader shader;  // its `program` has no paths: ProgramLibrary::programs() has
    tgsi::Executable executable;
    std::uint32_t program = 0;  // in ProgramLibrary::programs()
};

// A path of a program, as a worker met it.
struct ProgramPath {
    std::uint32_t program = 0;
    Path path;

    friend bool operator==(const ProgramPath&, const ProgramPath&) = default;
};

class ProgramLibrary {
  public:
    // The result lives as long as the library. `offset` is where the shader was created, for errors.
    const CompiledShader& compile(const std::string& text, std::uint64_t offset);
    // The same for a shader that is bound. Refuses one that is incomplete or of another stage than its text, and,
    // unless `undefined_as_zero`, one that may read registers which it never writes.
    const CompiledShader& compile(const ShaderObject& shader, bool undefined_as_zero);

    // The number of a path in its program; a new path is appended. Refuses more than a frame trace may have.
    std::uint16_t intern(const ProgramPath& path);
    std::uint64_t path_bytes() const { return path_bytes_; }  // of memory, of all paths of all programs

    // Whether warps can take different paths through a program; else all take path 0.
    bool branches(std::uint32_t program) const { return branches_[program]; }

    std::vector<Program>& programs() { return programs_; }
    const std::vector<Program>& programs() const { return programs_; }

  private:
    std::map<std::string, std::unique_ptr<CompiledShader>> shaders_;
    std::vector<Program> programs_;
    std::vector<PathTable> paths_;                // by program
    std::vector<bool> branches_;                  // by program
    std::size_t path_count_ = 0, run_count_ = 0;  // of all programs
    std::uint64_t path_bytes_ = 0;
};

}  // namespace models::functional
