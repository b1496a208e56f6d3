#include "models/functional/virgl/context.h"

#include <string>
#include <utility>

namespace models::functional {

namespace {

constexpr std::uint32_t resource_words = 10;

void refuse_unless_null(const Words& words, std::uint32_t first, std::uint32_t end, const char* what) {
    for (std::uint32_t i = first; i < end; ++i)
        if (words[i] != 0) words.refuse(std::string(what) + " are not supported");
}

}  // namespace

void Context::create_resource(const Words& words) {
    words.need(resource_words);
    const std::uint32_t handle = words[0];
    if (words[1] > static_cast<std::uint32_t>(ResourceTarget::cube_array))
        words.refuse("unknown texture target " + std::to_string(words[1]));
    if (words[2] > 0xffff) words.refuse("unknown format " + std::to_string(words[2]));
    const ResourceDescription description{
        .target = static_cast<ResourceTarget>(words[1]),
        .format = static_cast<Format>(words[2]),
        .width = words[4],
        .height = words[5],
        .depth = words[6],
        .array_size = words[7],
        .last_level = words[8],
        .samples = words[9],
        .bind = words[3],
    };
    resources_[handle] = std::make_shared<Resource>(description, *addresses_);
}

void Context::destroy_resource(const Words& words) {
    resource(words, words[0]);
    resources_.erase(words[0]);
}

const std::shared_ptr<Resource>& Context::resource(const Words& what, std::uint32_t handle) const {
    const auto found = resources_.find(handle);
    if (found == resources_.end()) what.refuse("there is no resource " + std::to_string(handle));
    return found->second;
}

bool Context::apply(const Command& command) {
    return apply_object(command) || apply_binding(command) || apply_fixed_function(command) ||
           apply_default_only(command);
}

bool Context::apply_object(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::nop:
            return true;
        case VirglCommand::create_object:
            create_object(command);
            return true;
        case VirglCommand::bind_object:
            bind_object(command);
            return true;
        case VirglCommand::destroy_object:
            if (current_->objects.erase(words[0]) == 0) words.refuse("there is no object " + std::to_string(words[0]));
            return true;
        case VirglCommand::create_sub_ctx:
            sub_contexts_.try_emplace(words[0]);
            set_sub_context(words);
            return true;
        case VirglCommand::set_sub_ctx:
            set_sub_context(words);
            return true;
        case VirglCommand::destroy_sub_ctx:
            if (words[0] == 0) words.refuse("sub-context 0 cannot be destroyed");
            sub_contexts_.erase(words[0]);
            if (current_number_ == words[0]) {
                current_number_ = 0;
                current_ = &sub_contexts_[0];
            }
            return true;
        default:
            return false;
    }
}

bool Context::apply_binding(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::bind_shader:
            bind_shader(words);
            return true;
        case VirglCommand::set_framebuffer_state:
            set_framebuffer(words);
            return true;
        case VirglCommand::set_vertex_buffers:
            set_vertex_buffers(words);
            return true;
        case VirglCommand::set_index_buffer:
            set_index_buffer(words);
            return true;
        case VirglCommand::set_sampler_views:
            set_sampler_views(words);
            return true;
        case VirglCommand::bind_sampler_states:
            bind_sampler_states(words);
            return true;
        case VirglCommand::set_constant_buffer:
            set_constant_buffer(words);
            return true;
        case VirglCommand::set_uniform_buffer:
            set_uniform_buffer(words);
            return true;
        case VirglCommand::set_shader_buffers:
            set_storage_buffers(words);
            return true;
        case VirglCommand::set_shader_images:
            set_storage_images(words);
            return true;
        default:
            return false;
    }
}

bool Context::apply_fixed_function(const Command& command) {
    const Words& words = command.words;
    DrawingState& state = current_->state;
    switch (command.command) {
        case VirglCommand::set_viewport_state:
            set_viewports(words);
            return true;
        case VirglCommand::set_scissor_state:
            set_scissors(words);
            return true;
        case VirglCommand::set_clip_state:
            set_clip_planes(words);
            return true;
        case VirglCommand::set_stencil_ref:
            state.stencil_reference[0] = static_cast<std::uint8_t>(words[0] & 0xff);
            state.stencil_reference[1] = static_cast<std::uint8_t>(words[0] >> 8 & 0xff);
            return true;
        case VirglCommand::set_blend_color:
            for (std::uint32_t i = 0; i < 4; ++i) state.blend_colour[i] = words.real(i);
            return true;
        default:
            return false;
    }
}

