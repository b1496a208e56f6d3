// Every operation, one by one, against what it means written down independently: ordinary values and special ones, with
// its operands as registers, as constants and as immediates.
#include "models/functional/tgsi/kernels.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "models/functional/tgsi/flush_denormals.h"
#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

using Sources = std::array<Vec4, 4>;
using Expected = std::function<Vec4(const Sources&)>;

Vec4 each(const std::function<float(std::size_t)>& value) {
    return {value(0), value(1), value(2), value(3)};
}
Vec4 all(float value) {
    return {value, value, value, value};
}

Expected each1(const std::function<float(float)>& f) {
    return [f](const Sources& s) { return each([&](std::size_t c) { return f(s[0][c]); }); };
}
Expected each2(const std::function<float(float, float)>& f) {
    return [f](const Sources& s) { return each([&](std::size_t c) { return f(s[0][c], s[1][c]); }); };
}
Expected each3(const std::function<float(float, float, float)>& f) {
    return [f](const Sources& s) { return each([&](std::size_t c) { return f(s[0][c], s[1][c], s[2][c]); }); };
}
Expected scalar1(const std::function<double(double)>& f) {
    return [f](const Sources& s) { return all(static_cast<float>(f(static_cast<double>(s[0][0])))); };
}
float i2(float a, float b, const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
    const auto result = f(std::bit_cast<std::int32_t>(a), std::bit_cast<std::int32_t>(b));
    return as_float(static_cast<std::uint32_t>(static_cast<std::uint64_t>(result)));
}
float u2(float a, float b, const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& f) {
    return as_float(static_cast<std::uint32_t>(f(as_bits(a), as_bits(b))));
}
Expected signed2(const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
    return each2([f](float a, float b) { return i2(a, b, f); });
}
Expected unsigned2(const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& f) {
    return each2([f](float a, float b) { return u2(a, b, f); });
}
float truth(bool yes) {
    return as_float(yes ? 0xffffffffU : 0U);
}
double clamp(double x, double low, double high) {
    return std::isnan(x) ? 0 : std::fmin(std::fmax(x, low), high);
}

double tgsi_pow(double x, double y) {
    return x == 0 ? 0 : (x < 0 ? std::nan("") : std::pow(x, y));
}

enum class Values { floats, integers, angles };

struct Case {
    const char* opcode;
    Expected expected;
    Values values = Values::floats;
    double ulps = 0;  // allowed error
};

const std::vector<float>& float_values() {
    static const std::vector<float> values = {0.0F,    -0.0F,  1.0F,        -1.0F,       0.5F,       -0.5F, 1.5F,
                                              2.5F,    -2.5F,  3.7F,        -3.7F,       0.3F,       -0.3F, 100.25F,
                                              -77.75F, 1e-3F,  12345.678F,  -8388607.5F, 8388609.0F, 1e10F, -1e10F,
                                              3e38F,   1e-40F, 0.99999994F, infinity,    -infinity,  nan};
    return values;
}
const std::vector<float>& integer_values() {
    static const std::vector<float> values = [] {
        std::vector<float> result;
        for (const std::uint32_t v :
             {0U,          1U,          2U,          3U,          5U,          7U,          16U,
              31U,         32U,         33U,         255U,        65535U,      0x12345678U, 0x7fffffffU,
              0x80000000U, 0x80000001U, 0xdeadbeefU, 0xfffffff9U, 0xfffffffeU, 0xffffffffU})
            result.push_back(as_float(v));
        return result;
    }();
    return values;
}
const std::vector<float>& angle_values() {
    static const std::vector<float> values = {0.0F,       -0.0F,      0.1F,       -0.7F, 1.0F,
                                              1.5707964F, 3.1415927F, 6.2831855F, 10.0F, -25.5F,
                                              1234.5F,    -99999.0F,  1e6F,       3e7F,  -1e20F};
    return values;
}
const std::vector<float>& values_of(Values values) {
    if (values == Values::integers) return integer_values();
    return values == Values::angles ? angle_values() : float_values();
}

// Different values in every lane, component and source; all pairs of values meet over the 64 rounds.
float value_at(Values values, int round, int lane, std::size_t source, std::size_t component) {
    const std::vector<float>& list = values_of(values);
    const std::size_t steps[] = {1, 3 + 2 * static_cast<std::size_t>(round), 7, 11};
    const auto at = static_cast<std::size_t>(lane) * steps[source] + component * (source + 2) +
                    static_cast<std::size_t>(round) * source + source;
    return list[at % list.size()];
}

