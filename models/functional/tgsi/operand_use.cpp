#include "models/functional/tgsi/operand_use.h"

#include "models/functional/tgsi/texture_target.h"

namespace models::functional::tgsi {
namespace {

constexpr std::uint8_t x = 1, y = 2, z = 4, w = 8;

std::uint8_t choose(std::uint8_t written, std::uint8_t for_x, std::uint8_t for_y, std::uint8_t for_z,
                    std::uint8_t for_w) {
    unsigned read = 0;
    if (written & x) read |= for_x;
    if (written & y) read |= for_y;
    if (written & z) read |= for_z;
    if (written & w) read |= for_w;
    return static_cast<std::uint8_t>(read);
}

std::uint8_t first(int count) {
    return static_cast<std::uint8_t>((1 << count) - 1);
}

std::uint8_t texture_components(Opcode opcode, int source, TextureTarget target) {
    const TargetInfo& info = target_info(target);
    if (source >= opcode_info(opcode).source_count - 1) return first(info.derivatives);  // a computed texel offset
    if (opcode == Opcode::txq) return x;
    if (opcode == Opcode::txd && source > 0) return first(info.derivatives);
    if (source > 0) return x;  // second operand of TEX2, TXB2, TXL2, TG4
    unsigned read = first(info.coordinates);
    if (opcode == Opcode::txf) return static_cast<std::uint8_t>(info.has_levels ? read | w : read);
    if (opcode == Opcode::txf_lz || opcode == Opcode::lodq) return static_cast<std::uint8_t>(read);
    if (info.reference >= 0) read |= 1U << info.reference;
    if (opcode == Opcode::txb || opcode == Opcode::txl) read |= w;
    if (opcode == Opcode::txp && info.projection == Projection::divides) read |= w;
    return static_cast<std::uint8_t>(read);
}

std::uint8_t storage_components(Opcode opcode, int source, std::uint8_t written, TextureTarget target) {
    if (source == 0) return first(target_info(target).coordinates);
    return opcode == Opcode::store ? written : x;
}

}  // namespace

std::uint8_t components_read(Opcode opcode, int source, std::uint8_t written, TextureTarget target) {
    const OpcodeInfo& info = opcode_info(opcode);
    if (info.is_texture) return texture_components(opcode, source, target);
    if (has_storage_operand(opcode)) return storage_components(opcode, source, written, target);
    switch (opcode) {
        case Opcode::dp2:
        case Opcode::pk2h:
            return x | y;
        case Opcode::dp3:
            return x | y | z;
        case Opcode::dph:
            return source == 0 ? x | y | z : x | y | z | w;
        case Opcode::dp4:
        case Opcode::kill_if:
            return x | y | z | w;
        case Opcode::xpd:
            return choose(written, y | z, x | z, x | y, 0);
        case Opcode::dst:
            return source == 0 ? choose(written, 0, y, z, 0) : choose(written, 0, y, 0, w);
        case Opcode::lit:
            return choose(written, 0, x, x | y | w, 0);
        case Opcode::exp:
        case Opcode::log:
            return choose(written, x, x, x, 0);
        case Opcode::up2h:
        case Opcode::if_:
        case Opcode::uif:
        case Opcode::switch_:
        case Opcode::case_:
        case Opcode::membar:
            return x;
        default:
            return info.replicates ? x : written;
    }
}

bool reads_integer(Opcode opcode, int source) {
    switch (opcode) {
        case Opcode::ucmp:
            return source == 0;
        case Opcode::ldexp:
            return source == 1;
        case Opcode::uarl:
        case Opcode::i2f:
        case Opcode::u2f:
        case Opcode::uif:
        case Opcode::switch_:
        case Opcode::case_:
        case Opcode::up2h:
        case Opcode::txf:
        case Opcode::txf_lz:
        case Opcode::txq:
            return true;
        default:
            break;
    }
    return has_storage_operand(opcode) || (opcode >= Opcode::and_ && opcode <= Opcode::usne) ||
           (opcode >= Opcode::ibfe && opcode <= Opcode::umsb);
}

}  // namespace models::functional::tgsi
