#include "models/functional/virgl/protocol.h"

#include <array>
#include <string_view>

namespace models::functional {

namespace {

constexpr std::array<std::string_view, virgl_command_count> virgl_names{
    "NOP",
    "CREATE_OBJECT",
    "BIND_OBJECT",
    "DESTROY_OBJECT",
    "SET_VIEWPORT_STATE",
    "SET_FRAMEBUFFER_STATE",
    "SET_VERTEX_BUFFERS",
    "CLEAR",
    "DRAW_VBO",
    "RESOURCE_INLINE_WRITE",
    "SET_SAMPLER_VIEWS",
    "SET_INDEX_BUFFER",
    "SET_CONSTANT_BUFFER",
    "SET_STENCIL_REF",
    "SET_BLEND_COLOR",
    "SET_SCISSOR_STATE",
    "BLIT",
    "RESOURCE_COPY_REGION",
    "BIND_SAMPLER_STATES",
    "BEGIN_QUERY",
    "END_QUERY",
    "GET_QUERY_RESULT",
    "SET_POLYGON_STIPPLE",
    "SET_CLIP_STATE",
    "SET_SAMPLE_MASK",
    "SET_STREAMOUT_TARGETS",
    "SET_RENDER_CONDITION",
    "SET_UNIFORM_BUFFER",
    "SET_SUB_CTX",
    "CREATE_SUB_CTX",
    "DESTROY_SUB_CTX",
    "BIND_SHADER",
    "SET_TESS_STATE",
    "SET_MIN_SAMPLES",
    "SET_SHADER_BUFFERS",
    "SET_SHADER_IMAGES",
    "MEMORY_BARRIER",
    "LAUNCH_GRID",
    "SET_FRAMEBUFFER_STATE_NO_ATTACH",
    "TEXTURE_BARRIER",
    "SET_ATOMIC_BUFFERS",
    "SET_DEBUG_FLAGS",
    "GET_QUERY_RESULT_QBO",
    "TRANSFER3D",
    "END_TRANSFERS",
    "COPY_TRANSFER3D",
    "SET_TWEAKS",
    "CLEAR_TEXTURE",
    "PIPE_RESOURCE_CREATE",
    "PIPE_RESOURCE_SET_TYPE",
    "GET_MEMORY_INFO",
    "EMIT_STRING_MARKER",
    "LINK_SHADER",
};

constexpr std::array<std::string_view, object_type_count> object_names{
    "NULL",         "BLEND",         "RASTERIZER", "DSA",   "SHADER",           "VERTEX_ELEMENTS",
    "SAMPLER_VIEW", "SAMPLER_STATE", "SURFACE",    "QUERY", "STREAMOUT_TARGET", "MSAA_SURFACE",
};

constexpr std::uint32_t vtest_header_bytes = 8;

// The bytes that follow the header of a message that announces `length`.
bool length_fits(VtestCommand command, std::uint64_t length, std::uint64_t bytes) {
    if (command == VtestCommand::create_renderer) return bytes == length;  // counted in bytes
    if (command == VtestCommand::transfer_put)
        return bytes <= length * 4 && bytes + 3 >= length * 4;  // rounded up, but only the data itself follows
    return bytes == length * 4;
}

}  // namespace

std::string name(VirglCommand command) {
    return std::string(virgl_names[static_cast<std::size_t>(command)]);
}
std::string name(ObjectType type) {
    return std::string(object_names[static_cast<std::size_t>(type)]);
}

Message parse_message(const Record& record) {
    const Words header(record.payload, record.offset, "vtest message");
    header.need(2);
    const auto command = static_cast<VtestCommand>(header[1]);
    if (!is_known(command)) {
        refuse(record.offset, "unknown vtest command " + std::to_string(header[1]) +
                                  "; tessera reads protocol version 0, which the recorder asks for");
    }
    const Bytes rest = record.payload.subspan(vtest_header_bytes);
    if (!length_fits(command, header[0], rest.size())) {
        refuse(record.offset, std::string(name(command)) + ": the header announces " + std::to_string(header[0]) +
                                  (command == VtestCommand::create_renderer ? " bytes" : " words") + ", but " +
                                  std::to_string(rest.size()) + " bytes follow");
    }
    return {command, Words(rest, record.offset + vtest_header_bytes, name(command))};
}

bool CommandStream::next(Command& command) {
    if (position_ >= submission_.count()) return false;
    const std::uint32_t header = submission_[position_];
    const std::uint64_t offset = submission_.offset() + std::uint64_t{position_} * 4;
    const std::uint32_t number = header & 0xff;
    const std::uint32_t object = header >> 8 & 0xff;
    const std::uint32_t length = header >> 16;
    if (number >= virgl_command_count) refuse(offset, "unknown virgl command " + std::to_string(number));
    if (object >= object_type_count)
        refuse(offset, std::string(virgl_names[number]) + ": unknown object type " + std::to_string(object));
    if (length > submission_.count() - position_ - 1) {
        refuse(offset, std::string(virgl_names[number]) + ": " + std::to_string(length) +
                           " words announced, but only " + std::to_string(submission_.count() - position_ - 1) +
                           " are left in the submission");
    }
    const Bytes operands = submission_.bytes_from(position_ + 1).first(std::size_t{length} * 4);
    command = {static_cast<VirglCommand>(number), static_cast<ObjectType>(object),
               Words(operands, offset + 4, virgl_names[number])};
    position_ += 1 + length;
    return true;
}

}  // namespace models::functional
