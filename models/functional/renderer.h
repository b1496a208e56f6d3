// The functional renderer: executes a recording frame by frame, gives each frame's image and what a GPU had to do for
// it (the frame trace). Rendering is parallel; images and traces are the same for any number of threads.
//
//     FunctionalRenderer renderer(stream, {.threads = 2});
//     Frame frame; Image image, reference;
//     while (renderer.next_frame(&frame, &image, &reference)) ...
//
// A frame ends where the client reads its whole window back and waits for it, or, while there is no window, behind what
// it reads back of what kernels computed (virgl/frame_ends.h); then it has no image, and the bytes that were read are
// compared with those recorded. Passes are split where a real tile-based
// GPU would have to flush: when the framebuffer changes, around transfers, and where a surface of the pass is sampled
// (target_use.h). Whether a pass stores its depth is known
// at the end of the frame: only if a later pass of the frame loads it, a transfer reads it, or shaders may sample it.
// Constants that came in commands before the frame and are still bound are uploaded again at its start, as drivers do
// when they begin new command buffers.
//
// Input that is damaged or not supported ends in an engine::InputError with the byte offset in the stream; the renderer
// must not be used after that. Memory is bounded: by what GPUs have (address_space.h), by what the size of the
// recording justifies for a draw (memory_limit.h), and by a limit for everything (memory_meter.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/functional/draw_pipeline.h"
#include "models/functional/image.h"
#include "models/functional/kernel_launch.h"
#include "models/functional/memory_meter.h"
#include "models/functional/pass_renderer.h"
#include "models/functional/program_library.h"
#include "models/functional/read_back.h"
#include "models/functional/transfer.h"
#include "models/functional/virgl/context.h"
#include "models/functional/virgl/frame_ends.h"
#include "models/functional/workers.h"

namespace models::functional {

class FunctionalRenderer {
  public:
    struct Options {
        int threads = 0;  // 0: as many as the machine has
        // Filters as anisotropically as the application asks. The renderer that made the reference images does not:
        // with this option they differ from ours wherever an application uses it.
        bool anisotropic = false;
        // Draws with shaders that may read registers they never write: what such shaders draw is undefined, and other
        // renderers show other pictures. Refused by name unless this is set; then the registers read as zero.
        bool undefined_as_zero = false;
        // Draws the tiles of traced frames again, the second time without the colours of lanes that Quad::visible calls
        // hidden: the picture is the same, or the trace is wrong. For tests.
        bool without_hidden = false;
        // Bytes for resources, and again for the vertices and primitives of one draw. 0: AddressSpace::largest, and
        // what the recording justifies.
        std::uint64_t memory = 0;
        // Bytes that the recording, the rendering and a traced frame may take together.
        std::uint64_t memory_limit = MemoryMeter::unlimited;
    };

    // `recording` is the decompressed stream and must outlive this.
    FunctionalRenderer(Bytes recording, const Options& options);

    // Executes the stream up to the end of the next frame; false when there is none. What is not wanted may be null:
    // without `frame` the frame is rendered faster, because nothing is traced. `reference` is the recorded image, empty
    // when the recording has none; `frame->check` compares the two. The memory of both images is used again.
    bool next_frame(Frame* frame, Image* image, Image* reference);

    // Executes what the stream holds up to this offset, of a record, and is none of the next frame's own work. A frame
    // that ends before it is an engine::InputError.
    void execute_to(std::uint64_t offset);

    // What the client read back in the last frame, if that has no picture.
    const std::vector<ReadBackCheck>& read_backs() const { return read_backs_; }
    // That frame launched so many kernels.
    std::uint32_t kernels() const { return kernel_count_; }

    // The programs that frames refer to; grows as frames go by.
    const std::vector<Program>& programs() const { return library_.programs(); }

    // What rendering takes of memory, the traced frame included until the next one begins.
    MemoryMeter& memory() { return memory_; }

    // What the client's state is and its resources hold, between frames.
    const Context& context() const { return context_; }

  private:
    // A window read back, until the wait that ends the frame.
    struct WindowRead {
        std::uint32_t handle = 0;
        std::uint32_t row_bytes = 0;
        std::shared_ptr<Resource> resource;
        Bytes reply;
    };

    bool execute_frame(Image* image, Image* reference);
    void handle(const Message& message);
    void take_reply(Bytes reply);
    void submit(const Words& submission);
    void act(const Command& command);
    void draw(const Words& words);
    void draw(const DrawCall& call);
    void clear(const Words& words);
    void launch(const Words& words);
    void transfer(const TransferCommand& command);
    void put(const Words& words);
    void inline_write(const Words& words);
    void clear_texture(const Words& words);
    void get(const Words& words);

    void open_pass();
    void begin_pass(RenderTargets targets);
    void end_pass();
    void split_pass();
    void before_write(const Resource& resource);
    void record_upload(const MemoryRange& range);
    void record_uploads(const Resource& resource, std::uint32_t level, const Box& box);
    void record_presented(const Resource& window, const Image& image);
    void finish_frame(Image* image, Image* reference);
    void note_depth_read(const TransferCommand& command, std::int32_t layer);
    void settle_depth_stores();

    Workers workers_;
    MemoryMeter memory_;
    AddressSpace addresses_;
    RecordStream records_;
    FrameEnds frame_ends_;
    Context context_;
    ProgramLibrary library_;
    DrawPipeline pipeline_;
    PassRenderer pass_;
    KernelLauncher kernels_;
    std::uint64_t recording_bytes_;

    WindowRead window_;
    // What was read back, until its reply comes: the transfer's bytes as we have them.
    struct ReadBack {
        std::uint32_t handle = 0;
        std::vector<std::byte> bytes;
    };
    std::optional<ReadBack> read_back_;
    std::vector<ReadBackCheck> read_backs_;
    std::uint32_t kernel_count_ = 0;
    Frame* frame_ = nullptr;
    std::uint32_t frames_ = 0;
    // Of the frame's passes: whether what is left in the depth buffer is needed whatever comes.
    std::vector<bool> depth_is_read_;
    std::vector<Address> depths_transferred_;  // depth surfaces that transfers read
};

}  // namespace models::functional
