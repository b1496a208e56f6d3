// Cuts a recording in memory, and expects of the frames that they are those of the whole recording: pictures and
// traces.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "io/cut/cut.h"
#include "io/frame_marks.h"
#include "io/frame_trace_layout.h"
#include "io/program_numbering.h"
#include "models/functional/renderer.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace io {

struct Cut {
    models::functional::StreamWriter recording;
    CutReport report;
    int frames = 0;
};

inline Cut cut(models::functional::Bytes stream, std::uint32_t first, std::uint32_t last) {
    Cut result;
    const CutSink sink{.add =
                           [&](RecordKind kind, std::span<const std::byte> payload) {
                               result.recording.record(static_cast<std::uint8_t>(kind),
                                                       {payload.begin(), payload.end()});
                           },
                       .end_frame = [&] { ++result.frames; }};
    result.report = cut_recording(stream, {.frames = {first, last}, .threads = 1, .undefined_as_zero = true}, sink);
    return result;
}

// Executes what stands before the work of a recording's next frame, which has this number.
inline void begin_frame(models::functional::FunctionalRenderer& renderer, models::functional::Bytes stream,
                        std::uint32_t frame) {
    const auto starts = work_starts(stream);
    if (const auto start = starts.find(frame); start != starts.end()) renderer.execute_to(start->second);
}

// Expects that the next frames of two renderers are the same but for their numbers.
class FramePair {
  public:
    using Renderer = models::functional::FunctionalRenderer;
    void expect_same(Renderer& whole, Renderer& part) {
        models::Frame a;
        models::Frame b;
        models::functional::Image image_a;
        models::functional::Image image_b;
        models::functional::Image reference;
        ASSERT_TRUE(whole.next_frame(&a, &image_a, &reference));
        ASSERT_TRUE(part.next_frame(&b, &image_b, &reference));
        EXPECT_EQ(image_a.rgba, image_b.rgba);
        b.number = a.number;
        numbering_a_.renumber(a);
        numbering_b_.renumber(b);
        EXPECT_EQ(frame_digest(a, ""), frame_digest(b, ""));
    }

  private:
    ProgramNumbering numbering_a_, numbering_b_;
};

inline void expect_same(models::functional::Bytes whole, std::uint32_t first, std::uint32_t last) {
    const Cut part = cut(whole, first, last);
    EXPECT_EQ(part.report.frames, last - first + 1);
    EXPECT_EQ(part.frames, static_cast<int>(last - first + 1));
    EXPECT_TRUE(part.report.same_addresses);
    FramePair::Renderer a(whole, {.threads = 1, .undefined_as_zero = true});
    FramePair::Renderer b(part.recording.bytes(), {.threads = 1, .undefined_as_zero = true});
    for (std::uint32_t i = 0; i < first; ++i) a.next_frame(nullptr, nullptr, nullptr);
    FramePair pair;
    for (std::uint32_t i = first; i <= last; ++i) {
        SCOPED_TRACE("frame " + std::to_string(i));
        begin_frame(a, whole, i);
        begin_frame(b, part.recording.bytes(), i - first);
        pair.expect_same(a, b);
        if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace io
