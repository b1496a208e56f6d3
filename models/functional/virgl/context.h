// The state of a virgl client: resources by handle, and in each sub-context objects by handle and what is bound. Takes
// every command that only changes state; draws, clears, copies and transfers are the renderer's.
//
// Commands that a driver sends with null or default contents for features that the renderer lacks are accepted when
// they are null or default, and refused by name otherwise. Ignored, because they cannot change a picture: queries
// (their results only go back to the client, whose decisions are in the recording already; conditional rendering is
// refused), LINK_SHADER, string markers and debug flags; and barriers, because what a command reads is always what
// those before it wrote.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/functional/raster/vertices.h"
#include "models/functional/texture/address_space.h"
#include "models/functional/texture/texture_unit.h"
#include "models/functional/virgl/objects.h"

namespace models::functional {

inline constexpr std::uint32_t max_vertex_buffers = 32;
inline constexpr std::uint32_t max_constant_buffers = 32;
inline constexpr std::uint32_t storage_slots = 32;  // of buffers, and of images
inline constexpr std::uint32_t shader_stages = 3;   // in the order of ShaderStage
inline constexpr std::uint32_t compute_stage = static_cast<std::uint32_t>(ShaderStage::compute);

struct Scissor {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // pixels; x1 and y1 are excluded
};

struct VertexBuffer {
    std::uint32_t stride = 0, offset = 0;  // bytes
    std::shared_ptr<Resource> resource;
};

struct IndexBuffer {
    std::uint32_t index_bytes = 0, offset = 0;
    std::shared_ptr<Resource> resource;
};

// Constants come inline or as a range of a resource.
struct ConstantBuffer {
    std::shared_ptr<const std::vector<float>> values;
    Address place = 0;  // of the values in simulated memory: new whenever they change
    std::shared_ptr<Resource> resource;
    std::uint32_t offset = 0, bytes = 0;
};

// Of compute shaders: what they load from and store to.
struct StorageBuffer {
    std::shared_ptr<Resource> resource;
    std::uint32_t offset = 0, bytes = 0;
};
struct StorageImage {
    std::shared_ptr<Resource> resource;
    Format format = Format::unknown;
    std::uint32_t level = 0;
    std::uint32_t first = 0, last = 0;  // layers, faces or slices; of a buffer: byte offset and bytes
};

struct StageState {
    std::shared_ptr<const ShaderObject> shader;
    std::array<ConstantBuffer, max_constant_buffers> constants;
    std::array<std::shared_ptr<const SamplerViewObject>, texture_units> views;
    std::array<std::shared_ptr<const SamplerState>, texture_units> samplers;
    std::array<StorageBuffer, storage_slots> buffers;
    std::array<StorageImage, storage_slots> images;
};

struct Framebuffer {
    std::vector<std::shared_ptr<const SurfaceObject>> colour;  // null where a slot is empty
    std::shared_ptr<const SurfaceObject> depth;
};

struct DrawingState {
    std::array<StageState, shader_stages> stages;
    std::shared_ptr<const BlendObject> blend;
    std::shared_ptr<const DepthStencilAlphaObject> depth_stencil_alpha;
    std::shared_ptr<const RasterizerObject> rasterizer;
    std::shared_ptr<const VertexElementsObject> vertex_elements;
    std::array<VertexBuffer, max_vertex_buffers> vertex_buffers;
    IndexBuffer index_buffer;
    Framebuffer framebuffer;
    Viewport viewport;
    Scissor scissor;
    std::uint8_t stencil_reference[2] = {};
    std::uint32_t sample_mask = ~0U;  // bit per sample
    std::uint32_t min_samples = 1;    // shaded separately
    float blend_colour[4] = {};
    float clip_planes[max_clip_planes][4] = {};
};

// Objects share one space of handles in a sub-context.
struct Object {
    ObjectType type = ObjectType::null;
    std::shared_ptr<const BlendObject> blend;
    std::shared_ptr<const DepthStencilAlphaObject> depth_stencil_alpha;
    std::shared_ptr<const RasterizerObject> rasterizer;
    std::shared_ptr<ShaderObject> shader;
    std::shared_ptr<const VertexElementsObject> vertex_elements;
    std::shared_ptr<const SamplerViewObject> sampler_view;
    std::shared_ptr<const SamplerState> sampler_state;
    std::shared_ptr<const SurfaceObject> surface;
};

struct SubContext {
    std::map<std::uint32_t, Object> objects;
    DrawingState state;
};

class Context {
  public:
    using ToldWrite = std::function<void(Address address, std::uint64_t bytes)>;

    // `anisotropic`: samplers keep the anisotropy that the application asks for. `tell` is called for constants that
    // come in a command, which the driver writes to memory.
    Context(AddressSpace& addresses, bool anisotropic, ToldWrite tell = nullptr)
        : addresses_(&addresses),
          anisotropic_(anisotropic),
          tell_(std::move(tell)) {}

    void create_resource(const Words& words);
    void destroy_resource(const Words& words);
    // Refuses handles that name no resource; `what` is the message or command that names it.
    const std::shared_ptr<Resource>& resource(const Words& what, std::uint32_t handle) const;

    const std::map<std::uint32_t, std::shared_ptr<Resource>>& resources() const { return resources_; }  // by handle

    // Applies a command that changes state. False: the command is an action, for the renderer.
    bool apply(const Command& command);

    // Writes the constants that are bound, and came in commands, to the ring anew, from its start on. At the start of a
    // frame: what the frame reads is then where it is whatever frames came before.
    void renew_constants();

    // Of the current sub-context.
    const DrawingState& state() const { return current_->state; }
    const StageState& compute_state() const { return current_->state.stages[compute_stage]; }
    std::uint32_t current_sub_context() const { return current_number_; }

  private:
    bool apply_object(const Command& command);
    bool apply_binding(const Command& command);
    bool apply_fixed_function(const Command& command);
    bool apply_default_only(const Command& command);

    void create_object(const Command& command);
    void bind_object(const Command& command);
    const Object& object(const Words& words, std::uint32_t handle, ObjectType type) const;
    StageState* stage(const Words& words, std::uint32_t number);  // null: a stage whose shaders are refused

    void bind_shader(const Words& words);
    void set_framebuffer(const Words& words);
    void set_vertex_buffers(const Words& words);
    void set_index_buffer(const Words& words);
    void set_sampler_views(const Words& words);
    void bind_sampler_states(const Words& words);
    template <class Slots, class Find>
    void set_texture_slots(const Words& words, const char* what, Slots slots, Find find);
    void set_constant_buffer(const Words& words);
    void set_uniform_buffer(const Words& words);
    void set_storage_buffers(const Words& words);
    void set_storage_images(const Words& words);
    void set_viewports(const Words& words);
    void set_scissors(const Words& words);
    void set_clip_planes(const Words& words);

    void set_sub_context(const Words& words);
    Address take_constant_place(std::uint64_t bytes);

    AddressSpace* addresses_;
    bool anisotropic_ = false;
    ToldWrite tell_;
    std::uint64_t constant_place_ = 0;  // the next in the ring
    std::map<std::uint32_t, std::shared_ptr<Resource>> resources_;
    std::map<std::uint32_t, SubContext> sub_contexts_{{0, {}}};
    std::uint32_t current_number_ = 0;
    SubContext* current_ = &sub_contexts_[0];
};

}  // namespace models::functional
