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
    // `by_component`: registers are written and read component by component; if not, as a whole.
    explicit Scoreboard(bool by_component)
        : told_apart_(by_component ? all_components : 0),
          as_a_whole_(by_component ? 0 : 1) {}

    // For warps in so many slots, of programs of at most so many registers. Forgets everything.
    void begin(std::size_t slots, std::uint32_t registers) {
        registers_ = registers + 1;  // the last one stands for textures that go to no register
        writes_.assign(slots * registers_, 0);
        results_.assign(slots * registers_, 0);
        reads_.assign(slots * registers_, 0);
    }

    // RAW: a source is being written. WAW, WAR: the destination is being written, or still to be read.
    bool has_raw(std::uint32_t slot, const RegisterUse& use) const {
        for (std::uint32_t i = 0; i < use.source_count; ++i)
            if ((writes_[place(slot, use.sources[i])] & mask(use.source_components[i])) != 0) return true;
        return false;
    }
    bool has_waw(std::uint32_t slot, const RegisterUse& use) const {
        return (writes_[place(slot, use.destination)] & written(use.destination, use.destination_components)) != 0;
    }
    // Of those of RAW and WAW: a texture is awaited.
    bool awaits_texture(std::uint32_t slot, const RegisterUse& use) const {
        std::uint32_t awaited = (writes_[place(slot, use.destination)] >> textures_from) &
                                written(use.destination, use.destination_components);
        for (std::uint32_t i = 0; i < use.source_count; ++i)
            awaited |= (writes_[place(slot, use.sources[i])] >> textures_from) & mask(use.source_components[i]);
        return awaited != 0;
    }
    bool has_war(std::uint32_t slot, const RegisterUse& use) const {
        return use.destination != RegisterUse::no_register &&
               (reads_[place(slot, use.destination)] &
                lanes(written(use.destination, use.destination_components)) * most_reads) != 0;
    }

    void begin_reads(std::uint32_t slot, const RegisterUse& use) {
        for (std::uint32_t i = 0; i < use.source_count; ++i)
            reads_[place(slot, use.sources[i])] += lanes(mask(use.source_components[i]));
    }
    void end_read(std::uint32_t slot, const RegisterUse& use, std::uint32_t source) {
        reads_[place(slot, use.sources[source])] -= lanes(mask(use.source_components[source]));
    }

    // The result of an instruction that writes.
    void begin_write(std::uint32_t slot, const RegisterUse& use) {
        const std::size_t at = place(slot, use.destination);
        writes_[at] = static_cast<std::uint8_t>(writes_[at] | written(use.destination, use.destination_components));
    }
    // Of a texture instruction: one for each of its accesses.
    void begin_texture(std::uint32_t slot, const RegisterUse& use, std::uint32_t accesses) {
        const std::size_t at = place(slot, use.destination);
        const std::uint32_t components = written(use.destination, use.destination_components);
        writes_[at] = static_cast<std::uint8_t>(writes_[at] | components | components << textures_from);
        results_[at] = static_cast<std::uint8_t>(accesses);
    }
    // One of those of a texture has come; true: it was the last, and it is not yet written.
    bool end_access(std::uint32_t slot, std::uint16_t number) { return --results_[place(slot, number)] == 0; }
    void end_write(std::uint32_t slot, std::uint16_t number, std::uint8_t components) {
        const std::size_t at = place(slot, number);
        const std::uint32_t there = written(number, components);
        writes_[at] = static_cast<std::uint8_t>(writes_[at] & ~(there | there << textures_from));
    }

    std::size_t place(std::uint32_t slot, std::uint16_t number) const {
        return std::size_t{slot} * registers_ + (number == RegisterUse::no_register ? registers_ - 1U : number);
    }
    std::size_t places() const { return writes_.size(); }

    void serialize(engine::Archive& archive) { archive(writes_, results_, reads_, registers_); }

  private:
    static constexpr std::uint32_t textures_from = 4;    // bit of writes_
    static constexpr std::uint64_t most_reads = 0xffff;  // of a component at once, in 16 bits for each: more than the
                                                         // largest issue buffer and all collector units have operands
    // A register as a whole stands as its first component.
    std::uint32_t mask(std::uint32_t components) const { return (components & told_apart_) | as_a_whole_; }
    // Of what writes nothing: of a texture for no register.
    std::uint32_t written(std::uint16_t number, std::uint8_t components) const {
        return number == RegisterUse::no_register ? 1 : mask(components);
    }
    // 16 bits for each bit.
    static std::uint64_t lanes(std::uint64_t mask) {
        return (mask & 1U) | (mask & 2U) << 15 | (mask & 4U) << 30 | (mask & 8U) << 45;
    }

    std::uint32_t told_apart_, as_a_whole_;  // masks: of components that are, or of the one that stands for all
    std::vector<std::uint8_t> writes_;       // [slot][register]: mask of components under way; above, of a texture's
    std::vector<std::uint8_t> results_;      // [slot][register]: of the texture instruction under way to it
    std::vector<std::uint64_t> reads_;       // [slot][register]: under way, by component
    std::uint32_t registers_ = 1;
};

}  // namespace models