// What no draw can depend on, and features that are refused unless they are off.
bool Context::apply_default_only(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::set_polygon_stipple:  // draws that enable the stipple are refused
        case VirglCommand::set_tess_state:       // tessellation shaders are refused
        case VirglCommand::set_framebuffer_state_no_attach:
        case VirglCommand::begin_query:
        case VirglCommand::end_query:
        case VirglCommand::get_query_result:
        case VirglCommand::memory_barrier:
        case VirglCommand::texture_barrier:
        case VirglCommand::set_debug_flags:
        case VirglCommand::emit_string_marker:
        case VirglCommand::link_shader:
            return true;
        case VirglCommand::set_sample_mask:
            current_->state.sample_mask = words[0];
            return true;
        case VirglCommand::set_min_samples:
            current_->state.min_samples = words[0];
            return true;
        case VirglCommand::set_atomic_buffers:
            refuse_unless_null(words, 1, words.count(), "atomic counters");
            return true;
        case VirglCommand::set_streamout_targets:
            refuse_unless_null(words, 1, words.count(), "stream outputs (transform feedback)");
            return true;
        case VirglCommand::set_render_condition:
            refuse_unless_null(words, 0, 1, "render conditions");
            return true;
        default:
            return false;
    }
}

void Context::create_object(const Command& command) {
    const Words& words = command.words;
    const std::uint32_t handle = words[0];
    Object object;
    object.type = command.object;
    switch (command.object) {
        case ObjectType::blend:
            object.blend = std::make_shared<BlendObject>(decode_blend(words));
            break;
        case ObjectType::depth_stencil_alpha:
            object.depth_stencil_alpha = std::make_shared<DepthStencilAlphaObject>(decode_depth_stencil_alpha(words));
            break;
        case ObjectType::rasterizer:
            object.rasterizer = std::make_shared<RasterizerObject>(decode_rasterizer(words));
            break;
        case ObjectType::vertex_elements:
            object.vertex_elements = std::make_shared<VertexElementsObject>(decode_vertex_elements(words));
            break;
        case ObjectType::sampler_state: {
            SamplerState sampler = decode_sampler_state(words);
            sampler.max_anisotropy = anisotropic_ ? sampler.max_anisotropy : 0;
            object.sampler_state = std::make_shared<SamplerState>(sampler);
            break;
        }
        case ObjectType::sampler_view:
            object.sampler_view =
                std::make_shared<SamplerViewObject>(decode_sampler_view(words, resource(words, words[1])));
            break;
        case ObjectType::surface:
            object.surface = std::make_shared<SurfaceObject>(decode_surface(words, resource(words, words[1])));
            break;
        case ObjectType::shader: {
            const auto found = current_->objects.find(handle);
            if (found != current_->objects.end() && found->second.shader && found->second.shader->missing_bytes > 0) {
                append_shader(*found->second.shader, words);
                return;
            }
            object.shader = std::make_shared<ShaderObject>(decode_shader(words));
            break;
        }
        case ObjectType::query:
            break;
        case ObjectType::streamout_target:
            words.refuse(
                "transform feedback is not supported; OpenGL ES 2, as `tessera record --gles 2` offers it, has none");
        default:
            words.refuse("objects of type " + name(command.object) + " are not supported");
    }
    current_->objects[handle] = std::move(object);
}

const Object& Context::object(const Words& words, std::uint32_t handle, ObjectType type) const {
    const auto found = current_->objects.find(handle);
    if (found == current_->objects.end() || found->second.type != type)
        words.refuse("there is no " + name(type) + " object " + std::to_string(handle));
    return found->second;
}

void Context::set_sub_context(const Words& words) {
    const auto found = sub_contexts_.find(words[0]);
    if (found == sub_contexts_.end()) words.refuse("there is no sub-context " + std::to_string(words[0]));
    current_number_ = words[0];
    current_ = &found->second;
}

}  // namespace models::functional