::testing::AssertionResult near(float found, float expected, double ulps) {
    if (std::isnan(found) && std::isnan(expected)) return ::testing::AssertionSuccess();
    if (ulps == 0 && as_bits(found) == as_bits(expected)) return ::testing::AssertionSuccess();
    if (found == expected) return ::testing::AssertionSuccess();
    const double ulp = std::fmax(std::ldexp(std::abs(static_cast<double>(expected)), -23), 1.5e-45);
    if (std::abs(static_cast<double>(found) - static_cast<double>(expected)) <= ulps * ulp)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << found << " (" << std::hex << as_bits(found) << ") instead of " << expected
                                         << " (" << as_bits(expected) << ")";
}

class Operations : public ::testing::TestWithParam<Case> {
  protected:
    const FlushDenormals flush;  // for what is expected
    int source_count() const { return opcode_info(*find_opcode(GetParam().opcode)).source_count; }
    double ulps() const { return GetParam().ulps; }

    std::string instruction(const std::vector<std::string>& operands) const {
        std::string text = std::string(GetParam().opcode) + " OUT[0]";
        for (int i = 0; i < source_count(); ++i) text += ", " + operands[static_cast<std::size_t>(i)];
        return text + "\n";
    }
    Vec4 value(int round, int lane, std::size_t source) const {
        return each([&](std::size_t c) { return value_at(GetParam().values, round, lane, source, c); });
    }
};

TEST_P(Operations, OfRegisters) {
    ShaderRun run(fragment(instruction({"IN[0]", "IN[1]", "IN[2]", "IN[3]"})));
    for (int round = 0; round < 64; ++round) {
        for (std::size_t s = 0; s < 4; ++s) run.set_input(s, [&](int lane) { return value(round, lane, s); });
        run.run();
        for (int lane = 0; lane < batch_lanes; ++lane) {
            const Sources sources = {value(round, lane, 0), value(round, lane, 1), value(round, lane, 2),
                                     value(round, lane, 3)};
            const Vec4 expected = GetParam().expected(sources), found = run.output(0, lane);
            for (std::size_t c = 0; c < 4; ++c)
                ASSERT_TRUE(near(found[c], expected[c], ulps()))
                    << "component " << c << " of " << GetParam().opcode << "(" << sources[0][c] << ", " << sources[1][c]
                    << ", " << sources[2][c] << ")";
        }
    }
}

// Every combination of registers and constants, as the kernels have different shapes for them.
TEST_P(Operations, OfConstants) {
    for (unsigned scalars = 1; scalars < 1U << source_count(); ++scalars) {
        std::vector<std::string> operands;
        for (unsigned s = 0; s < 4; ++s)
            operands.push_back((scalars >> s & 1 ? "CONST[" : "IN[") + std::to_string(s) + "]");
        ShaderRun run(fragment(instruction(operands)));
        for (int round = 0; round < 16; ++round) {
            run.constants.assign(1, {});
            for (std::size_t s = 0; s < 4; ++s) {
                run.set_input(s, [&](int lane) { return value(round, lane, s); });
                for (const float v : value(round, round, s)) run.constants[0].push_back(v);
            }
            run.run();
            for (int lane = 0; lane < batch_lanes; ++lane) {
                Sources sources;
                for (unsigned s = 0; s < 4; ++s) sources[s] = value(round, scalars >> s & 1 ? round : lane, s);
                const Vec4 expected = GetParam().expected(sources), found = run.output(0, lane);
                for (std::size_t c = 0; c < 4; ++c)
                    ASSERT_TRUE(near(found[c], expected[c], ulps())) << "constants " << scalars << ", component " << c;
            }
        }
    }
}

