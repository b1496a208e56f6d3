// A parsed TGSI shader: what the pipeline needs to link stages, what the timing models replay (`program`), and the
// instructions in the form that the executor is built from (`operations`). Made by parse(); says nothing about how
// instructions compute (executor.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/functional/shader_batch.h"
#include "models/functional/storage_request.h"
#include "models/shader/program.h"

namespace models::functional::tgsi {

// What a declared input, output or system value means. VERT inputs have none: their number is the vertex element's.
enum class Semantic : std::uint8_t {
    none,
    position,
    color,
    bcolor,  // back-face colour
    fog,
    psize,
    generic,
    normal,
    face,  // > 0 where the primitive faces front (float), also as a system value (bits ~0 or 0)
    edgeflag,
    primitive_id,
    instance_id,
    vertex_id,
    stencil,
    clipdist,
    clipvertex,
    texcoord,
    pcoord,
    viewport_index,
    layer,
    sample_id,
    sample_pos,
    sample_mask,
    vertex_id_nobase,
    base_vertex,
    base_instance,
    draw_id,
    helper_invocation,
    thread_id,  // in its block
    block_id,
    grid_size,  // blocks
};

enum class Interpolation : std::uint8_t {
    constant,
    linear,
    perspective,
    color
};  // color: as the flat-shade state says
enum class InterpolationLocation : std::uint8_t { center, centroid, sample };

// One declared register of the files IN, OUT or SV.
struct Varying {
    bool declared = false;  // registers between declared ones may be missing
    Semantic semantic = Semantic::none;
    std::uint16_t semantic_index = 0;
    Interpolation interpolation = Interpolation::perspective;  // FRAG inputs only
    InterpolationLocation location = InterpolationLocation::center;
    std::uint8_t components = 0xf;  // usage mask of the declaration: bit 0 is x
};

enum class TexelType : std::uint8_t { unorm, snorm, sint, uint, floating };

struct SamplerView {
    bool declared = false;
    TextureTarget target = TextureTarget::t2d;
    TexelType type = TexelType::floating;
};

// A register number that an address register selects at run time: base + ADDR[address].component, kept within
// first..last, the range that the declaration of the file (or of the array, where the text names one) allows.
struct Indirect {
    std::uint16_t address = 0;
    std::uint8_t component = 0;
    std::int32_t first = 0, last = 0;
};

// A declared storage buffer or image.
struct StorageDeclaration {
    bool declared = false;
    TextureTarget target = TextureTarget::buffer;  // of an image
    // By any instruction.
    bool read = false, written = false;
};

// The buffer, image or shared memory that an instruction reaches.
struct StorageOperand {
    StorageSpace space = StorageSpace::buffer;
    std::int32_t slot = 0;  // added to the address register where `indirect`
    std::optional<Indirect> indirect;
};

struct SourceRegister {
    RegisterFile file = RegisterFile::none;
    std::uint8_t buffer = 0;  // of constants
    std::int32_t index = 0;   // may be negative where `indirect`
    std::optional<Indirect> indirect;
    std::optional<Indirect> buffer_indirect;  // added to `buffer`
    std::array<std::uint8_t, 4> swizzle = {0, 1, 2, 3};
    bool absolute = false;  // taken before `negate`
    bool negate = false;

    bool computed() const { return indirect || buffer_indirect; }
};

struct DestinationRegister {
    RegisterFile file = RegisterFile::none;
    std::int32_t index = 0;
    std::optional<Indirect> indirect;
    std::uint8_t mask = 0xf;
};

// A texel offset is kept within this: far more than OpenGL allows.
inline constexpr int most_texel_offset = 1 << 20;

struct Operation {
    Opcode opcode = Opcode::nop;
    bool saturate = false;  // the result is clamped to 0..1
    DestinationRegister destination;
    std::array<SourceRegister, 4> sources;  // without the sampler or storage operand
    std::uint8_t source_count = 0;
    std::int16_t unit = -1;                     // of texture instructions; added to the address register of:
    std::optional<Indirect> unit_indirect;      // the texture is one of an array
    TextureTarget target = TextureTarget::t2d;  // of textures and images; buffer for other storage
    std::optional<StorageOperand> storage;      // the mask of what a STORE writes is that of `destination`
    std::array<int, 3> texel_offset = {};
    bool computed_offset = false;       // it is the last of `sources` instead
    std::uint8_t gather_component = 0;  // of TG4
    // Where control goes: IF and UIF to ELSE or ENDIF, ELSE to ENDIF, BGNLOOP to ENDLOOP and back, SWITCH to ENDSWITCH,
    // BGNSUB to ENDSUB, CAL to BGNSUB. -1 for the others.
    std::int32_t label = -1;

    bool may_sample(int number) const {  // the texture unit
        return unit_indirect ? number >= unit_indirect->first && number <= unit_indirect->last : number == unit;
    }
};

struct Shader {
    Program program;
    std::vector<Operation> operations;  // one per instruction of `program`

    std::vector<Varying> inputs, outputs, system_values;  // by register number
    std::vector<SamplerView> samplers;                    // by unit
    std::vector<StorageDeclaration> buffers, images;      // by slot
    std::vector<std::uint32_t> constant_sizes;            // vec4s declared in each constant buffer; 0: not declared
    std::vector<std::array<std::uint32_t, 4>> immediates;
    std::uint16_t address_registers = 0;

    // Properties.
    bool origin_lower_left = false;                  // FS_COORD_ORIGIN: of the fragment position
    bool pixel_center_integer = false;               // FS_COORD_PIXEL_CENTER
    bool color0_writes_all = false;                  // FS_COLOR0_WRITES_ALL_CBUFS
    bool early_depth_stencil = false;                // FS_EARLY_DEPTH_STENCIL
    bool prohibit_user_clip = false;                 // VS_PROHIBIT_UCPS
    bool window_space_position = false;              // VS_WINDOW_SPACE_POSITION
    std::uint32_t clip_distances = 0;                // NUM_CLIPDIST_ENABLED
    std::array<std::uint32_t, 3> block = {0, 1, 1};  // CS_FIXED_BLOCK_WIDTH, _HEIGHT and _DEPTH: threads

    // What the instructions do.
    bool uses_kill = false;
    bool writes_depth = false;  // FRAG output POSITION (z)
    bool writes_stencil = false;
    bool uses_derivatives = false;   // DDX, DDY or textures with implicit LOD
    bool uses_control_flow = false;  // branches, loops or calls: warps may take different paths
    bool uses_barrier = false;
    bool atomics_on_memory = false;  // atomic operations on buffers or images
    // Mesa without native integers counts array indices in floats but adds them with UADD. A program that moves
    // floats to its address registers (ARL, and no UARL) is of that kind: its UADD adds floats.
    bool float_only = false;
    // It shifts by an immediate float. Mesa without native integers makes shifts of multiplications by powers of two
    // but leaves their operands floats, so such a program computes something else than the application's.
    bool shifts_floats = false;
    // A temporary that instructions may read but none writes, or -1. Zero here; elsewhere whatever was in memory, so
    // what such a program draws is undefined.
    std::int32_t unwritten_temporary = -1;

    // The register with this semantic, or -1.
    static int find(const std::vector<Varying>& varyings, Semantic semantic, int index = 0);
};

// Throws engine::InputError: "TGSI line:column: expected ..., found ..." for text that is not TGSI, and
// "TGSI line:column: NAME is not supported (...)" for what Tessera does not render.
Shader parse(std::string_view text);

}  // namespace models::functional::tgsi
