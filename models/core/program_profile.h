// What the shader programs cost on a core: their warps, instructions and textures, and whose its time is. Cycles in the
// state `issue` are those of the program whose instruction was issued last, all others those of the oldest resident
// warp's; so the cycles of all programs in a state are those of the core in it. Cycles without a warp are no program's.
//
// The program that issues and the oldest one change far less often than instructions are issued and states entered: a
// program is told what the core has counted when another one takes its place. CoreTime does it for the time.
//
// A frame's figures go to `series` at its end, program by program. In results.h5: records/programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/series.h"
#include "models/core/core_state.h"

namespace models {

class ProgramProfile {
  public:
    struct Work {
        std::uint64_t warps = 0, threads = 0, warp_instructions = 0, thread_instructions = 0, texture_accesses = 0;
        std::array<std::uint64_t, core_states> cycles = {};  // of the core
        friend bool operator==(const Work&, const Work&) = default;
        void add(const Work& other);
    };
    // Numbers of a program in `series`: the program, and its work.
    static constexpr std::size_t numbers = 1 + sizeof(Work) / sizeof(std::uint64_t);

    explicit ProgramProfile(engine::CounterList* list) : series(list) {}

    // Of so many programs, of which there is one at least.
    void begin_frame(std::size_t programs) {
        work_.assign(programs, Work{});
        warps_ = textures_ = 0;
        threads_ = 0;
    }
    // After all that was counted has been told.
    void end_frame();

    void launched(std::uint32_t program, std::uint64_t threads) {
        if (program != launching_) [[unlikely]] {
            tell_counts();
            launching_ = program;
        }
        ++warps_;
        threads_ += threads;
    }
    void asked_texture(std::uint32_t program) {
        if (program != asking_) [[unlikely]] {
            tell_counts();
            asking_ = program;
        }
        ++textures_;
    }

    // The program of the instruction issued last. Another one is next; so many instructions were issued up to now, of
    // all programs.
    std::uint32_t issuing() const { return issuing_; }
    void set_issuing(std::uint32_t program, std::uint64_t warp_instructions, std::uint64_t thread_instructions);
    // The program of the oldest warp, or of the last one that there was.
    std::uint32_t oldest() const { return oldest_; }
    void set_oldest(std::uint32_t program) {
        changed_ |= program != oldest_;
        oldest_ = program;
    }
    // One of the two is another one since the time was told.
    bool has_changed() const { return changed_; }
    void set_told() { changed_ = false; }

    Work& operator[](std::uint32_t program) { return work_[program]; }

    static std::vector<std::pair<std::uint32_t, Work>> read(const std::vector<std::uint64_t>& values);
    void serialize(engine::Archive& archive) {
        archive(issuing_, oldest_, changed_, launching_, asking_, warps_, textures_, threads_, told_, work_);
    }

    engine::Series series;

  private:
    void tell_counts();

    std::vector<Work> work_;  // by program
    struct {
        std::uint64_t warp_instructions = 0, thread_instructions = 0;
    } told_;
    // Of the last program that launched a warp, and of the last one that asked for a texture: not told yet.
    std::uint64_t threads_ = 0;
    std::uint32_t launching_ = 0, asking_ = 0, warps_ = 0, textures_ = 0;
    // What every step of a core looks at is at the end, beside what else it looks at (ResidentWarps).
    std::uint32_t issuing_ = 0, oldest_ = 0;
    bool changed_ = false;
};

}  // namespace models
