// What a sub-context's state refers to: the commands that bind objects, buffers and fixed-function values.
#include <cstring>
#include <string>
#include <utility>

#include "models/functional/virgl/context.h"

namespace models::functional {

namespace {

constexpr std::uint32_t all_stages = 6;
constexpr std::uint32_t compute_number = 5;  // of the stage, in commands

void check_range(const Words& words, std::uint64_t first, std::uint64_t count, std::uint64_t limit, const char* what) {
    if (first + count > limit) {
        words.refuse("expected at most " + std::to_string(limit) + " " + what + ", found slots " +
                     std::to_string(first) + " to " + std::to_string(first + count - 1));
    }
}

}  // namespace

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
    if (number >= all_stages) words.refuse("unknown shader stage " + std::to_string(number));
    if (number == compute_number) return &current_->state.stages[compute_stage];
    return number < compute_stage ? &current_->state.stages[number] : nullptr;
}

void Context::bind_shader(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[1]);
    if (words[0] == 0) {
        if (target != nullptr) target->shader = nullptr;
        return;
    }
    const Object& found = object(words, words[0], ObjectType::shader);
    if (!found.shader->unsupported.empty()) words.refuse(found.shader->unsupported + " are not supported");
    if (target != &current_->state.stages[static_cast<std::size_t>(found.shader->stage)])
        words.refuse("shader " + std::to_string(words[0]) + " is of another stage");
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
    if (words[1] != 0) framebuffer.depth = object(words, words[1], ObjectType::surface).surface;
    current_->state.framebuffer = std::move(framebuffer);
}

void Context::set_vertex_buffers(const Words& words) {
    const std::uint32_t count = words.count() / 3;
    check_range(words, 0, count, max_vertex_buffers, "vertex buffers");
    for (std::uint32_t i = 0; i < max_vertex_buffers; ++i) {
        VertexBuffer& buffer = current_->state.vertex_buffers[i];
        buffer = {};
        if (i < count && words[i * 3 + 2] != 0)
            buffer = {words[i * 3], words[i * 3 + 1], resource(words, words[i * 3 + 2])};
    }
}

void Context::set_index_buffer(const Words& words) {
    IndexBuffer& buffer = current_->state.index_buffer;
    buffer = {};
    if (words[0] != 0) {
        words.need(3);
        if (words[1] != 1 && words[1] != 2 && words[1] != 4)
            words.refuse("expected indices of 1, 2 or 4 bytes, found " + std::to_string(words[1]));
        buffer = {words[1], words[2], resource(words, words[0])};
    }
}

void Context::set_sampler_views(const Words& words) {
    set_texture_slots(
        words, "sampler views", [](StageState& stage) -> auto& { return stage.views; },
        [&](std::uint32_t handle) { return object(words, handle, ObjectType::sampler_view).sampler_view; });
}

void Context::bind_sampler_states(const Words& words) {
    set_texture_slots(
        words, "sampler states", [](StageState& stage) -> auto& { return stage.samplers; },
        [&](std::uint32_t handle) { return object(words, handle, ObjectType::sampler_state).sampler_state; });
}

// Stage, first slot, and a handle for each slot; 0 empties it.
template <class Slots, class Find>
void Context::set_texture_slots(const Words& words, const char* what, Slots slots, Find find) {
    words.need(2);
    StageState* const target = stage(words, words[0]);
    const std::uint32_t first = words[1];
    const std::uint32_t count = words.count() - 2;
    check_range(words, first, count, texture_units, what);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t handle = words[2 + i];
        auto found = handle == 0 ? nullptr : find(handle);
        if (target != nullptr) slots(*target)[first + i] = std::move(found);
    }
}

void Context::set_constant_buffer(const Words& words) {
    words.need(2);
    StageState* const target = stage(words, words[0]);
    check_range(words, words[1], 1, max_constant_buffers, "constant buffers");
    if (target == nullptr) return;
    ConstantBuffer& buffer = target->constants[words[1]];
    const Bytes data = words.bytes_from(2);
    const bool unchanged = buffer.values && buffer.bytes == data.size() &&
                           std::memcmp(buffer.values->data(), data.data(), data.size()) == 0;
    if (unchanged) return;
    buffer = {};
    if (!data.empty()) {
        std::vector<float> values(data.size() / 4);
        std::memcpy(values.data(), data.data(), values.size() * 4);
        values.resize((values.size() + 3) / 4 * 4);  // whole vec4s
        buffer.bytes = static_cast<std::uint32_t>(data.size());
        buffer.place = take_constant_place(data.size());
        buffer.values = std::make_shared<const std::vector<float>>(std::move(values));
    }
}

