// Operations on integers and bits.
#include "models/functional/tgsi/integer_math.h"
#include "models/functional/tgsi/lane_loops.h"

namespace models::functional::tgsi {
namespace {

namespace im = integer_math;

// What the operations compute, for one lane. Integers come and go as the bits of floats.
struct Ucmp {
    static float of(float a, float b, float c) { return from_bits(bits(a) != 0 ? bits(b) : bits(c)); }
};
struct Umad {
    static float of(float a, float b, float c) { return from_bits(bits(a) * bits(b) + bits(c)); }
};

// Wraps functions of unsigned integers (integer_math.h).
template <im::Bits (*function)(im::Bits)>
struct Bits1 {
    static float of(float a) { return from_bits(function(bits(a))); }
};
template <im::Bits (*function)(im::Bits, im::Bits)>
struct Bits2 {
    static float of(float a, float b) { return from_bits(function(bits(a), bits(b))); }
};
template <im::Bits (*function)(im::Bits, im::Bits, im::Bits)>
struct Bits3 {
    static float of(float a, float b, float c) { return from_bits(function(bits(a), bits(b), bits(c))); }
};
template <im::Bits (*function)(im::Bits, im::Bits, im::Bits, im::Bits)>
struct Bits4 {
    static float of(float a, float b, float c, float d) {
        return from_bits(function(bits(a), bits(b), bits(c), bits(d)));
    }
};

}  // namespace

KernelChoice integer_kernel(Opcode opcode, unsigned scalars) {
    switch (opcode) {
        case Opcode::and_:
            return binary_choice<Bits2<im::bit_and>>(scalars);
        case Opcode::or_:
            return binary_choice<Bits2<im::bit_or>>(scalars);
        case Opcode::xor_:
            return binary_choice<Bits2<im::bit_xor>>(scalars);
        case Opcode::not_:
            return rows1<Bits1<im::bit_not>>;
        case Opcode::shl:
            return binary_choice<Bits2<im::shift_left>>(scalars);
        case Opcode::ishr:
            return binary_choice<Bits2<im::shift_right_signed>>(scalars);
        case Opcode::ushr:
            return binary_choice<Bits2<im::shift_right>>(scalars);
        case Opcode::uadd:
            return binary_choice<Bits2<im::add>>(scalars);
        case Opcode::umul:
            return binary_choice<Bits2<im::multiply>>(scalars);
        case Opcode::umad:
            return rows3<Umad>;
        case Opcode::imul_hi:
            return rows2<Bits2<im::multiply_high_signed>>;
        case Opcode::umul_hi:
            return rows2<Bits2<im::multiply_high>>;
        case Opcode::idiv:
            return rows2<Bits2<im::divide_signed>>;
        case Opcode::udiv:
            return rows2<Bits2<im::divide>>;
        case Opcode::mod:
            return rows2<Bits2<im::remainder_signed>>;
        case Opcode::umod:
            return rows2<Bits2<im::remainder>>;
        case Opcode::ineg:
            return rows1<Bits1<im::negate>>;
        case Opcode::iabs:
            return rows1<Bits1<im::absolute>>;
        case Opcode::issg:
            return rows1<Bits1<im::sign>>;
        case Opcode::imin:
            return rows2<Bits2<im::minimum_signed>>;
        case Opcode::imax:
            return rows2<Bits2<im::maximum_signed>>;
        case Opcode::umin:
            return rows2<Bits2<im::minimum>>;
        case Opcode::umax:
            return rows2<Bits2<im::maximum>>;
        case Opcode::islt:
            return binary_choice<Bits2<im::less_signed>>(scalars);
        case Opcode::isge:
            return binary_choice<Bits2<im::not_less_signed>>(scalars);
        case Opcode::uslt:
            return binary_choice<Bits2<im::less>>(scalars);
        case Opcode::usge:
            return binary_choice<Bits2<im::not_less>>(scalars);
        case Opcode::useq:
            return binary_choice<Bits2<im::equal>>(scalars);
        case Opcode::usne:
            return binary_choice<Bits2<im::not_equal>>(scalars);
        case Opcode::ucmp:
            return ternary_choice<Ucmp>(scalars);
        case Opcode::ibfe:
            return rows3<Bits3<im::extract_signed>>;
        case Opcode::ubfe:
            return rows3<Bits3<im::extract>>;
        case Opcode::bfi:
            return {quaternary<Bits4<im::insert>>, false, true};
        case Opcode::brev:
            return rows1<Bits1<im::reverse>>;
        case Opcode::popc:
            return rows1<Bits1<im::count_ones>>;
        case Opcode::lsb:
            return rows1<Bits1<im::lowest_one>>;
        case Opcode::imsb:
            return rows1<Bits1<im::highest_unlike_sign>>;
        case Opcode::umsb:
            return rows1<Bits1<im::highest_one>>;
        default:
            return {};
    }
}

}  // namespace models::functional::tgsi
