// What a recording holds, counted without rendering it: frame by frame, its shaders, its textures and buffers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/functional/virgl/record_stream.h"

namespace io {

struct RecordedFrame {
    std::uint32_t width = 0, height = 0;  // pixels; 0: the frame computes and has no picture
    std::uint64_t draws = 0;
    std::uint64_t vertices = 0;  // fetched, over all instances; without those of indirect draws
    std::uint64_t clears = 0;
    std::uint64_t kernels = 0;    // launched
    std::uint64_t copies = 0;     // blits and copies
    std::uint64_t shaders = 0;    // created
    std::uint64_t resources = 0;  // created
    std::uint64_t uploads = 0;    // bytes of textures and buffers
    std::uint64_t bytes = 0;      // of the recording, decompressed
    bool reference = false;       // the renderer's image is there, or bytes that were read back
};

struct ResourceCount {
    std::uint64_t count = 0;  // created over the whole recording
    std::uint64_t bytes = 0;  // of all levels and layers; 0 for formats whose size is not known here
};

struct RecordingSummary {
    std::vector<RecordedFrame> frames;  // complete ones
    std::uint64_t left_out = 0;         // pictures whose drawing the recording has, though not as part of a frame
    std::uint64_t trailing_bytes = 0;   // after the last complete frame
    std::uint64_t vertex_shaders = 0, fragment_shaders = 0, compute_shaders = 0, other_shaders = 0;
    std::uint64_t sub_contexts = 0;
    std::uint64_t largest_memory = 0;  // bytes of all resources alive at a time
    // By use ("window", "render target", "texture", "buffer", ...) and format; buffers have the format "".
    std::map<std::pair<std::string, std::string>, ResourceCount> resources;
};

// `stream`: decompressed. Throws engine::InputError with the byte offset where a message or command is damaged.
RecordingSummary summarise_recording(models::functional::Bytes stream);

}  // namespace io
