// Goes along the texture instructions of a path, in the order in which they are executed: the n-th is the n-th access
// of whoever takes the path. Plain data.
#pragma once

#include <cstdint>

#include "models/workload/decoded_program.h"

namespace models {

struct TextureCursor {
    std::uint32_t run = 0, end = 0;  // of the path, in DecodedProgram::runs: this one, and behind the last
    std::uint32_t counter = 0;       // program counter of the texture instruction

    static TextureCursor of(const DecodedProgram& program, std::uint32_t path) {
        TextureCursor cursor;
        cursor.run = program.first_run[path];
        cursor.end = program.first_run[path + 1];
        if (cursor.run != cursor.end) cursor.counter = program.runs[cursor.run].first;
        cursor.seek(program);
        return cursor;
    }
    bool is_done() const { return run == end; }
    void advance(const DecodedProgram& program) {
        ++counter;
        seek(program);
    }

  private:
    // To the first one that is not before the program counter.
    void seek(const DecodedProgram& program) {
        while (run != end) {
            counter = program.next_texture[counter];
            if (counter < std::uint32_t{program.runs[run].first} + program.runs[run].count) return;
            if (++run != end) counter = program.runs[run].first;
        }
    }
};

}  // namespace models
