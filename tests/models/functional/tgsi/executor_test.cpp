// Random programs, straight and branching, against the naive interpreter: outputs, kills and the paths of every lane.
#include "models/functional/tgsi/executor.h"

#include <random>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "models/functional/tgsi/flush_denormals.h"
#include "tests/models/functional/tgsi/naive_interpreter.h"

namespace models::functional::tgsi {
namespace {

// Writes programs: TEMP[0..3] hold floats, TEMP[4..7] integers, TEMP[8] to TEMP[11] count the rounds of loops. Floats
// are never read as bits, since the sign of a "not a number" may differ.
class Writer {
  public:
    Writer(std::uint32_t seed, bool branching) : random_(seed), branching_(branching) {}

    std::string program() {
        text_ =
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n"
            "DCL OUT[1], COLOR[1]\nDCL CONST[0..3]\nDCL CONST[1][0..2]\nDCL TEMP[0..3], ARRAY(1), LOCAL\n"
            "DCL TEMP[4..11]\nDCL ADDR[0]\n"
            "IMM[0] FLT32 {0.0, 1.0, -0.5, 2.0}\nIMM[1] INT32 {1, -1, 3, 5}\nIMM[2] UINT32 {0, 2, 7, 4294967295}\n";
        block(12 + pick(12), 0);
        text_ += "MOV OUT[0], TEMP[" + std::to_string(pick(4)) + "]\nI2F OUT[1], TEMP[" + std::to_string(4 + pick(4)) +
                 "]\nEND\n";
        if (subroutine_) text_ += subroutine_text();
        resolve_call();
        return text_;
    }

  private:
    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
    std::string one_of(const std::vector<std::string>& choices) {
        return choices[pick(static_cast<std::uint32_t>(choices.size()))];
    }

    std::string swizzle() {
        std::string s = ".";
        for (int i = 0; i < 4; ++i) s += "xyzw"[pick(4)];
        return pick(3) == 0 ? s : (pick(2) == 0 ? std::string() : "." + std::string(4, "xyzw"[pick(4)]));
    }
    std::string mask() {
        std::string s = ".";
        for (const char c : std::string("xyzw"))
            if (pick(2) == 0) s += c;
        return s.size() == 1 || pick(2) == 0 ? "" : s;
    }
    std::string modified(std::string operand) {
        if (pick(6) == 0) operand = "|" + operand + "|";
        return pick(4) == 0 ? "-" + operand : operand;
    }
    std::string floats() {
        const std::string number = std::to_string(pick(4));
        const std::string operand = one_of({"TEMP[" + number + "]", "TEMP[" + number + "]", "IN[0]", "IN[1]",
                                            "CONST[" + number + "]", "CONST[1][" + std::to_string(pick(3)) + "]",
                                            "IMM[0]", "CONST[ADDR[0].x+1]", "TEMP[ADDR[0].x+1](1)"});
        return modified(operand + swizzle());
    }
    std::string integers() {
        return modified(one_of({"TEMP[" + std::to_string(4 + pick(4)) + "]",
                                "TEMP[" + std::to_string(4 + pick(4)) + "]", "IMM[1]", "IMM[2]"}) +
                        swizzle());
    }
    std::string float_temp() {
        return pick(10) == 0 ? "TEMP[ADDR[0].x](1)" : "TEMP[" + std::to_string(pick(4)) + "]" + mask();
    }
    std::string integer_temp() { return "TEMP[" + std::to_string(4 + pick(4)) + "]" + mask(); }
    std::string saturate() { return pick(8) == 0 ? "_SAT " : " "; }

    void line(const std::string& text) { text_ += text + "\n"; }

