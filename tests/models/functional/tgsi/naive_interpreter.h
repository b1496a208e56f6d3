// TGSI for one lane at a time, as plainly as it can be written: a program counter, branches that jump, registers that
// are arrays. The oracle for the executor. Knows the operations that random programs are made of.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>

#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {

class NaiveInterpreter {
  public:
    NaiveInterpreter(const Shader& shader, const std::vector<std::vector<float>>& constants)
        : shader_(shader),
          constants_(constants) {}

    std::vector<Vec4> inputs, outputs;
    std::vector<std::size_t> executed;  // program counters, in order
    bool killed = false;

    void run() {
        temporaries_.assign(shader_.program.temporaries, Vec4{});
        addresses_.assign(shader_.address_registers, {});
        outputs.assign(shader_.outputs.size(), Vec4{});
        executed.clear();
        killed = false;
        std::size_t pc = 0;
        while (pc < shader_.operations.size()) {
            executed.push_back(pc);
            if (shader_.operations[pc].opcode == Opcode::end) break;
            pc = step(pc);
        }
    }

  private:
    std::size_t label(std::size_t pc) const { return static_cast<std::size_t>(shader_.operations[pc].label); }

    // The BGNLOOP or SWITCH around pc.
    std::size_t around(std::size_t pc, bool loops_only) const {
        for (std::size_t at = pc; at-- > 0;) {
            const Opcode opcode = shader_.operations[at].opcode;
            if ((opcode == Opcode::bgnloop || (opcode == Opcode::switch_ && !loops_only)) && label(at) > pc) return at;
        }
        throw std::logic_error("nothing around");
    }

    std::size_t step(std::size_t pc) {
        const Operation& operation = shader_.operations[pc];
        switch (operation.opcode) {
            case Opcode::if_:
                return source(operation, 0)[0] != 0.0F ? pc + 1 : label(pc) + 1;
            case Opcode::uif:
                return as_bits(source(operation, 0)[0]) != 0 ? pc + 1 : label(pc) + 1;
            case Opcode::else_:
            case Opcode::endloop:
                return label(pc) + 1;
            case Opcode::brk:
                return label(around(pc, false)) + 1;
            case Opcode::cont:
                return around(pc, true) + 1;
            case Opcode::switch_:
                return entry(pc);
            case Opcode::cal:
                calls_.push_back(pc + 1);
                return label(pc);
            case Opcode::ret:
                if (calls_.empty()) return shader_.operations.size();
                [[fallthrough]];
            case Opcode::endsub: {
                const std::size_t back = calls_.back();
                calls_.pop_back();
                return back;
            }
            case Opcode::endif:
            case Opcode::bgnloop:
            case Opcode::bgnsub:
            case Opcode::endswitch:
            case Opcode::case_:
            case Opcode::default_:
            case Opcode::nop:
                return pc + 1;
            case Opcode::kill:
                killed = true;
                return pc + 1;
            case Opcode::kill_if:
                for (const float value : source(operation, 0)) killed |= value < 0.0F;
                return pc + 1;
            default:
                compute(operation);
                return pc + 1;
        }
    }

    std::size_t entry(std::size_t pc) {
        const std::uint32_t value = as_bits(source(shader_.operations[pc], 0)[0]);
        std::size_t otherwise = label(pc);
        for (std::size_t at = pc + 1; at < label(pc); ++at) {
            const Operation& operation = shader_.operations[at];
            if (operation.opcode == Opcode::switch_) at = label(at);
            if (operation.opcode == Opcode::default_) otherwise = at;
            if (operation.opcode == Opcode::case_ && as_bits(source(operation, 0)[0]) == value) return at + 1;
        }
        return otherwise + 1;
    }

    std::int32_t selected(std::int32_t index, const std::optional<Indirect>& indirect) const {
        if (!indirect) return index;
        const std::int64_t wanted = std::int64_t{addresses_[indirect->address][indirect->component]} + index;
        return static_cast<std::int32_t>(
            std::min<std::int64_t>(std::max<std::int64_t>(wanted, indirect->first), indirect->last));
    }

    Vec4 source(const Operation& operation, std::size_t number) const {
        const SourceRegister& from = operation.sources[number];
        const auto index = static_cast<std::size_t>(selected(from.index, from.indirect));
        Vec4 whole = {};
        switch (from.file) {
            case RegisterFile::temporary:
                whole = temporaries_[index];
                break;
            case RegisterFile::input:
                whole = inputs[index];
                break;
            case RegisterFile::output:
                whole = outputs[index];
                break;
            case RegisterFile::constant:
                for (std::size_t c = 0; c < 4; ++c)
                    if (from.buffer < constants_.size() && index * 4 + c < constants_[from.buffer].size())
                        whole[c] = constants_[from.buffer][index * 4 + c];
                break;
            case RegisterFile::immediate:
                for (std::size_t c = 0; c < 4; ++c) whole[c] = as_float(shader_.immediates[index][c]);
                break;
            default:
                throw std::logic_error("register file");
        }
        const bool integers = is_integer(operation.opcode) && !(operation.opcode == Opcode::ucmp && number > 0);
        Vec4 result = {};
        for (std::size_t c = 0; c < 4; ++c) {
            float value = whole[from.swizzle[c]];
            if (integers) {
                std::uint32_t bits = as_bits(value);
                if (from.absolute && static_cast<std::int32_t>(bits) < 0) bits = 0 - bits;
                if (from.negate) bits = 0 - bits;
                value = as_float(bits);
            } else {
                if (from.absolute) value = std::fabs(value);
                if (from.negate) value = -value;
            }
            result[c] = value;
        }
        return result;
    }