// One place behind the other, and from the start again: by then nobody reads what was there.
Address Context::take_constant_place(std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 256;  // what drivers give constant buffers
    if (constant_place_ + bytes > constant_ring_bytes) constant_place_ = 0;
    const Address place = constant_ring + constant_place_;
    constant_place_ = (constant_place_ + bytes + alignment - 1) / alignment * alignment;
    if (tell_) tell_(place, bytes);
    return place;
}

void Context::renew_constants() {
    constant_place_ = 0;
    for (auto& [number, sub_context] : sub_contexts_) {
        for (StageState& stage : sub_context.state.stages) {
            for (ConstantBuffer& buffer : stage.constants)
                if (buffer.values) buffer.place = take_constant_place(buffer.bytes);
        }
    }
}

void Context::set_uniform_buffer(const Words& words) {
    words.need(5);
    StageState* const target = stage(words, words[0]);
    check_range(words, words[1], 1, max_constant_buffers, "constant buffers");
    if (target == nullptr) return;
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

namespace {

constexpr std::uint32_t buffer_words = 3, image_words = 5;  // of a slot

// Compute shaders only: graphics programs that reach storage are not executed, so nothing may rely on what they would
// write.
void refuse_of_graphics(const Words& words, const char* what) {
    for (std::uint32_t i = 2; i < words.count(); ++i)
        if (words[0] != compute_number && words[i] != 0)
            words.refuse(std::string(what) + " are not supported in vertex and fragment shaders");
}

}  // namespace

// Stage, first slot, and for each slot its byte offset, bytes and resource; a resource of 0 empties it.
void Context::set_storage_buffers(const Words& words) {
    words.need(2);
    refuse_of_graphics(words, "shader storage buffers");
    StageState* const target = stage(words, words[0]);
    const std::uint32_t count = (words.count() - 2) / buffer_words;
    check_range(words, words[1], count, storage_slots, "shader storage buffers");
    for (std::uint32_t i = 0; i < count && target != nullptr; ++i) {
        const std::uint32_t at = 2 + i * buffer_words;
        StorageBuffer& slot = target->buffers[words[1] + i];
        slot = {};
        if (words[at + 2] == 0) continue;
        slot = {resource(words, words[at + 2]), words[at], words[at + 1]};
        if (slot.resource->description().target != ResourceTarget::buffer || slot.offset % 4 != 0)
            words.refuse("slot " + std::to_string(words[1] + i) + " is not of whole dwords of a buffer");
    }
}

// Stage, first slot, and for each slot its format, access, two words that say which part, and resource.
void Context::set_storage_images(const Words& words) {
    words.need(2);
    refuse_of_graphics(words, "shader images");
    StageState* const target = stage(words, words[0]);
    const std::uint32_t count = (words.count() - 2) / image_words;
    check_range(words, words[1], count, storage_slots, "shader images");
    for (std::uint32_t i = 0; i < count && target != nullptr; ++i) {
        const std::uint32_t at = 2 + i * image_words;
        StorageImage& slot = target->images[words[1] + i];
        slot = {};
        if (words[at + 4] == 0) continue;
        slot.resource = resource(words, words[at + 4]);
        slot.format = static_cast<Format>(words[at]);
        if (slot.resource->description().target == ResourceTarget::buffer) {
            slot.first = words[at + 2];
            slot.last = words[at + 3];
        } else {
            slot.first = words[at + 2] & 0xffff;
            slot.last = words[at + 2] >> 16;
            slot.level = words[at + 3] & 0xff;  // above it Mesa sends what was in memory
        }
    }
}

// Without geometry shaders only viewport and scissor 0 can be used.
void Context::set_viewports(const Words& words) {
    words.need(7);
    if (words[0] != 0) return;
    Viewport& viewport = current_->state.viewport;
    for (std::uint32_t i = 0; i < 3; ++i) {
        viewport.scale[i] = words.real(1 + i);
        viewport.translate[i] = words.real(4 + i);
    }
}

void Context::set_scissors(const Words& words) {
    words.need(3);
    if (words[0] == 0) current_->state.scissor = {words[1] & 0xffff, words[1] >> 16, words[2] & 0xffff, words[2] >> 16};
}

void Context::set_clip_planes(const Words& words) {
    words.need(max_clip_planes * 4);
    for (std::uint32_t i = 0; i < max_clip_planes * 4; ++i) current_->state.clip_planes[i / 4][i % 4] = words.real(i);
}

}  // namespace models::functional
