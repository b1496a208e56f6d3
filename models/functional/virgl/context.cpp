#include "models/functional/virgl/context.h"

#include <cstring>
#include <string>
#include <utility>

namespace models::functional {

namespace {

constexpr std::uint32_t resource_words = 10;
constexpr std::uint32_t all_stages = 6;

void refuse_unless_null(const Words& words, std::uint32_t first, std::uint32_t end, const char* what) {
    for (std::uint32_t i = first; i < end; ++i) {
        if (words[i] != 0) {
            words.refuse(std::string(what) + " are not supported");
        }
    }
}

void check_range(const Words& words, std::uint64_t first, std::uint64_t count, std::uint64_t limit, const char* what) {
    if (first + count > limit) {
        words.refuse("expected at most " + std::to_string(limit) + " " + what + ", found slots " +
                     std::to_string(first) + " to " + std::to_string(first + count - 1));
    }
}

}  // namespace

void Context::create_resource(const Words& words) {
    words.need(resource_words);
    const std::uint32_t handle = words[0];
    if (words[1] > static_cast<std::uint32_t>(ResourceTarget::cube_array)) {
        words.refuse("unknown texture target " + std::to_string(words[1]));
    }
    if (words[2] > 0xffff) {
        words.refuse("unknown format " + std::to_string(words[2]));
    }
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
    if (found == resources_.end()) {
        what.refuse("there is no resource " + std::to_string(handle));
    }
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
            if (current_->objects.erase(words[0]) == 0) {
                words.refuse("there is no object " + std::to_string(words[0]));
            }
            return true;
        case VirglCommand::create_sub_ctx:
            sub_contexts_.try_emplace(words[0]);
            set_sub_context(words);
            return true;
        case VirglCommand::set_sub_ctx:
            set_sub_context(words);
            return true;
        case VirglCommand::destroy_sub_ctx:
            if (words[0] == 0) {
                words.refuse("sub-context 0 cannot be destroyed");
            }
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
            for (std::uint32_t i = 0; i < 4; ++i) {
                state.blend_colour[i] = words.real(i);
            }
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
            if ((words[0] & 1) == 0) {
                words.refuse("a sample mask without the first sample is not supported");
            }
            return true;
        case VirglCommand::set_min_samples:
            if (words[0] > 1) {
                words.refuse("shading per sample is not supported");
            }
            return true;
        case VirglCommand::set_shader_buffers:
            refuse_unless_null(words, 2, words.count(), "shader storage buffers");
            return true;
        case VirglCommand::set_shader_images:
            refuse_unless_null(words, 2, words.count(), "shader images");
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
        default:
            words.refuse("objects of type " + name(command.object) + " are not supported");
    }
    current_->objects[handle] = std::move(object);
}

const Object& Context::object(const Words& words, std::uint32_t handle, ObjectType type) const {
    const auto found = current_->objects.find(handle);
    if (found == current_->objects.end() || found->second.type != type) {
        words.refuse("there is no " + name(type) + " object " + std::to_string(handle));
    }
    return found->second;
}

void Context::bind_object(const Command& command) {
    const Words& words = command.words;
    const std::uint32_t handle = words[0];
    DrawingState& state = current_->state;
    const Object bound = handle == 0 ? Object{} : object(words, handle, command.object);
    switch (command.object) {
        case ObjectType::blend:
            state.blend = bound.blend;
            break;
        case ObjectType::depth_stencil_alpha:
            state.depth_stencil_alpha = bound.depth_stencil_alpha;
            break;
        case ObjectType::rasterizer:
            state.rasterizer = bound.rasterizer;
            break;
        case ObjectType::vertex_elements:
            state.vertex_elements = bound.vertex_elements;
            break;
        default:
            words.refuse("objects of type " + name(command.object) + " cannot be bound");
    }
}

StageState* Context::stage(const Words& words, std::uint32_t number) {
    if (number >= all_stages) {
        words.refuse("unknown shader stage " + std::to_string(number));
    }
    return number < shader_stages ? &current_->state.stages[number] : nullptr;
}

void Context::bind_shader(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[1]);
    if (words[0] == 0) {
        if (target != nullptr) {
            target->shader = nullptr;
        }
        return;
    }
    const Object& found = object(words, words[0], ObjectType::shader);
    if (!found.shader->unsupported.empty()) {
        words.refuse(found.shader->unsupported + " are not supported");
    }
    if (target == nullptr || (found.shader->stage == ShaderStage::vertex) != (words[1] == 0)) {
        words.refuse("shader " + std::to_string(words[0]) + " is of another stage");
    }
    target->shader = found.shader;
}

void Context::set_framebuffer(const Words& words) {
    words.need(2);
    const std::uint32_t count = words[0];
    check_range(words, 0, count, max_colour_targets, "colour targets");
    Framebuffer framebuffer;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t handle = words[2 + i];
        framebuffer.colour.push_back(handle == 0 ? nullptr : object(words, handle, ObjectType::surface).surface);
    }
    if (words[1] != 0) {
        framebuffer.depth = object(words, words[1], ObjectType::surface).surface;
    }
    current_->state.framebuffer = std::move(framebuffer);
}

