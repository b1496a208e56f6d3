// The virgl protocol as facts: command numbers, object types and their names. vtest messages (vtest/vtest_command.h)
// travel on the socket; a SUBMIT_CMD message carries virgl commands, each a header word (command, object type, length)
// and operands.
#pragma once

#include <cstdint>
#include <string>

#include "models/functional/virgl/record_stream.h"
#include "models/functional/vtest/vtest_command.h"

namespace models::functional {

enum class VirglCommand : std::uint8_t {
    nop,
    create_object,
    bind_object,
    destroy_object,
    set_viewport_state,
    set_framebuffer_state,
    set_vertex_buffers,
    clear,
    draw_vbo,
    resource_inline_write,
    set_sampler_views,
    set_index_buffer,
    set_constant_buffer,
    set_stencil_ref,
    set_blend_color,
    set_scissor_state,
    blit,
    resource_copy_region,
    bind_sampler_states,
    begin_query,
    end_query,
    get_query_result,
    set_polygon_stipple,
    set_clip_state,
    set_sample_mask,
    set_streamout_targets,
    set_render_condition,
    set_uniform_buffer,
    set_sub_ctx,
    create_sub_ctx,
    destroy_sub_ctx,
    bind_shader,
    set_tess_state,
    set_min_samples,
    set_shader_buffers,
    set_shader_images,
    memory_barrier,
    launch_grid,
    set_framebuffer_state_no_attach,
    texture_barrier,
    set_atomic_buffers,
    set_debug_flags,
    get_query_result_qbo,
    transfer3d,
    end_transfers,
    copy_transfer3d,
    set_tweaks,
    clear_texture,
    pipe_resource_create,
    pipe_resource_set_type,
    get_memory_info,
    emit_string_marker,
    link_shader,
};
inline constexpr std::uint32_t virgl_command_count = 53;

enum class ObjectType : std::uint8_t {
    null,
    blend,
    rasterizer,
    depth_stencil_alpha,
    shader,
    vertex_elements,
    sampler_view,
    sampler_state,
    surface,
    query,
    streamout_target,
    msaa_surface,
};
inline constexpr std::uint32_t object_type_count = 12;

// Bits of a resource's bind field that mark a window's colour buffer.
inline constexpr std::uint32_t bind_display_target = 0x80;
inline constexpr std::uint32_t bind_scanout = 0x40000;
inline constexpr std::uint32_t bind_sampler_view = 0x8;  // a texture that shaders may read

// Bits of CLEAR's first word.
inline constexpr std::uint32_t clear_depth_bit = 1;
inline constexpr std::uint32_t clear_stencil_bit = 2;
inline constexpr std::uint32_t clear_first_colour_bit = 4;

std::string name(VirglCommand command);
std::string name(ObjectType type);

// One message of the client: payload without the 8-byte header.
struct Message {
    VtestCommand command = VtestCommand::get_caps;
    Words words;
};
Message parse_message(const Record& record);  // refuses unknown commands and lengths that do not fit

// One virgl command; words[0] is the first operand.
struct Command {
    VirglCommand command = VirglCommand::nop;
    ObjectType object = ObjectType::null;
    Words words;
};

// The commands of one SUBMIT_CMD.
class CommandStream {
  public:
    explicit CommandStream(const Words& submission) : submission_(submission) {}
    bool next(Command& command);

  private:
    Words submission_;
    std::uint32_t position_ = 0;
};

}  // namespace models::functional
