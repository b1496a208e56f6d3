#include "models/functional/tgsi/initialisation.h"

#include <algorithm>

#include "models/functional/tgsi/operand_use.h"

namespace models::functional::tgsi {
namespace {

// Walks the program in text order and keeps the components that every lane which comes by has written. Inside a block
// writes count until its end: lanes only leave on the way, except at ELSE, CASE and DEFAULT, where others come in.
class Walk {
  public:
    explicit Walk(const Shader& shader) : shader_(shader) {
        result_.temporaries.resize(shader.program.temporaries);
        result_.outputs.resize(shader.outputs.size());
        written_ = {std::vector<std::uint8_t>(result_.temporaries.size()),
                    std::vector<std::uint8_t>(result_.outputs.size())};
    }

    Uninitialised run() {
        for (const Operation& operation : shader_.operations) {
            for (int i = 0; i < operation.source_count; ++i) read(operation, i);
            control(operation.opcode);
            write(operation);
        }
        return std::move(result_);
    }

  private:
    struct Written {
        std::vector<std::uint8_t> temporaries, outputs;
    };

    std::vector<std::uint8_t>* file(std::vector<std::uint8_t>& temporaries, std::vector<std::uint8_t>& outputs,
                                    RegisterFile file) {
        if (file == RegisterFile::temporary) return &temporaries;
        return file == RegisterFile::output ? &outputs : nullptr;
    }

    void read(const Operation& operation, int i) {
        const SourceRegister& source = operation.sources[static_cast<std::size_t>(i)];
        auto* missing = file(result_.temporaries, result_.outputs, source.file);
        if (missing == nullptr) return;
        const auto& have = *file(written_.temporaries, written_.outputs, source.file);
        const unsigned read = components_read(operation.opcode, i, operation.destination.mask, operation.target);
        unsigned mask = 0;
        for (std::size_t c = 0; c < 4; ++c)
            if (read & (1U << c)) mask |= 1U << source.swizzle[c];
        const std::int32_t first = source.indirect ? source.indirect->first : source.index;
        const std::int32_t last = source.indirect ? source.indirect->last : source.index;
        for (auto r = static_cast<std::size_t>(first); r <= static_cast<std::size_t>(last); ++r)
            (*missing)[r] = static_cast<std::uint8_t>((*missing)[r] | (mask & ~unsigned{have[r]}));
    }

    void write(const Operation& operation) {
        const DestinationRegister& to = operation.destination;
        auto* have = file(written_.temporaries, written_.outputs, to.file);
        if (have == nullptr || to.indirect) return;
        std::uint8_t& mask = (*have)[static_cast<std::size_t>(to.index)];
        mask = static_cast<std::uint8_t>(mask | to.mask);
    }

    void control(Opcode opcode) {
        switch (opcode) {
            case Opcode::if_:
            case Opcode::uif:
            case Opcode::bgnloop:
            case Opcode::switch_:
                entries_.push_back(written_);
                break;
            case Opcode::else_:
            case Opcode::case_:
            case Opcode::default_:
                written_ = entries_.back();
                break;
            case Opcode::endif:
            case Opcode::endloop:
            case Opcode::endswitch:
                written_ = std::move(entries_.back());
                entries_.pop_back();
                break;
            case Opcode::bgnsub:  // called from anywhere
                std::fill(written_.temporaries.begin(), written_.temporaries.end(), std::uint8_t{0});
                std::fill(written_.outputs.begin(), written_.outputs.end(), std::uint8_t{0});
                break;
            case Opcode::ret:
                if (!ended_) hand_out();
                break;
            case Opcode::end:
                hand_out();
                ended_ = true;
                break;
            default:
                break;
        }
    }

    // Lanes may be done here: the caller reads all outputs.
    void hand_out() {
        for (std::size_t r = 0; r < result_.outputs.size(); ++r)
            result_.outputs[r] = static_cast<std::uint8_t>(result_.outputs[r] | (~written_.outputs[r] & 0xf));
    }

    const Shader& shader_;
    Uninitialised result_;
    Written written_;
    std::vector<Written> entries_;
    bool ended_ = false;
};

}  // namespace

Uninitialised find_uninitialised(const Shader& shader) {
    return Walk(shader).run();
}

}  // namespace models::functional::tgsi
