// The scoreboard of a core whose instructions finish in any order: which registers of which warps have results or reads
// under way. Registers are numbered as RegisterUse does. Plain data: no time, no ports.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/workload/decoded_program.h"

namespace models {

class Scoreboard {
  public:
    // For warps in so many slots, of programs of at most so many registers. Forgets everything.
    void begin(std::size_t slots, std::uint32_t registers) {
        registers_ = registers + 1;  // the last one stands for textures that go to no register
        writes_.assign(slots * registers_, 0);
        reads_.assign(slots * registers_, 0);
    }

    // RAW: a source is being written. WAW, WAR: the destination is being written, or still to be read.
    bool has_raw(std::uint32_t slot, const RegisterUse& use) const {
        for (std::uint32_t i = 0; i < use.source_count; ++i)
            if (writes_[place(slot, use.sources[i])] > 0) return true;
        return false;
    }
    bool has_waw(std::uint32_t slot, const RegisterUse& use) const {
        return writes_[place(slot, use.destination)] > 0;  // of what writes nothing: of a texture for no register
    }
    bool has_war(std::uint32_t slot, const RegisterUse& use) const {
        return use.destination != RegisterUse::no_register && reads_[place(slot, use.destination)] > 0;
    }

    void begin_reads(std::uint32_t slot, const RegisterUse& use) {
        for (std::uint32_t i = 0; i < use.source_count; ++i) ++reads_[place(slot, use.sources[i])];
    }
    void end_read(std::uint32_t slot, std::uint16_t number) { --reads_[place(slot, number)]; }

    // The results of an instruction that writes: one, or one for each of its texture accesses.
    void begin_write(std::uint32_t slot, std::uint16_t number, std::uint32_t results = 1) {
        writes_[place(slot, number)] = static_cast<std::uint8_t>(results);
    }
    // One of them has come; true: it was the last, and it is not yet written.
    bool end_access(std::uint32_t slot, std::uint16_t number) {
        if (writes_[place(slot, number)] == 1) return true;
        --writes_[place(slot, number)];
        return false;
    }
    void end_write(std::uint32_t slot, std::uint16_t number) { writes_[place(slot, number)] = 0; }

    std::size_t place(std::uint32_t slot, std::uint16_t number) const {
        return std::size_t{slot} * registers_ + (number == RegisterUse::no_register ? registers_ - 1U : number);
    }
    std::size_t places() const { return writes_.size(); }

    void serialize(engine::Archive& archive) { archive(writes_, reads_, registers_); }

  private:
    std::vector<std::uint8_t> writes_, reads_;  // [slot][register]: under way
    std::uint32_t registers_ = 1;
};

}  // namespace models
