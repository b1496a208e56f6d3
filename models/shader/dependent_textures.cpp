#include "models/shader/dependent_textures.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace models {
namespace {

// Registers whose contents depend on a texture.
class Tainted {
  public:
    bool reads(const Operand& operand) const {
        const std::vector<std::uint8_t>* const file = registers(operand.file);
        if (operand.indirect && any_address_) return true;
        if (file == nullptr) return false;
        if ((whole_files_ & bit(operand.file)) != 0) return true;
        if (operand.indirect)
            return std::any_of(file->begin(), file->end(), [](std::uint8_t components) { return components != 0; });
        return operand.index < file->size() && ((*file)[operand.index] & operand.components) != 0;
    }
    // `forget`: what the register held before is gone.
    void write(const Operand& operand, bool tainted, bool forget) {
        std::vector<std::uint8_t>* const file = registers(operand.file);
        if (file == nullptr) return;
        if (operand.indirect) {
            if (tainted || any_address_) whole_files_ |= bit(operand.file);
            return;
        }
        if (operand.index >= file->size()) file->resize(operand.index + std::size_t{1});
        std::uint8_t& components = (*file)[operand.index];
        if (tainted) {
            components = static_cast<std::uint8_t>(components | operand.components);
            any_address_ = any_address_ || operand.file == RegisterFile::address;
        } else if (forget) {
            components = static_cast<std::uint8_t>(components & ~operand.components);
        }
    }
    void join(const Tainted& other) {
        for (std::size_t f = 0; f < files; ++f) {
            registers_[f].resize(std::max(registers_[f].size(), other.registers_[f].size()));
            for (std::size_t i = 0; i < other.registers_[f].size(); ++i)
                registers_[f][i] = static_cast<std::uint8_t>(registers_[f][i] | other.registers_[f][i]);
        }
        whole_files_ |= other.whole_files_;
        any_address_ = any_address_ || other.any_address_;
    }
    friend bool operator==(const Tainted&, const Tainted&) = default;

  private:
    static constexpr std::size_t files = static_cast<std::size_t>(RegisterFile::system_value) + 1;
    static std::uint32_t bit(RegisterFile file) { return 1U << static_cast<unsigned>(file); }
    // Of the files that instructions write.
    static bool is_written(RegisterFile file) {
        return file == RegisterFile::temporary || file == RegisterFile::output || file == RegisterFile::address;
    }
    const std::vector<std::uint8_t>* registers(RegisterFile file) const {
        return is_written(file) ? &registers_[static_cast<std::size_t>(file)] : nullptr;
    }
    std::vector<std::uint8_t>* registers(RegisterFile file) {
        return is_written(file) ? &registers_[static_cast<std::size_t>(file)] : nullptr;
    }

    std::array<std::vector<std::uint8_t>, files> registers_;  // by file and number: a mask of components
    std::uint32_t whole_files_ = 0;                           // a register of the file that nobody knows
    bool any_address_ = false;                                // an address register was tainted once
};

class Flow {
  public:
    explicit Flow(std::vector<Instruction>& instructions) : instructions_(instructions) {
        const auto calls = [](const Instruction& i) { return i.opcode == Opcode::cal; };
        subroutines_ = std::any_of(instructions.begin(), instructions.end(), calls);
    }

    void run() {
        for (int round = 0; round < most_rounds; ++round) {
            const Tainted before = state_;
            const bool controlled = control_tainted_;
            walk(0, instructions_.size());
            if (!subroutines_ || (before == state_ && controlled == control_tainted_)) return;
        }
        give_up();
    }

  private:
    // Chains through loops that are longer are taken to depend on each other without looking.
    static constexpr int most_rounds = 16;

    struct Branch {
        Tainted other;         // at IF: the state before; at ELSE: that after the first branch
        bool tainted = false;  // the condition, or one around it
    };

    void give_up() {
        for (Instruction& instruction : instructions_)
            instruction.dependent = opcode_info(instruction.opcode).is_texture;
    }

    // The instructions [first, end); loops and switches until nothing changes any more.
    void walk(std::size_t first, std::size_t end) {
        for (std::size_t pc = first; pc < end; ++pc) {
            const Opcode opcode = instructions_[pc].opcode;
            if ((opcode == Opcode::bgnloop || opcode == Opcode::switch_) && !weak_)
                pc = repeat(pc);
            else
                step(instructions_[pc]);
        }
    }

    // A loop or switch, with all that is inside; returns its last instruction.
    std::size_t repeat(std::size_t first) {
        std::size_t last = first;
        for (int depth = 0; last < instructions_.size(); ++last) {
            const Opcode opcode = instructions_[last].opcode;
            if (opcode == Opcode::bgnloop || opcode == Opcode::switch_) ++depth;
            if ((opcode == Opcode::endloop || opcode == Opcode::endswitch) && --depth == 0) break;
        }
        const std::size_t end = std::min(last + 1, instructions_.size());
        const bool control = control_tainted_;
        weak_ = true;
        int round = 0;
        for (bool changed = true; changed; ++round) {
            give_up_ = give_up_ || round == most_rounds;
            const Tainted before = state_;
            const bool controlled = control_tainted_;
            walk(first, end);
            changed = !give_up_ && (before != state_ || controlled != control_tainted_);
        }
        weak_ = false;
        control_tainted_ = control;
        return end - 1;
    }

    void step(Instruction& instruction) {
        bool tainted = false;
        for (std::size_t i = 0; i < instruction.source_count; ++i)
            tainted = tainted || state_.reads(instruction.sources[i]);
        tainted = tainted || give_up_;
        branch(instruction.opcode, tainted);
        const bool texture = opcode_info(instruction.opcode).is_texture;
        instruction.dependent = texture && (tainted || controlled() || (instruction.dependent && is_weak()));
        const bool result = tainted || controlled() || (texture && instruction.opcode != Opcode::txq);
        state_.write(instruction.destination, result, !is_weak());
    }

    bool is_weak() const { return weak_ || subroutines_; }
    bool controlled() const { return control_tainted_ || (!branches_.empty() && branches_.back().tainted); }

    void branch(Opcode opcode, bool tainted) {
        switch (opcode) {
            case Opcode::if_:
            case Opcode::uif:
                branches_.push_back({state_, tainted || (!branches_.empty() && branches_.back().tainted)});
                break;
            case Opcode::else_:
                if (!branches_.empty()) std::swap(branches_.back().other, state_);
                break;
            case Opcode::endif:
                if (branches_.empty()) break;
                state_.join(branches_.back().other);
                branches_.pop_back();
                break;
            case Opcode::switch_:
            case Opcode::case_:
                control_tainted_ = control_tainted_ || tainted;
                break;
            case Opcode::brk:
            case Opcode::cont:
            case Opcode::ret:
            case Opcode::cal:
                control_tainted_ = control_tainted_ || (is_weak() && controlled());
                break;
            default:
                break;
        }
    }

    std::vector<Instruction>& instructions_;
    Tainted state_;
    std::vector<Branch> branches_;
    bool subroutines_ = false;
    bool weak_ = false;             // in a loop or switch
    bool control_tainted_ = false;  // rounds of a loop, or a case, are executed or not according to a texture
    bool give_up_ = false;
};

}  // namespace

void find_dependent_textures(std::vector<Instruction>& instructions) {
    for (Instruction& instruction : instructions) instruction.dependent = false;
    Flow(instructions).run();
}

}  // namespace models