TEST_P(Operations, WithAWriteMaskLeaveOtherComponentsAlone) {
    for (unsigned mask = 1; mask < 15; ++mask) {
        std::string text = instruction({"IN[0]", "IN[1]", "IN[2]", "IN[3]"});
        std::string components = ".";
        for (unsigned c = 0; c < 4; ++c)
            if (mask >> c & 1) components += "xyzw"[c];
        text.replace(text.find("OUT[0]"), 6, "TEMP[0]" + components);
        ShaderRun run(fragment("MOV TEMP[0], CONST[0]\n" + text + "MOV OUT[0], TEMP[0]\n"));
        run.constants = {{11, 12, 13, 14}};
        for (std::size_t s = 0; s < 4; ++s) run.set_input(s, [&](int lane) { return value(3, lane, s); });
        run.run();
        for (int lane = 0; lane < batch_lanes; ++lane) {
            const Vec4 expected =
                GetParam().expected({value(3, lane, 0), value(3, lane, 1), value(3, lane, 2), value(3, lane, 3)});
            const Vec4 found = run.output(0, lane);
            for (std::size_t c = 0; c < 4; ++c)
                ASSERT_TRUE(near(found[c], mask >> c & 1 ? expected[c] : 11.0F + static_cast<float>(c), ulps()))
                    << "mask " << mask << " component " << c;
        }
    }
}

// The destination is also a source, in another order: every component must be computed from the old values.
TEST_P(Operations, InPlaceReadTheOldValues) {
    std::string text = instruction({"TEMP[0].wxyz", "TEMP[0].yzwx", "TEMP[0].zwxy", "TEMP[0]"});
    text.replace(text.find("OUT[0]"), 6, "TEMP[0]");
    ShaderRun run(fragment("MOV TEMP[0], IN[0]\n" + text + "MOV OUT[0], TEMP[0]\n"));
    run.set_input(0, [&](int lane) { return value(5, lane, 0); }).run();
    for (int lane = 0; lane < batch_lanes; ++lane) {
        const Vec4 v = value(5, lane, 0);
        const Vec4 expected = GetParam().expected(
            {Vec4{v[3], v[0], v[1], v[2]}, Vec4{v[1], v[2], v[3], v[0]}, Vec4{v[2], v[3], v[0], v[1]}, v});
        const Vec4 found = run.output(0, lane);
        for (std::size_t c = 0; c < 4; ++c) ASSERT_TRUE(near(found[c], expected[c], ulps())) << "component " << c;
    }
}

float sum(const Sources& s, std::size_t count) {
    float result = s[0][count - 1] * s[1][count - 1];
    for (std::size_t c = count - 1; c > 0; --c) result += s[0][c - 1] * s[1][c - 1];
    return result;
}

float max_of(float a, float b) {
    return std::isnan(a) ? b : (std::isnan(b) ? a : (a > b ? a : b));
}
float min_of(float a, float b) {
    return std::isnan(a) ? b : (std::isnan(b) ? a : (a < b ? a : b));
}

INSTANTIATE_TEST_SUITE_P(
    Float, Operations,
    ::testing::Values(
        Case{"MOV", each1([](float a) { return a; })},
        Case{"ADD", each2([](float a, float b) { return a + b; })},
        Case{"MUL", each2([](float a, float b) { return a * b; })},
        Case{"DIV", each2([](float a, float b) { return a / b; })},
        Case{"MAD", each3([](float a, float b, float c) { const float p = a * b; return p + c; })},
        Case{"FMA", each3([](float a, float b, float c) { return std::fma(a, b, c); })},
        Case{"LRP", each3([](float a, float b, float c) { const float p = a * b, q = (1 - a) * c; return p + q; })},
        Case{"CMP", each3([](float a, float b, float c) { return a < 0 ? b : c; })},
        Case{"MIN", each2(min_of), Values::floats, 1e-9}, Case{"MAX", each2(max_of), Values::floats, 1e-9},
        Case{"ABS", each1([](float a) { return std::fabs(a); })},
        Case{"SSG", each1([](float a) { return a > 0 ? 1.0F : (a < 0 ? -1.0F : 0.0F); })},
        Case{"FRC", each1([](float a) { return a - std::floor(a); }), Values::floats, 1e-9},
        Case{"FLR", each1([](float a) { return std::floor(a); })}, Case{"CEIL", each1([](float a) { return std::ceil(a); })},
        Case{"TRUNC", each1([](float a) { return std::trunc(a); })},
        Case{"ROUND", each1([](float a) { return std::nearbyint(a); })},
        Case{"SLT", each2([](float a, float b) { return a < b ? 1.0F : 0.0F; })},
        Case{"SGE", each2([](float a, float b) { return a >= b ? 1.0F : 0.0F; })},
        Case{"SEQ", each2([](float a, float b) { return a == b ? 1.0F : 0.0F; })},
        Case{"SGT", each2([](float a, float b) { return a > b ? 1.0F : 0.0F; })},
        Case{"SLE", each2([](float a, float b) { return a <= b ? 1.0F : 0.0F; })},
        Case{"SNE", each2([](float a, float b) { return a != b ? 1.0F : 0.0F; })},
        Case{"FSLT", each2([](float a, float b) { return truth(a < b); })},
        Case{"FSGE", each2([](float a, float b) { return truth(a >= b); })},
        Case{"FSEQ", each2([](float a, float b) { return truth(a == b); })},
        Case{"FSNE", each2([](float a, float b) { return truth(!(a == b)); })},
        Case{"DP2", [](const Sources& s) { return all(sum(s, 2)); }}, Case{"DP3", [](const Sources& s) { return all(sum(s, 3)); }},
        Case{"DP4", [](const Sources& s) { return all(sum(s, 4)); }},
        Case{"DPH", [](const Sources& s) { return all(sum({Vec4{s[0][0], s[0][1], s[0][2], 1.0F}, s[1]}, 4)); }},
        Case{"XPD", [](const Sources& s) {
                 const Vec4 &a = s[0], &b = s[1];
                 const auto part = [&](std::size_t i, std::size_t j) { const float p = a[i] * b[j], q = a[j] * b[i]; return p - q; };
                 return Vec4{part(1, 2), part(2, 0), part(0, 1), 1.0F};
             }},
        Case{"DST", [](const Sources& s) { return Vec4{1.0F, s[0][1] * s[1][1], s[0][2], s[1][3]}; }}),
    [](const auto& test) { return std::string(test.param.opcode); });

