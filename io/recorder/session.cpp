#include "io/recorder/session.h"

#include <chrono>
#include <string>
#include <utility>

#include <poll.h>

#include "engine/error.h"

namespace io {
namespace {

constexpr std::uint32_t bind_display_target = 1U << 7;
constexpr std::uint32_t bind_scanout = 1U << 18;
constexpr std::uint32_t wait_flag = 1;

// A swap sends its RESOURCE_BUSY_WAIT at once and then reads; a read-back by the application reads at once. The one
// tells itself from the other only by what comes next, so the recorder listens for a while before it answers. A
// read-back was waited for before, which makes the answer quick for it.
constexpr std::chrono::milliseconds patience_for_swap{5000};
constexpr std::chrono::milliseconds patience_for_read_back{50};

}  // namespace

Session::Session(int application, int renderer, SessionLimits limits, SessionSink sink)
    : application_(application),
      renderer_(renderer),
      limits_(limits),
      sink_(std::move(sink)) {}

void Session::run() {
    bool connected = true;
    while (connected && receive_message(application_, message_))
        connected = command_of(message_) == VtestCommand::transfer_get ? read_back() : pass_on();
    if (frames_.at_end()) finish_computation();
}

std::optional<models::functional::FrameEnd> Session::follow_frames(std::span<const std::byte> message) {
    const models::functional::Record record{models::functional::RecordKind::client_message, 0, message};
    return frames_.see(models::functional::parse_message(record), 0);
}

// A frame without a picture has ended, before the message that is being passed on.
void Session::finish_computation() {
    const bool recorded = !skipping() && !full();
    if (skipping()) record(RecordKind::skipped, {});
    ++seen_;
    if (recorded) sink_.end_frame(0, 0);
    if (sink_.swapped) sink_.swapped(seen_);
}

void Session::ask_renderer(std::span<const std::byte> message, Bytes& reply) const {
    if (!send_all(renderer_, message))
        throw engine::IoError("virgl_test_server hung up before it got " + vtest_name(command_of(message)));
    receive_reply(renderer_, message, reply);
}

void Session::record(RecordKind kind, std::span<const std::byte> bytes) {
    if (!full()) sink_.add(kind, bytes);
}

bool Session::pass_on() {
    const VtestCommand command = command_of(message_);
    waited_for_ = 0;
    if (command == VtestCommand::protocol_version) set_word(message_, field::version, 0);
    if (command == VtestCommand::resource_busy_wait) {
        set_word(message_, field::busy_wait_flags, wait_flag);
        waited_for_ = word(message_, field::handle);
    }
    follow_resources();
    if (const auto end = follow_frames(message_); end && !end->has_picture()) finish_computation();
    ask_renderer(message_, reply_);
    // Waits among skipped pictures could be taken for the end of one that was computed.
    const bool kept = !skipping() || command != VtestCommand::resource_busy_wait;
    if (kept) record(RecordKind::message, message_);
    if (reply_.empty()) return true;
    if (kept) record(RecordKind::reply, reply_);
    if (command == VtestCommand::get_caps2) limit_caps(reply_, limits_.gles);
    return send_all(application_, reply_);
}

void Session::follow_resources() {
    const VtestCommand command = command_of(message_);
    if (command == VtestCommand::resource_create)
        resources_[word(message_, field::handle)] = {word(message_, field::create_bind),
                                                     word(message_, field::create_width),
                                                     word(message_, field::create_height)};
    else if (command == VtestCommand::resource_unref)
        resources_.erase(word(message_, field::handle));
}

bool Session::wait_follows(std::uint32_t handle) const {
    const auto patience = handle == waited_for_ ? patience_for_read_back : patience_for_swap;
    pollfd state{application_, POLLIN, 0};
    return ::poll(&state, 1, static_cast<int>(patience.count())) > 0;
}

bool Session::read_back() {
    const std::uint32_t handle = word(message_, field::handle);
    ask_renderer(message_, pixels_);
    const auto target = resources_.find(handle);
    const bool presentable =
        target != resources_.end() && (target->second.bind & (bind_display_target | bind_scanout)) != 0;
    const bool swap = presentable && wait_follows(handle);
    waited_for_ = 0;
    follow_frames(message_);
    if (swap) return finish_swap(target->second);
    if (!skipping()) {
        record(RecordKind::message, message_);
        record(RecordKind::reply, pixels_);
    }
    return send_all(application_, pixels_);
}

bool Session::finish_swap(const Resource& target) {
    if (!receive_message(application_, wait_)) return false;
    if (command_of(wait_) != VtestCommand::resource_busy_wait ||
        word(wait_, field::handle) != word(message_, field::handle))
        throw engine::InputError(std::string("expected RESOURCE_BUSY_WAIT after the TRANSFER_GET of a display target, "
                                             "found ") +
                                 vtest_name(command_of(wait_)));
    set_word(wait_, field::busy_wait_flags, wait_flag);
    follow_frames(wait_);
    ask_renderer(wait_, reply_);
    const std::uint32_t width = word(message_, field::transfer_width);
    const std::uint32_t height = word(message_, field::transfer_height);
    const bool whole = word(message_, field::transfer_x) == 0 && word(message_, field::transfer_y) == 0 &&
                       width == target.width && height == target.height;
    if (!whole || !skipping()) {
        record(RecordKind::message, message_);
        record(RecordKind::reply, pixels_);
        record(RecordKind::message, wait_);
        record(RecordKind::reply, reply_);
    } else {
        record(RecordKind::skipped, {});
    }
    if (whole) {
        const bool recorded = !skipping() && !full();
        ++seen_;
        if (recorded) sink_.end_frame(width, height);
        if (sink_.swapped) sink_.swapped(seen_);
    }
    return send_all(application_, reply_) && send_all(application_, pixels_);
}

}  // namespace io