    void straight() {
        const std::string f = ", " + floats(), g = ", " + floats(), h = ", " + floats(), i = ", " + integers(),
                          j = ", " + integers();
        switch (pick(12)) {
            case 0:
                line(one_of({"MOV", "FRC", "FLR", "SSG", "RCP"}) + saturate() + float_temp() + f);
                break;
            case 1:
            case 2:
            case 3:
                line(one_of({"ADD", "ADD", "MUL", "MIN", "MAX", "SLT", "SGE", "DP3", "DP4"}) + saturate() +
                     float_temp() + f + g);
                break;
            case 4:
            case 5:
                line(one_of({"MAD", "MAD", "LRP", "CMP"}) + saturate() + float_temp() + f + g + h);
                break;
            case 6:
                line("MOV " + integer_temp() + i);
                break;
            case 7:
                line(one_of({"UADD", "UMUL", "AND", "OR", "XOR", "SHL", "ISLT", "IMAX"}) + " " + integer_temp() + i +
                     j);
                break;
            case 8:
                line("FSLT " + integer_temp() + f + g);
                break;
            case 9:
                line("I2F " + float_temp() + i);
                break;
            case 10:
                line("UCMP " + float_temp() + i + g + h);
                break;
            default:
                line(pick(3) == 0 ? "KILL_IF " + floats() : "UARL ADDR[0].x" + i);
        }
    }

    void block(std::uint32_t length, int depth) {
        for (std::uint32_t n = 0; n < length; ++n)
            if (!branching_ || depth > 3 || pick(4) != 0)
                straight();
            else
                structure(depth);
    }

    void structure(int depth) {
        const std::uint32_t length = 1 + pick(4);
        switch (pick(6)) {
            case 0:
            case 1:
                line(pick(2) == 0 ? "IF " + floats() : "UIF " + integers());
                block(length, depth + 1);
                if (pick(2) == 0) {
                    line("ELSE");
                    block(length, depth + 1);
                }
                line("ENDIF");
                break;
            case 2:
                loop(length, depth);
                break;
            case 3:
                choice(length, depth);
                break;
            case 4:
                if (!subroutine_ || pick(2) == 0) line("CAL :@");
                subroutine_ = true;
                break;
            default:
                line("IF " + floats());
                if (pick(8) == 0) line("RET");
                line("ENDIF");
        }
    }

    // Each lane leaves after a number of rounds of its own.
    void loop(std::uint32_t length, int depth) {
        const std::string counter = "TEMP[" + std::to_string(8 + depth) + "]";
        line("MOV " + counter + ", IMM[2].xxxx");
        line("BGNLOOP");
        line("UADD " + counter + ".x, " + counter + ".xxxx, IMM[1].xxxx");
        line("ISLT " + counter + ".y, IMM[1].wwww, " + counter + ".xxxx");
        line("UIF " + counter + ".yyyy");
        line("BRK");
        line("ENDIF");
        block(length, depth + 1);
        line("UIF " + integers());
        line(one_of({"BRK", "CONT"}));
        line("ENDIF");
        block(length, depth + 1);
        line("ENDLOOP");
    }

    void choice(std::uint32_t length, int depth) {
        line("AND TEMP[5], " + integers() + ", IMM[1].zzzz");
        line("SWITCH TEMP[5].xxxx");
        const std::uint32_t fallback = pick(4);
        for (std::uint32_t label = 0; label < 3; ++label) {
            line(label == fallback ? "DEFAULT"
                                   : "CASE " + one_of({"IMM[1].xxxx", "IMM[2].xxxx", "IMM[2].yyyy", "IMM[1].zzzz"}));
            block(length, depth + 1);
            if (pick(2) == 0) line("BRK");
        }
        line("ENDSWITCH");
    }

    std::string subroutine_text() {
        std::string saved;
        saved.swap(text_);
        const bool branching = branching_;
        branching_ = false;
        line("BGNSUB");
        block(3, 0);
        line("IF " + floats());
        line("RET");
        line("ENDIF");
        block(3, 0);
        line("ENDSUB");
        branching_ = branching;
        saved.swap(text_);
        return saved;
    }

    // "CAL :@" gets the program counter of BGNSUB.
    void resolve_call() {
        int pc = 0;
        std::string sub;
        for (std::size_t at = 0; at < text_.size(); at = text_.find('\n', at) + 1) {
            const std::string name = text_.substr(at, text_.find_first_of(" \n", at) - at);
            if (name == "BGNSUB") sub = std::to_string(pc);
            if (find_opcode(name.substr(0, name.find("_SAT")))) ++pc;
        }
        for (std::size_t at = text_.find('@'); at != std::string::npos; at = text_.find('@')) text_.replace(at, 1, sub);
    }

