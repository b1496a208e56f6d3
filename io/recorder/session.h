// One connection of an application to the renderer, with the recorder in the middle: passes every message on, and adds
// it to a recording as the renderer saw it.
//
// On the way it forces protocol version 0, limits the capabilities, lets every RESOURCE_BUSY_WAIT wait (so that no
// answer depends on how fast the renderer is), and gives Mesa the answers of a swap in the order it reads them: the
// pixels of TRANSFER_GET after the answer to the RESOURCE_BUSY_WAIT that follows.
//
// A picture is complete when a whole display target was read back that way, and, while the application has no display
// target, what kernels computed behind the last read-back or wait for a fence before the next launch (frame_ends.h): a
// frame as good as a picture, without size. Pictures 1..skip are passed on, but their
// read-back is left out of the recording, so that they do not count as pictures of it; what draws them is kept, for it
// may build state, and RecordKind::skipped stands where each ended. After skip + frames pictures the recording is full,
// and the session only passes on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "io/recorder/caps.h"
#include "io/recorder/vtest.h"
#include "io/recording/recording.h"
#include "models/functional/virgl/frame_ends.h"

namespace io {

// Where a session's records go; RecordingWriter behind it in the recorder.
struct SessionSink {
    std::function<void(RecordKind, std::span<const std::byte>)> add;
    std::function<void(std::uint32_t width, std::uint32_t height)> end_frame;
    // A picture is complete, recorded or not, and the application waits; `pictures` so far. May be empty.
    std::function<void(std::uint64_t pictures)> swapped{};
};

struct SessionLimits {
    GlesLevel gles = GlesLevel::gles2;
    std::uint64_t skip = 0;    // pictures
    std::uint64_t frames = 0;  // pictures; 0: all
};

class Session {
  public:
    Session(int application, int renderer, SessionLimits limits, SessionSink sink);

    // Until the application hangs up. Throws engine::IoError (the renderer hung up, a full disk) and engine::InputError
    // (the application does not speak the protocol).
    void run();

    bool full() const { return limits_.frames != 0 && seen_ >= limits_.skip + limits_.frames; }

  private:
    struct Resource {
        std::uint32_t bind, width, height;
    };
    bool pass_on();  // these three: false if the application hung up
    bool read_back();
    bool finish_swap(const Resource& target);
    void follow_resources();
    std::optional<models::functional::FrameEnd> follow_frames(std::span<const std::byte> message);
    void finish_computation();
    bool skipping() const { return seen_ < limits_.skip; }
    void ask_renderer(std::span<const std::byte> message, Bytes& reply) const;
    bool wait_follows(std::uint32_t handle) const;
    void record(RecordKind kind, std::span<const std::byte> bytes);

    int application_;
    int renderer_;
    SessionLimits limits_;
    SessionSink sink_;
    std::map<std::uint32_t, Resource> resources_;
    Bytes message_;
    Bytes reply_;
    Bytes pixels_;
    Bytes wait_;
    models::functional::FrameEndFinder frames_;
    std::uint64_t seen_ = 0;        // pictures
    std::uint32_t waited_for_ = 0;  // the handle, if the message before was a RESOURCE_BUSY_WAIT outside a swap
};

}  // namespace io
