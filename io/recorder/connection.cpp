#include "io/recorder/connection.h"

#include <utility>

#include <sys/socket.h>

namespace io {

Connection::Connection(Descriptor application, const Renderer& renderer, const std::filesystem::path& output,
                       Existing existing, const RecordingOrigin& origin, SessionLimits limits, InputScript& input,
                       std::function<void(const Connection&)> changed)
    : application_(std::move(application)),
      limits_(limits),
      input_(input),
      writer_(output, origin, existing),
      changed_(std::move(changed)),
      thread_([this, &renderer] { serve(renderer); }) {}

template <class Write>
void Connection::to_disk(Write write) {
    try {
        write();
    } catch (...) {
        disk_failed_ = true;
        throw;
    }
}

void Connection::converse(const Renderer& renderer) {
    const Descriptor server = renderer.connect();
    const SessionSink sink{
        .add = [this](RecordKind kind,
                      std::span<const std::byte> bytes) { to_disk([&] { writer_.add(kind, bytes); }); },
        .end_frame =
            [this](std::uint32_t width, std::uint32_t height) {
                to_disk([&] { writer_.end_frame(); });
                width_ = width;
                height_ = height;
                ++frames_;
                changed_(*this);
            },
        .swapped = [this](std::uint64_t pictures) { input_.play(pictures); }};
    Session{application_.number(), server.number(), limits_, sink}.run();
}

void Connection::serve(const Renderer& renderer) {
    try {
        converse(renderer);
    } catch (...) {
        failure_ = std::current_exception();
    }
    ::shutdown(application_.number(), SHUT_RDWR);
    running_ = false;
    changed_(*this);
}

void Connection::finish() {
    ::shutdown(application_.number(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
}

}  // namespace io
