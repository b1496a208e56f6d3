// Cuts frames out of the middle of a recording: a recording of its own that starts with the state the client had before
// the first of them, and goes on with the messages of those frames as they were.
//
// The first frame starts behind the end of the one before, or where its work does (io/frame_marks.h).
//
// What led to that state is replaced by it: of the commands before the first frame only those that still matter are
// kept (state_history.h), and every resource that the frames use without overwriting it first (use.h) is filled by
// transfers with what our renderer left in it. A record says where all that ends (RecordKind::filled). So the frames
// and their traces are those of the whole recording, but for the numbers of the frames. Handles and the order in which
// memory is allocated are kept, and with them the addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "io/recording/recording.h"

namespace io {

struct CutRange {
    std::uint32_t first = 0, last = 0;  // frames, counted from 0
};

struct CutReport {
    std::uint32_t frames = 0;
    std::uint64_t resources_filled = 0;
    std::uint64_t bytes_filled = 0;
    // Whether the resources have the addresses that they have in the whole recording, as traces show them. False only
    // when an application destroyed resources that it was still using.
    bool same_addresses = true;
};

// What is written where; RecordingWriter behind it in the program.
struct CutSink {
    std::function<void(RecordKind, std::span<const std::byte>)> add;
    std::function<void()> end_frame;
};

struct CutOptions {
    CutRange frames;
    int threads = 0;                 // of the renderer; 0: as many as the machine has
    bool undefined_as_zero = false;  // as for `tessera trace`
    // Told before the first and after each of the pictures before the frames that are drawn to know what they left;
    // what it throws ends the cutting. May be empty.
    std::function<void(std::uint64_t drawn, std::uint64_t of)> on_drawn{};
};

// `stream`: decompressed. Throws engine::InputError if it is damaged, unsupported, or has no such frames.
CutReport cut_recording(std::span<const std::byte> stream, const CutOptions& options, const CutSink& sink);

}  // namespace io
