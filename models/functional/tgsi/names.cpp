#include "models/functional/tgsi/names.h"

#include <array>
#include <utility>

namespace models::functional::tgsi {
namespace {

template <class T>
using Named = std::pair<std::string_view, T>;

template <class T, std::size_t size>
std::optional<T> find(const std::array<Named<T>, size>& table, std::string_view name) {
    for (const auto& [key, value] : table)
        if (key == name) return value;
    return std::nullopt;
}

constexpr std::array<Named<Semantic>, 31> semantics = {{
    {"POSITION", Semantic::position},
    {"COLOR", Semantic::color},
    {"BCOLOR", Semantic::bcolor},
    {"FOG", Semantic::fog},
    {"PSIZE", Semantic::psize},
    {"GENERIC", Semantic::generic},
    {"NORMAL", Semantic::normal},
    {"FACE", Semantic::face},
    {"EDGEFLAG", Semantic::edgeflag},
    {"PRIM_ID", Semantic::primitive_id},
    {"INSTANCEID", Semantic::instance_id},
    {"VERTEXID", Semantic::vertex_id},
    {"STENCIL", Semantic::stencil},
    {"CLIPDIST", Semantic::clipdist},
    {"CLIPVERTEX", Semantic::clipvertex},
    {"TEXCOORD", Semantic::texcoord},
    {"PCOORD", Semantic::pcoord},
    {"VIEWPORT_INDEX", Semantic::viewport_index},
    {"LAYER", Semantic::layer},
    {"SAMPLEID", Semantic::sample_id},
    {"SAMPLEPOS", Semantic::sample_pos},
    {"SAMPLEMASK", Semantic::sample_mask},
    {"VERTEXID_NOBASE", Semantic::vertex_id_nobase},
    {"BASEVERTEX", Semantic::base_vertex},
    {"BASEINSTANCE", Semantic::base_instance},
    {"DRAWID", Semantic::draw_id},
    {"HELPER_INVOCATION", Semantic::helper_invocation},
    {"PRIMID", Semantic::primitive_id},
    {"THREAD_ID", Semantic::thread_id},
    {"BLOCK_ID", Semantic::block_id},
    {"GRID_SIZE", Semantic::grid_size},
}};

constexpr std::array<Named<RegisterFile>, 9> files = {{
    {"CONST", RegisterFile::constant},
    {"IN", RegisterFile::input},
    {"OUT", RegisterFile::output},
    {"TEMP", RegisterFile::temporary},
    {"SAMP", RegisterFile::sampler},
    {"ADDR", RegisterFile::address},
    {"IMM", RegisterFile::immediate},
    {"SV", RegisterFile::system_value},
    {"NULL", RegisterFile::none},
}};

constexpr std::string_view doubles = "double precision";
constexpr std::string_view long_integers = "64-bit integers";
constexpr std::string_view images = "shader images, buffers and atomic operations outside compute shaders";
constexpr std::string_view views = "sampler views apart from samplers";
constexpr std::string_view groups = "operations across invocations";

constexpr std::array<Named<std::string_view>, 56> opcodes = {{
    {"LOAD", images},
    {"STORE", images},
    {"RESQ", images},
    {"FBFETCH", "framebuffer fetch"},
    {"SAMPLE", views},
    {"SAMPLE_I", views},
    {"SAMPLE_I_MS", views},
    {"SAMPLE_B", views},
    {"SAMPLE_C", views},
    {"SAMPLE_C_LZ", views},
    {"SAMPLE_D", views},
    {"SAMPLE_L", views},
    {"SAMPLE_POS", views},
    {"SAMPLE_INFO", views},
    {"GATHER4", views},
    {"SVIEWINFO", views},
    {"LOD", views},
    {"TXQS", "multisampled textures"},
    {"IMG2HND", "bindless textures"},
    {"SAMP2HND", "bindless textures"},
    {"INTERP_CENTROID", "interpolation at explicit positions"},
    {"INTERP_SAMPLE", "interpolation at explicit positions"},
    {"INTERP_OFFSET", "interpolation at explicit positions"},
    {"EMIT", "geometry shaders"},
    {"ENDPRIM", "geometry shaders"},
    {"BARRIER", "compute shaders"},
    {"MEMBAR", "compute shaders"},
    {"CLOCK", "shader clock"},
    {"DEMOTE", "demotion to helper invocations"},
    {"READ_HELPER", "demotion to helper invocations"},
    {"BALLOT", groups},
    {"READ_FIRST", groups},
    {"READ_INVOC", groups},
    {"VOTE_ANY", groups},
    {"VOTE_ALL", groups},
    {"VOTE_EQ", groups},
    {"PK2US", "packing to 16-bit integers"},
    {"PK4B", "packing to bytes"},
    {"PK4UB", "packing to bytes"},
    {"UP2US", "unpacking of 16-bit integers"},
    {"UP4B", "unpacking of bytes"},
    {"UP4UB", "unpacking of bytes"},
    {"DFMA", doubles},
    {"F2D", doubles},
    {"D2F", doubles},
    {"D2I", doubles},
    {"D2U", doubles},
    {"I2D", doubles},
    {"U2D", doubles},
    {"D2I64", doubles},
    {"D2U64", doubles},
    {"F2I64", long_integers},
    {"F2U64", long_integers},
    {"I2I64", long_integers},
    {"U2I64", long_integers},
    {"I642F", long_integers},
}};

constexpr std::array<std::string_view, 21> double_opcodes = {
    "DABS",  "DNEG", "DADD",  "DMUL",   "DMAX",     "DMIN", "DSLT",   "DSGE",  "DSEQ", "DSNE",  "DRCP",
    "DSQRT", "DMAD", "DFRAC", "DLDEXP", "DFRACEXP", "DRSQ", "DTRUNC", "DCEIL", "DFLR", "DROUND"};

}  // namespace

std::optional<Semantic> find_semantic(std::string_view name) {
    return find(semantics, name);
}
std::optional<RegisterFile> find_file(std::string_view name) {
    return find(files, name);
}

std::string_view file_name(RegisterFile file) {
    for (const auto& [name, value] : files)
        if (value == file) return name;
    return "NULL";
}

std::optional<Interpolation> find_interpolation(std::string_view name) {
    constexpr std::array<Named<Interpolation>, 4> table = {{{"CONSTANT", Interpolation::constant},
                                                            {"LINEAR", Interpolation::linear},
                                                            {"PERSPECTIVE", Interpolation::perspective},
                                                            {"COLOR", Interpolation::color}}};
    return find(table, name);
}

std::optional<InterpolationLocation> find_location(std::string_view name) {
    constexpr std::array<Named<InterpolationLocation>, 3> table = {{{"CENTER", InterpolationLocation::center},
                                                                    {"CENTROID", InterpolationLocation::centroid},
                                                                    {"SAMPLE", InterpolationLocation::sample}}};
    return find(table, name);
}

std::optional<TexelType> find_texel_type(std::string_view name) {
    constexpr std::array<Named<TexelType>, 5> table = {{{"UNORM", TexelType::unorm},
                                                        {"SNORM", TexelType::snorm},
                                                        {"SINT", TexelType::sint},
                                                        {"UINT", TexelType::uint},
                                                        {"FLOAT", TexelType::floating}}};
    return find(table, name);
}

std::string_view opcode_refusal(std::string_view name) {
    if (const auto reason = find(opcodes, name)) return *reason;
    for (std::string_view opcode : double_opcodes)
        if (opcode == name) return doubles;
    if (name == "DDIV" || name == "DSSG") return doubles;
    if (name.starts_with("ATOM")) return images;
    if (name.starts_with("I64") || name.starts_with("U64")) return long_integers;
    return {};
}

std::string_view file_refusal(std::string_view name) {
    if (name == "IMAGE" || name == "BUFFER") return images;
    if (name == "HWATOMIC") return "atomic counters; `tessera record --gles 3.1` offers none";
    if (name == "MEMORY") return "shared memory";
    if (name == "CONSTBUF") return "bindless constant buffers";
    return {};
}

std::string_view stage_refusal(std::string_view name) {
    if (name == "GEOM") return "geometry shaders";
    if (name == "TESS_CTRL" || name == "TESS_EVAL") return "tessellation shaders";
    return {};
}

}  // namespace models::functional::tgsi