void Context::set_vertex_buffers(const Words& words) {
    const std::uint32_t count = words.count() / 3;
    check_range(words, 0, count, max_vertex_buffers, "vertex buffers");
    for (std::uint32_t i = 0; i < max_vertex_buffers; ++i) {
        VertexBuffer& buffer = current_->state.vertex_buffers[i];
        buffer = {};
        if (i < count && words[i * 3 + 2] != 0) {
            buffer = {words[i * 3], words[i * 3 + 1], resource(words, words[i * 3 + 2])};
        }
    }
}

void Context::set_index_buffer(const Words& words) {
    IndexBuffer& buffer = current_->state.index_buffer;
    buffer = {};
    if (words[0] != 0) {
        words.need(3);
        if (words[1] != 1 && words[1] != 2 && words[1] != 4) {
            words.refuse("expected indices of 1, 2 or 4 bytes, found " + std::to_string(words[1]));
        }
        buffer = {words[1], words[2], resource(words, words[0])};
    }
}

void Context::set_sampler_views(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[0]);
    const std::uint32_t first = words[1];
    const std::uint32_t count = words.count() - 2;
    check_range(words, first, count, texture_units, "sampler views");
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t handle = words[2 + i];
        auto view = handle == 0 ? nullptr : object(words, handle, ObjectType::sampler_view).sampler_view;
        if (target != nullptr) {
            target->views[first + i] = std::move(view);
        }
    }
}

void Context::bind_sampler_states(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[0]);
    const std::uint32_t first = words[1];
    const std::uint32_t count = words.count() - 2;
    check_range(words, first, count, texture_units, "sampler states");
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t handle = words[2 + i];
        auto sampler = handle == 0 ? nullptr : object(words, handle, ObjectType::sampler_state).sampler_state;
        if (target != nullptr) {
            target->samplers[first + i] = std::move(sampler);
        }
    }
}

void Context::set_constant_buffer(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[0]);
    check_range(words, words[1], 1, max_constant_buffers, "constant buffers");
    if (target == nullptr) {
        return;
    }
    ConstantBuffer& buffer = target->constants[words[1]];
    buffer = {};
    const Bytes data = words.bytes_from(2);
    if (!data.empty()) {
        std::vector<float> values(data.size() / 4);
        std::memcpy(values.data(), data.data(), values.size() * 4);
        values.resize((values.size() + 3) / 4 * 4);  // whole vec4s
        buffer.bytes = static_cast<std::uint32_t>(data.size());
        buffer.values = std::make_shared<const std::vector<float>>(std::move(values));
    }
}

void Context::set_uniform_buffer(const Words& words) {
    words.need(5);
    StageState* const target = stage(words, words[0]);
    check_range(words, words[1], 1, max_constant_buffers, "constant buffers");
    if (target == nullptr) {
        return;
    }
    ConstantBuffer& buffer = target->constants[words[1]];
    buffer = {};
    if (words[4] != 0) {
        const std::shared_ptr<Resource>& source = resource(words, words[4]);
        const std::uint64_t end = std::uint64_t{words[2]} + words[3];
        if (source->description().target != ResourceTarget::buffer || end > source->bytes().size() ||
            words[2] % 4 != 0) {
            words.refuse("bytes " + std::to_string(words[2]) + " to " + std::to_string(end) +
                         " are not in a buffer of " + std::to_string(source->bytes().size()) + " bytes");
        }
        buffer.resource = source;
        buffer.offset = words[2];
        buffer.bytes = words[3];
    }
}

// Without geometry shaders only viewport and scissor 0 can be used.
void Context::set_viewports(const Words& words) {
    words.need(7);
    if (words[0] != 0) {
        return;
    }
    Viewport& viewport = current_->state.viewport;
    for (std::uint32_t i = 0; i < 3; ++i) {
        viewport.scale[i] = words.real(1 + i);
        viewport.translate[i] = words.real(4 + i);
    }
}

void Context::set_scissors(const Words& words) {
    words.need(3);
    if (words[0] == 0) {
        current_->state.scissor = {words[1] & 0xffff, words[1] >> 16, words[2] & 0xffff, words[2] >> 16};
    }
}

void Context::set_clip_planes(const Words& words) {
    words.need(max_clip_planes * 4);
    for (std::uint32_t i = 0; i < max_clip_planes * 4; ++i) {
        current_->state.clip_planes[i / 4][i % 4] = words.real(i);
    }
}

void Context::set_sub_context(const Words& words) {
    const auto found = sub_contexts_.find(words[0]);
    if (found == sub_contexts_.end()) {
        words.refuse("there is no sub-context " + std::to_string(words[0]));
    }
    current_number_ = words[0];
    current_ = &found->second;
}

}  // namespace models::functional