    std::mt19937 random_;
    bool branching_, subroutine_ = false;
    std::string text_;
};

Path runs_of(const std::vector<std::size_t>& executed) {
    Path path;
    for (const std::size_t pc : executed)
        if (!path.empty() && path.back().first + path.back().count == static_cast<int>(pc))
            ++path.back().count;
        else
            path.push_back({static_cast<std::uint16_t>(pc), 1});
    return path;
}

// A program with random inputs, run over a batch and then lane by lane.
class Comparison {
  public:
    Comparison(const std::string& text, std::uint32_t seed) : run_(text), random_(seed) {
        run_.constants.resize(2);
        for (int i = 0; i < 16; ++i) run_.constants[0].push_back(value());
        for (int i = 0; i < 8; ++i) run_.constants[1].push_back(value());  // shorter than declared
        for (std::size_t r = 0; r < inputs_.size(); ++r) {
            for (Vec4& lane : inputs_[r]) lane = {value(), value(), value(), value()};
            run_.set_input(r, [&](int lane) { return inputs_[r][static_cast<std::size_t>(lane)]; });
        }
        lanes_ = random_() % 2 == 0 ? ~LaneMask{0} : LaneMask{random_()} << 32 | random_() | 1;
    }

    void check() {
        run_.run(lanes_);
        const FlushDenormals flush;
        NaiveInterpreter naive(run_.shader, run_.constants);
        bool same = true;
        std::vector<std::size_t> first;
        for (int lane = 0; lane < batch_lanes; ++lane) {
            if ((lanes_ >> lane & 1) == 0) continue;
            const auto l = static_cast<std::size_t>(lane);
            naive.inputs = {inputs_[0][l], inputs_[1][l]};
            naive.run();
            ASSERT_NO_FATAL_FAILURE(check_lane(naive, lane));
            executed_[l] = naive.executed;
            if (first.empty()) first = naive.executed;
            same = same && naive.executed == first;
        }
        EXPECT_EQ(run_.executor.same_path(), same);
        if (run_.executable.straight_line() && (lanes_ & 0xf) == 0xf) {
            EXPECT_EQ(run_.path(0xf), run_.executable.straight_path());
        }
        for (int quad = 0; quad < batch_lanes / 4; ++quad) ASSERT_NO_FATAL_FAILURE(check_quad(quad));
    }

  private:
    // What the path of a quad says of a lane is what the lane does by itself.
    void check_quad(int quad) {
        const Path path = run_.path(LaneMask{0xf} << (4 * quad));
        for (int i = 0; i < 4; ++i) {
            std::vector<std::size_t> executed;
            for (const PathRun& run : path) {
                ASSERT_EQ(run.lanes & ~0xfU, 0U);
                for (std::size_t pc = run.first; (run.lanes >> i & 1) != 0 && pc < std::size_t{run.first} + run.count;
                     ++pc)
                    executed.push_back(pc);
            }
            ASSERT_EQ(executed, executed_[static_cast<std::size_t>(4 * quad + i)]) << "quad " << quad << " lane " << i;
        }
    }

    float value() {
        const float list[] = {0.0F, -0.0F, 1.0F, -1.0F, 0.25F, 3.5F, -17.0F, 1e9F, 2.0F};
        return random_() % 2 == 0 ? list[random_() % 9]
                                  : static_cast<float>(static_cast<int>(random_() % 2000) - 1000) / 64.0F;
    }

    void check_lane(const NaiveInterpreter& naive, int lane) {
        ASSERT_EQ((run_.executor.killed() >> lane & 1) != 0, naive.killed) << "lane " << lane;
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t c = 0; c < 4; ++c) {
                const float found = run_.output(r, lane)[c], expected = naive.outputs[r][c];
                ASSERT_TRUE(as_bits(found) == as_bits(expected) || (std::isnan(found) && std::isnan(expected)))
                    << "lane " << lane << " OUT[" << r << "] component " << c << ": " << found << " instead of "
                    << expected;
            }
        ASSERT_EQ(run_.path(LaneMask{1} << lane), runs_of(naive.executed)) << "lane " << lane;
    }