INSTANTIATE_TEST_SUITE_P(
    Special, Operations,
    ::testing::Values(Case{"RCP", [](const Sources& s) { return all(1.0F / s[0][0]); }},
                      Case{"RSQ", scalar1([](double a) { return 1 / std::sqrt(a); }), Values::floats, 1.5},
                      Case{"SQRT", [](const Sources& s) { return all(std::sqrt(s[0][0])); }},
                      Case{"EX2", scalar1([](double a) { return std::exp2(a); }), Values::floats, 1},
                      Case{"LG2", scalar1([](double a) { return std::log2(a); }), Values::floats, 1},
                      Case{"POW",
                           [](const Sources& s) {
                               return all(static_cast<float>(
                                   tgsi_pow(static_cast<double>(s[0][0]), static_cast<double>(s[1][0]))));
                           },
                           Values::angles, 1},
                      Case{"SIN", scalar1([](double a) { return std::sin(a); }), Values::angles, 1},
                      Case{"COS", scalar1([](double a) { return std::cos(a); }), Values::angles, 1},
                      Case{"EXP",
                           [](const Sources& s) {
                               const float x = s[0][0];
                               return Vec4{std::exp2(std::floor(x)), x - std::floor(x), std::exp2(x), 1.0F};
                           },
                           Values::angles, 1},
                      Case{"LOG",
                           [](const Sources& s) {
                               const float x = std::fabs(s[0][0]), l = std::log2(x);
                               return Vec4{std::floor(l), x / std::exp2(std::floor(l)), l, 1.0F};
                           },
                           Values::angles, 1},
                      Case{"LIT",
                           [](const Sources& s) {
                               const float x = s[0][0], y = std::fmax(s[0][1], 0.0F),
                                           w = std::fmin(std::fmax(s[0][3], -128.0F), 128.0F);
                               return Vec4{1.0F, std::fmax(x, 0.0F),
                                           x > 0 ? (w == 0 ? 1.0F : (y == 0 ? 0.0F : std::pow(y, w))) : 0.0F, 1.0F};
                           },
                           Values::angles, 2},
                      Case{"ARL", each1([](float a) {
                               return integer(
                                   static_cast<std::int32_t>(clamp(std::floor(a), -2147483648.0, 2147483647.0)));
                           })}),
    [](const auto& test) { return std::string(test.param.opcode); });

