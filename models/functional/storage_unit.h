// The buffers and images of a dispatch and the shared memory of a block, as programs reach them.
//
// Accesses are dwords of buffers and shared memory, and texels of images, which are converted as a texture fetch and a
// colour target convert them. Byte offsets are rounded down to whole dwords. What lies outside what is bound reads as
// zero and is not written, as robust access demands; the same holds for empty slots.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/functional/memory_meter.h"
#include "models/functional/storage_request.h"
#include "models/functional/tgsi/shader.h"
#include "models/functional/virgl/context.h"

namespace models::functional {

// The storage of a program, prepared; read-only while blocks run.
class StorageBindings {
  public:
    // Throws InputError by name on formats and targets of images that are not supported, and where the program means
    // another kind of image than is bound.
    StorageBindings(const tgsi::Shader& shader, const StageState& stage);

    struct Buffer {
        std::span<std::byte> bytes;
        Address address = 0;
    };
    struct Image {
        TextureTarget target = TextureTarget::t2d;
        const FormatInfo* format = nullptr;  // null: an empty slot
        std::vector<SurfaceView> layers;     // layers, faces or slices; a buffer is one row
        std::uint32_t width = 0, height = 0;
    };
    // The textures whose images the program writes have other contents now.
    void tell_contents_changed(const tgsi::Shader& shader, const StageState& stage) const;

    std::span<const Buffer> buffers() const { return buffers_; }
    std::span<const Image> images() const { return images_; }

  private:
    std::vector<Buffer> buffers_;
    std::vector<Image> images_;
};

// A write to memory that has still to be done: up to four bytes.
struct PendingWrite {
    std::byte* to = nullptr;
    std::uint32_t value = 0;
    std::uint32_t bytes = 4;
};

// Where one instruction of a batch went, for the frame trace: byte addresses in the simulated memory, in shared memory
// from 0 on.
struct StorageFootprint {
    std::int32_t instruction = 0;
    StorageSpace space = StorageSpace::buffer;
    StorageOperation operation = StorageOperation::load;
    std::uint32_t bytes = 4;  // a lane's, within bounds
    LaneMask executed = 0;
    LaneMask active = 0;  // lanes that reach memory
    std::array<Address, batch_lanes> address{};
};

// One per worker.
class StorageUnit final : public StorageAccess {
  public:
    // `writes` null: buffers and images are written at once. Else they keep what they hold and the writes are appended,
    // in order, and counted; programs whose loads could see them must not run so.
    void begin(const StorageBindings& bindings, std::vector<PendingWrite>* writes, MemoryMeter& memory);
    void record(std::vector<StorageFootprint>* footprint) { footprint_ = footprint; }  // null: nothing is recorded
    void begin_block(std::uint32_t shared_bytes);  // of shared memory, zero at first

    void access(const StorageRequest& request, Vec4Lanes& result) override;

  private:
    void reach_dwords(const StorageRequest& request, std::span<std::byte> bytes, Address address, Vec4Lanes& result);
    void reach_texels(const StorageRequest& request, Vec4Lanes& result);
    void reach_texel(const StorageRequest& request, const StorageBindings::Image& image, std::byte* texel, int lane,
                     Vec4Lanes& result);
    std::uint32_t change(const StorageRequest& request, int lane, std::byte* dword);
    void write(const StorageRequest& request, std::byte* to, const std::byte* from, std::uint32_t bytes);
    void note(int lane, Address address, std::uint32_t bytes);

    const StorageBindings* bindings_ = nullptr;
    std::vector<PendingWrite>* writes_ = nullptr;
    MemoryMeter* memory_ = nullptr;
    std::vector<StorageFootprint>* footprint_ = nullptr;
    std::vector<std::byte> shared_;
};

}  // namespace models::functional