    ShaderRun run_;
    std::mt19937 random_;
    std::array<std::array<Vec4, batch_lanes>, 2> inputs_ = {};
    LaneMask lanes_ = 0;
    std::array<std::vector<std::size_t>, batch_lanes> executed_;  // program counters, of the lanes that run
};

void compare(std::uint32_t seed, bool branching) {
    const std::string text = Writer(seed, branching).program();
    SCOPED_TRACE(text);
    Comparison(text, seed).check();
}

TEST(Executor, StraightProgramsComputeWhatOneLaneAtATimeWould) {
    for (std::uint32_t seed = 1; seed <= 1500 && !::testing::Test::HasFailure(); ++seed) compare(seed, false);
}

TEST(Executor, BranchingProgramsComputeWhatOneLaneAtATimeWould) {
    for (std::uint32_t seed = 1; seed <= 3000 && !::testing::Test::HasFailure(); ++seed) compare(seed, true);
}

TEST(Executor, GivesTheSameResultWhateverRanBefore) {
    ShaderRun reader(fragment("MOV OUT[0].xy, TEMP[5]\n"));
    ShaderRun writer(fragment("MOV TEMP[5], IN[0]\nMOV OUT[0], TEMP[5]\n"));
    writer.set_input(0, [](int) { return Vec4{1, 2, 3, 4}; });
    Executor executor;
    executor.bind(writer.executable, {});
    executor.run(writer.inputs.data(), nullptr, writer.outputs.data(), ~LaneMask{0});
    executor.bind(reader.executable, {});
    reader.outputs[0].c[2][7] = 99;
    executor.run(reader.inputs.data(), nullptr, reader.outputs.data(), ~LaneMask{0});
    EXPECT_EQ(reader.output(0, 7), (Vec4{0, 0, 0, 0}));
}

// In vertex and fragment programs, which run at once; moved ones keep their bits.
TEST(Executor, DenormalFloatsAreZeros) {
    ShaderRun run(
        fragment("MUL OUT[0].x, IN[0].xxxx, IN[0].yyyy\nADD OUT[0].y, IN[0].zzzz, IN[0].wwww\n"
                 "MOV OUT[0].z, IN[0].zzzz\n"));
    const float denormal = 1e-40F, small = 1e-30F;
    run.set_input(0, [&](int) { return Vec4{small, 1e-10F, denormal, 0}; }).run();
    EXPECT_EQ(as_bits(run.output(0, 3)[0]), 0U);
    EXPECT_EQ(as_bits(run.output(0, 3)[1]), 0U);
    EXPECT_EQ(as_bits(run.output(0, 3)[2]), as_bits(denormal));
    run.executor.start(run.inputs.data(), nullptr, run.outputs.data(), 1U << 3);
    ASSERT_TRUE(run.executor.advance());
    EXPECT_EQ(run.output(0, 3)[0], small * 1e-10F);
    EXPECT_NE(as_bits(run.output(0, 3)[0]), 0U);
}

TEST(Executor, RefusesMoreOperandsWithModifiersThanItNumbers) {
    const auto refusal = [](int operands) -> std::string {
        std::string text = "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\n";
        for (; operands > 1; operands -= 2) text += "ADD OUT[0], |IN[0]|, |IN[0]|\n";
        if (operands == 1) text += "MOV OUT[0], |IN[0]|\n";
        try {
            const Executable executable(parse(text + "END\n"));
        } catch (const engine::InputError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(refusal(65535), "none");
    EXPECT_EQ(refusal(65536), "TGSI program: more than 65535 operands with modifiers are not supported");
}

TEST(Executor, AnExecutableServesSeveralExecutorsAndMovesWithThem) {
    ShaderRun run(fragment("ADD OUT[0], IN[0], CONST[0]\n"));
    run.set_input(0, [](int lane) { return Vec4{static_cast<float>(lane), 0, 0, 0}; });
    const std::vector<float> small = {1, 0, 0, 0}, large = {100, 0, 0, 0};
    const std::span<const float> a[] = {small}, b[] = {large};
    Executor first, second;
    first.bind(run.executable, {a});
    second.bind(run.executable, {b});
    Executor moved = std::move(first);
    moved.run(run.inputs.data(), nullptr, run.outputs.data(), 1U << 5);
    EXPECT_EQ(run.output(0, 5)[0], 6.0F);
    second.run(run.inputs.data(), nullptr, run.outputs.data(), 1U << 5);
    EXPECT_EQ(run.output(0, 5)[0], 105.0F);
}

}  // namespace
}  // namespace models::functional::tgsi