INSTANTIATE_TEST_SUITE_P(
    Conversions, Operations,
    ::testing::Values(Case{"F2I", each1([](float a) {
                               return integer(static_cast<std::int32_t>(
                                   clamp(std::trunc(static_cast<double>(a)), -2147483648.0, 2147483647.0)));
                           })},
                      Case{"F2U", each1([](float a) {
                               return as_float(static_cast<std::uint32_t>(
                                   clamp(std::trunc(static_cast<double>(a)), 0, 4294967295.0)));
                           })},
                      Case{"I2F", each1([](float a) { return static_cast<float>(std::bit_cast<std::int32_t>(a)); }),
                           Values::integers},
                      Case{"U2F", each1([](float a) { return static_cast<float>(as_bits(a)); }), Values::integers}),
    [](const auto& test) { return std::string(test.param.opcode); });

INSTANTIATE_TEST_SUITE_P(
    Integer, Operations,
    ::testing::Values(
        Case{"AND", unsigned2([](auto a, auto b) { return a & b; }), Values::integers},
        Case{"OR", unsigned2([](auto a, auto b) { return a | b; }), Values::integers},
        Case{"XOR", unsigned2([](auto a, auto b) { return a ^ b; }), Values::integers},
        Case{"NOT", each1([](float a) { return as_float(~as_bits(a)); }), Values::integers},
        Case{"SHL", unsigned2([](auto a, auto b) { return a << (b % 32); }), Values::integers},
        Case{"USHR", unsigned2([](auto a, auto b) { return a >> (b % 32); }), Values::integers},
        Case{"ISHR", signed2([](auto a, auto b) { return a >> (b & 31); }), Values::integers},
        Case{"UADD", unsigned2([](auto a, auto b) { return a + b; }), Values::integers},
        Case{"UMUL", unsigned2([](auto a, auto b) { return a * b; }), Values::integers},
        Case{"UMAD", each3([](float a, float b, float c) { return as_float(as_bits(a) * as_bits(b) + as_bits(c)); }), Values::integers},
        Case{"UMUL_HI", unsigned2([](auto a, auto b) { return (a * b) >> 32; }), Values::integers},
        Case{"IMUL_HI", signed2([](auto a, auto b) { return (a * b) >> 32; }), Values::integers},
        Case{"IDIV", signed2([](auto a, auto b) { return b == 0 ? 0 : a / b; }), Values::integers},
        Case{"MOD", signed2([](auto a, auto b) { return b == 0 ? -1 : a % b; }), Values::integers},
        Case{"UDIV", unsigned2([](auto a, auto b) { return b == 0 ? ~std::uint64_t{0} : a / b; }), Values::integers},
        Case{"UMOD", unsigned2([](auto a, auto b) { return b == 0 ? ~std::uint64_t{0} : a % b; }), Values::integers},
        Case{"INEG", signed2([](auto a, auto) { return -a; }), Values::integers},
        Case{"IABS", signed2([](auto a, auto) { return a < 0 ? -a : a; }), Values::integers},
        Case{"ISSG", signed2([](auto a, auto) { return std::int64_t{a > 0} - std::int64_t{a < 0}; }), Values::integers},
        Case{"IMIN", signed2([](auto a, auto b) { return std::min(a, b); }), Values::integers},
        Case{"IMAX", signed2([](auto a, auto b) { return std::max(a, b); }), Values::integers},
        Case{"UMIN", unsigned2([](auto a, auto b) { return std::min(a, b); }), Values::integers},
        Case{"UMAX", unsigned2([](auto a, auto b) { return std::max(a, b); }), Values::integers},
        Case{"ISLT", signed2([](auto a, auto b) { return -std::int64_t{a < b}; }), Values::integers},
        Case{"ISGE", signed2([](auto a, auto b) { return -std::int64_t{a >= b}; }), Values::integers},
        Case{"USLT", unsigned2([](auto a, auto b) { return 0 - std::uint64_t{a < b}; }), Values::integers},
        Case{"USGE", unsigned2([](auto a, auto b) { return 0 - std::uint64_t{a >= b}; }), Values::integers},
        Case{"USEQ", unsigned2([](auto a, auto b) { return 0 - std::uint64_t{a == b}; }), Values::integers},
        Case{"USNE", unsigned2([](auto a, auto b) { return 0 - std::uint64_t{a != b}; }), Values::integers},
        Case{"UCMP", each3([](float a, float b, float c) { return as_bits(a) != 0 ? b : c; }), Values::integers},
        Case{"BREV", each1([](float a) {
                 std::uint32_t r = 0;
                 for (unsigned i = 0; i < 32; ++i) r |= (as_bits(a) >> i & 1) << (31 - i);
                 return as_float(r);
             }), Values::integers},
        Case{"POPC", each1([](float a) {
                 std::uint32_t n = 0;
                 for (unsigned i = 0; i < 32; ++i) n += as_bits(a) >> i & 1;
                 return as_float(n);
             }), Values::integers},
        Case{"LSB", each1([](float a) {
                 for (int i = 0; i < 32; ++i) if (as_bits(a) >> i & 1) return integer(i);
                 return integer(-1);
             }), Values::integers},
        Case{"UMSB", each1([](float a) {
                 for (int i = 31; i >= 0; --i) if (as_bits(a) >> i & 1) return integer(i);
                 return integer(-1);
             }), Values::integers},
        Case{"IMSB", each1([](float a) {
                 const std::uint32_t sign = as_bits(a) >> 31;
                 for (int i = 31; i >= 0; --i) if ((as_bits(a) >> i & 1) != sign) return integer(i);
                 return integer(-1);
             }), Values::integers},
        Case{"UBFE", each3([](float a, float b, float c) {
                 const std::uint64_t offset = as_bits(b) % 32, width = as_bits(c) == 32 && offset == 0 ? 32 : as_bits(c) % 32;
                 return as_float(static_cast<std::uint32_t>((std::uint64_t{as_bits(a)} >> offset) & ((std::uint64_t{1} << width) - 1)));
             }), Values::integers},
        Case{"IBFE", each3([](float a, float b, float c) {
                 const int offset = static_cast<int>(as_bits(b) % 32);
                 int width = as_bits(c) == 32 && offset == 0 ? 32 : static_cast<int>(as_bits(c) % 32);
                 if (width == 0) return integer(0);
                 const std::int64_t shifted = std::int64_t{std::bit_cast<std::int32_t>(a)} >> offset;
                 return integer(static_cast<std::int32_t>(static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) << (64 - width)) >> (64 - width)));
             }), Values::integers},
        Case{"BFI", [](const Sources& s) {
                 return each([&](std::size_t c) {
                     const std::uint64_t offset = as_bits(s[2][c]) % 32, width = as_bits(s[3][c]) % 32;
                     if (as_bits(s[3][c]) == 32) return s[1][c];
                     const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << offset;
                     return as_float(static_cast<std::uint32_t>(((std::uint64_t{as_bits(s[1][c])} << offset) & mask) | (as_bits(s[0][c]) & ~mask)));
                 });
             }, Values::integers}),
    [](const auto& test) { return std::string(test.param.opcode); });