    static bool is_integer(Opcode opcode) {
        switch (opcode) {
            case Opcode::uadd:
            case Opcode::umul:
            case Opcode::and_:
            case Opcode::or_:
            case Opcode::xor_:
            case Opcode::shl:
            case Opcode::islt:
            case Opcode::imax:
            case Opcode::i2f:
            case Opcode::uarl:
            case Opcode::uif:
            case Opcode::switch_:
            case Opcode::case_:
            case Opcode::ucmp:
                return true;
            default:
                return false;
        }
    }

    static float dot(const Vec4& a, const Vec4& b, std::size_t count) {
        float sum = a[count - 1] * b[count - 1];
        for (std::size_t c = count - 1; c > 0; --c) {
            const float product = a[c - 1] * b[c - 1];
            sum = sum + product;
        }
        return sum;
    }

    void compute(const Operation& operation) {
        Vec4 s[3] = {};
        for (std::size_t i = 0; i < operation.source_count; ++i) s[i] = source(operation, i);
        Vec4 result = {};
        for (std::size_t c = 0; c < 4; ++c) result[c] = component(operation.opcode, s, c);
        const DestinationRegister& to = operation.destination;
        const auto index = static_cast<std::size_t>(selected(to.index, to.indirect));
        for (std::size_t c = 0; c < 4; ++c) {
            if ((to.mask >> c & 1) == 0) continue;
            float value = result[c];
            if (operation.saturate) value = value > 1.0F ? 1.0F : (value > 0.0F ? value : 0.0F);
            if (to.file == RegisterFile::temporary) temporaries_[index][c] = value;
            if (to.file == RegisterFile::output) outputs[index][c] = value;
            if (to.file == RegisterFile::address) addresses_[index][c] = std::bit_cast<std::int32_t>(value);
        }
    }

    static float component(Opcode opcode, const Vec4* s, std::size_t c) {
        const float a = s[0][c], b = s[1][c], d = s[2][c];
        const std::uint32_t i = as_bits(a), j = as_bits(b);
        const auto truth = [](bool yes) { return as_float(yes ? 0xffffffffU : 0U); };
        switch (opcode) {
            case Opcode::mov:
            case Opcode::uarl:
                return a;
            case Opcode::add:
                return a + b;
            case Opcode::mul:
                return a * b;
            case Opcode::mad: {
                const float p = a * b;
                return p + d;
            }
            case Opcode::lrp: {
                const float p = a * b, q = (1.0F - a) * d;
                return p + q;
            }
            case Opcode::cmp:
                return a < 0.0F ? b : d;
            case Opcode::min:
                if (a == b) return std::signbit(a) ? a : b;
                return std::isnan(a) ? b : (std::isnan(b) || a < b ? a : b);
            case Opcode::max:
                if (a == b) return std::signbit(a) ? b : a;
                return std::isnan(a) ? b : (std::isnan(b) || a > b ? a : b);
            case Opcode::slt:
                return a < b ? 1.0F : 0.0F;
            case Opcode::sge:
                return a >= b ? 1.0F : 0.0F;
            case Opcode::fslt:
                return truth(a < b);
            case Opcode::frc:
                return a - std::floor(a);
            case Opcode::flr:
                return std::floor(a);
            case Opcode::ssg:
                return a > 0.0F ? 1.0F : (a < 0.0F ? -1.0F : 0.0F);
            case Opcode::dp3:
                return dot(s[0], s[1], 3);
            case Opcode::dp4:
                return dot(s[0], s[1], 4);
            case Opcode::rcp:
                return 1.0F / s[0][0];
            case Opcode::i2f:
                return static_cast<float>(static_cast<std::int32_t>(i));
            case Opcode::f2i:
                return std::fabs(a) < 1e9F ? integer(static_cast<std::int32_t>(a)) : integer(0);
            case Opcode::uadd:
                return as_float(i + j);
            case Opcode::umul:
                return as_float(i * j);
            case Opcode::and_:
                return as_float(i & j);
            case Opcode::or_:
                return as_float(i | j);
            case Opcode::xor_:
                return as_float(i ^ j);
            case Opcode::shl:
                return as_float(i << (j % 32));
            case Opcode::islt:
                return truth(static_cast<std::int32_t>(i) < static_cast<std::int32_t>(j));
            case Opcode::imax:
                return static_cast<std::int32_t>(i) > static_cast<std::int32_t>(j) ? a : b;
            case Opcode::ucmp:
                return i != 0 ? b : d;
            default:
                throw std::logic_error("the naive interpreter does not know " + std::string(opcode_info(opcode).name));
        }
    }

    const Shader& shader_;
    const std::vector<std::vector<float>>& constants_;
    std::vector<Vec4> temporaries_;
    std::vector<std::array<std::int32_t, 4>> addresses_;
    std::vector<std::size_t> calls_;
};

}  // namespace models::functional::tgsi
