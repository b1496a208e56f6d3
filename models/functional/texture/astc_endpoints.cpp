#include "models/functional/texture/astc_endpoints.h"

#include <algorithm>

namespace models::functional {

namespace {

struct Colour {
    int r = 0, g = 0, b = 0, a = 255;
};

// Of modes that favour blue: red and green are stored as differences from it.
Colour contracted(const Colour& c) {
    return {(c.r + c.b) >> 1, (c.g + c.b) >> 1, c.b, c.a};
}

// A base and an offset share their bits: the base gets the offset's highest, which leaves a signed offset of six.
struct Pair {
    int base = 0, offset = 0;

    Pair(int b, int o) : base(b >> 1 | (o & 0x80)), offset(o >> 1 & 0x3f) {
        if ((offset & 0x20) != 0) offset -= 0x40;
    }
    int end() const { return base + offset; }
};

void store(const Colour& c, int* to) {
    const int values[4] = {c.r, c.g, c.b, c.a};
    for (int i = 0; i < 4; ++i) to[i] = std::clamp(values[i], 0, 255);
}

void set(const Colour& first, const Colour& second, AstcEndpoints& endpoints) {
    store(first, endpoints.c[0]);
    store(second, endpoints.c[1]);
}

// The second colour is the brighter one; stored the other way round they are contracted.
void direct(const std::uint8_t* v, int a0, int a1, AstcEndpoints& endpoints) {
    const Colour first{v[0], v[2], v[4], a0}, second{v[1], v[3], v[5], a1};
    if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) return set(first, second, endpoints);
    set(contracted(second), contracted(first), endpoints);
}

void offset(const std::uint8_t* v, bool alpha, AstcEndpoints& endpoints) {
    const Pair r(v[0], v[1]), g(v[2], v[3]), b(v[4], v[5]);
    const Pair a(alpha ? v[6] : 0, alpha ? v[7] : 0);
    const Colour first{r.base, g.base, b.base, alpha ? a.base : 255};
    const Colour second{r.end(), g.end(), b.end(), alpha ? a.end() : 255};
    if (r.offset + g.offset + b.offset >= 0) return set(first, second, endpoints);
    set(contracted(second), contracted(first), endpoints);
}

void scaled(const std::uint8_t* v, int a0, int a1, AstcEndpoints& endpoints) {
    const auto times = [&](int i) { return v[i] * v[3] >> 8; };
    set({times(0), times(1), times(2), a0}, {v[0], v[1], v[2], a1}, endpoints);
}

void grey(int first, int second, int a0, int a1, AstcEndpoints& endpoints) {
    set({first, first, first, a0}, {second, second, second, a1}, endpoints);
}

}  // namespace

bool decode_endpoints(int mode, const std::uint8_t* v, AstcEndpoints& endpoints) {
    switch (mode) {
        case 0:
            grey(v[0], v[1], 255, 255, endpoints);
            return true;
        case 1: {
            const int base = v[0] >> 2 | (v[1] & 0xc0);
            grey(base, base + (v[1] & 0x3f), 255, 255, endpoints);
            return true;
        }
        case 4:
            grey(v[0], v[1], v[2], v[3], endpoints);
            return true;
        case 5: {
            const Pair l(v[0], v[1]), a(v[2], v[3]);
            grey(l.base, l.end(), a.base, a.end(), endpoints);
            return true;
        }
        case 6:
            scaled(v, 255, 255, endpoints);
            return true;
        case 8:
            direct(v, 255, 255, endpoints);
            return true;
        case 9:
            offset(v, false, endpoints);
            return true;
        case 10:
            scaled(v, v[4], v[5], endpoints);
            return true;
        case 12:
            direct(v, v[6], v[7], endpoints);
            return true;
        case 13:
            offset(v, true, endpoints);
            return true;
        default:
            return false;
    }
}

}  // namespace models::functional