// Moves, selections and partial writes carry the bits of integers, which may look like NaNs or -0.
TEST(Moves, KeepEveryBit) {
    for (const std::uint32_t bits : {0x7f800001U, 0xff812345U, 0x7fc00001U, 0xffffffffU, 0x80000000U}) {
        const std::string immediate = "IMM[0] UINT32 {" + std::to_string(bits) + ", 0, 1, 2}\n";
        for (const char* const body : {
                 "MOV OUT[0], IN[0].xxxx\n",
                 "MOV OUT[0], CONST[1].xxxx\n",
                 "MOV OUT[0], IMM[0].xxxx\n",
                 "MOV TEMP[0], IN[0].xxxx\nMOV OUT[0], TEMP[0]\n",
                 "UARL ADDR[0].x, IMM[0].zzzz\nMOV OUT[0], CONST[ADDR[0].x].xxxx\n",
                 "UCMP OUT[0], IMM[0].zzzz, IN[0].xxxx, IN[1]\n",
                 "CMP OUT[0], IN[1], IN[0].xxxx, IN[1]\n",
                 "MOV TEMP[0], IN[1]\nUIF IMM[0].zzzz :3\nMOV TEMP[0], IN[0].xxxx\nENDIF\nMOV OUT[0], TEMP[0]\n",
             }) {
            ShaderRun run(fragment(body, immediate));
            run.constants = {std::vector<float>(32, as_float(bits))};
            run.set_input(0, [&](int) { return Vec4{as_float(bits), 0, 0, 0}; });
            run.set_input(1, [&](int) { return Vec4{-1, -1, -1, -1}; });
            run.run();
            for (const float value : run.output(0, 5)) EXPECT_EQ(as_bits(value), bits) << body;
        }
    }
}

}  // namespace
}  // namespace models::functional::tgsi
