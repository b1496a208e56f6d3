// One connection of the application, served by a thread of its own into a recording of its own. Which of several
// connections is the recording is decided at the end.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

#include "io/recorder/helpers.h"
#include "io/recorder/input_script.h"
#include "io/recorder/session.h"
#include "io/recording/recording_writer.h"

namespace io {

class Connection {
  public:
    // `changed` is called from the thread after a picture and at the end. `input` outlives this.
    Connection(Descriptor application, const Renderer& renderer, const std::filesystem::path& output, Existing existing,
               const RecordingOrigin& origin, SessionLimits limits, InputScript& input,
               std::function<void(const Connection&)> changed);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { finish(); }

    // Any time, from any thread.
    bool running() const { return running_; }
    std::uint64_t frames() const { return frames_; }
    bool full() const { return limits_.frames != 0 && frames_ >= limits_.frames; }

    void finish();  // hangs up and waits for the thread

    // After finish().
    RecordingWriter& writer() { return writer_; }
    std::uint32_t width() const { return width_; }
    std::uint32_t height() const { return height_; }
    std::exception_ptr failure() const { return failure_; }
    bool disk_failed() const { return disk_failed_; }

  private:
    void serve(const Renderer& renderer);
    void converse(const Renderer& renderer);
    template <class Write>
    void to_disk(Write write);

    Descriptor application_;
    SessionLimits limits_;
    InputScript& input_;
    RecordingWriter writer_;
    std::function<void(const Connection&)> changed_;
    std::atomic<bool> running_ = true;
    std::atomic<std::uint64_t> frames_ = 0;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::exception_ptr failure_;
    bool disk_failed_ = false;
    std::thread thread_;
};

}  // namespace io
