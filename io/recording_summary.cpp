#include "io/recording_summary.h"

#include <algorithm>
#include <optional>

#include "io/frame_marks.h"
#include "models/functional/texture/format.h"
#include "models/functional/texture/resource.h"
#include "models/functional/virgl/frame_ends.h"
#include "models/functional/virgl/protocol.h"

namespace io {
namespace {

using models::functional::Command;
using models::functional::FormatInfo;
using models::functional::Message;
using models::functional::ObjectType;
using models::functional::Record;
using models::functional::ResourceTarget;
using models::functional::VirglCommand;
using models::functional::VtestCommand;
using models::functional::Words;

// Bits of a resource's bind field.
constexpr std::uint32_t depth_stencil = 1U << 0;
constexpr std::uint32_t render_target = 1U << 1;

constexpr std::uint32_t transfer_words = 11;
constexpr std::uint32_t continued_shader = 1U << 31;
constexpr std::uint32_t most_levels = 15;

std::uint64_t divided(std::uint64_t size, std::uint64_t block) {
    return (size + block - 1) / block;
}

std::uint64_t bytes_of(const Words& words) {
    const auto target = static_cast<ResourceTarget>(words[1]);
    if (target == ResourceTarget::buffer) return words[4];
    const FormatInfo* format = models::functional::find_format(words[2]);
    if (format == nullptr || format->block_bytes == 0) return 0;
    const std::uint64_t layers = std::max(words[7], target == ResourceTarget::cube ? 6U : 1U);
    std::uint64_t bytes = 0;
    for (std::uint32_t level = 0; level <= std::min(words[8], most_levels); ++level) {
        const auto smaller = [&](std::uint32_t size) { return std::max<std::uint64_t>(size >> level, 1); };
        const std::uint64_t slices = target == ResourceTarget::t3d ? smaller(words[6]) : layers;
        bytes += divided(smaller(words[4]), format->block_width) * divided(smaller(words[5]), format->block_height) *
                 slices * format->block_bytes;
    }
    return bytes * std::max(words[9], 1U);
}

std::string use_of(const Words& words) {
    const std::uint32_t bind = words[3];
    const auto target = static_cast<ResourceTarget>(words[1]);
    if (target == ResourceTarget::buffer) return "buffer";
    if ((bind & (models::functional::bind_display_target | models::functional::bind_scanout)) != 0) return "window";
    if ((bind & depth_stencil) != 0) return "depth and stencil";
    // Mesa marks most textures as render targets too: nobody knows before they are drawn to.
    if ((bind & render_target) != 0 && (bind & models::functional::bind_sampler_view) == 0) return "render target";
    return std::string(models::functional::resource_target_name(target)) + " texture";
}

class Counter {
  public:
    RecordingSummary count(models::functional::Bytes stream);

  private:
    void count_message(const Message& message);
    void count_command(const Command& command);
    void create_resource(const Words& words);
    void count_shader(const Words& words);

    RecordingSummary summary_;
    RecordedFrame frame_;
    std::map<std::uint32_t, std::uint64_t> alive_;  // bytes by handle
    std::uint64_t memory_ = 0;
};

void Counter::create_resource(const Words& words) {
    words.need(10);
    const std::uint64_t bytes = bytes_of(words);
    const std::string use = use_of(words);
    ResourceCount& counted =
        summary_.resources[{use, use == "buffer" ? "" : models::functional::format_name(words[2])}];
    ++counted.count;
    counted.bytes += bytes;
    ++frame_.resources;
    memory_ += bytes - alive_[words[0]];
    alive_[words[0]] = bytes;
    summary_.largest_memory = std::max(summary_.largest_memory, memory_);
}

void Counter::count_shader(const Words& words) {
    if ((words[2] & continued_shader) != 0) return;
    ++frame_.shaders;
    constexpr std::uint32_t compute_number = 5;
    ++(words[1] == 0                ? summary_.vertex_shaders
       : words[1] == 1              ? summary_.fragment_shaders
       : words[1] == compute_number ? summary_.compute_shaders
                                    : summary_.other_shaders);
}

void Counter::count_command(const Command& command) {
    const Words& words = command.words;
    switch (command.command) {
        case VirglCommand::draw_vbo:
            ++frame_.draws;
            frame_.vertices += std::uint64_t{words[1]} * std::max(words[4], 1U);
            break;
        case VirglCommand::clear:
        case VirglCommand::clear_texture:
            ++frame_.clears;
            break;
        case VirglCommand::launch_grid:
            ++frame_.kernels;
            break;
        case VirglCommand::blit:
        case VirglCommand::resource_copy_region:
            ++frame_.copies;
            break;
        case VirglCommand::resource_inline_write:
            words.need(transfer_words);
            frame_.uploads += std::uint64_t{words.count() - transfer_words} * 4;
            break;
        case VirglCommand::create_sub_ctx:
            ++summary_.sub_contexts;
            break;
        case VirglCommand::create_object:
            if (command.object == ObjectType::shader) count_shader(words);
            break;
        default:
            break;
    }
}

void Counter::count_message(const Message& message) {
    const Words& words = message.words;
    if (message.command == VtestCommand::resource_create) create_resource(words);
    if (message.command == VtestCommand::transfer_put) frame_.uploads += words[10];
    if (message.command == VtestCommand::resource_unref) {
        memory_ -= alive_[words[0]];
        alive_.erase(words[0]);
    }
    if (message.command != VtestCommand::submit_cmd) return;
    models::functional::CommandStream commands(words);
    for (Command command; commands.next(command);) count_command(command);
}

RecordingSummary Counter::count(models::functional::Bytes stream) {
    models::functional::FrameEndFinder finder;
    const models::functional::FrameEnds frame_ends(stream);
    models::functional::RecordStream records(stream);
    for (const auto& [frame, ends] : pictures_left_out(stream)) summary_.left_out += ends.size();
    const std::map<std::uint32_t, std::uint64_t> work = work_starts(stream);
    auto next_work = work.begin();
    std::uint64_t start = 0;
    bool wait_answered = true;
    for (Record record; records.next(record);) {
        if (next_work != work.end() && next_work->second < record.offset) {
            start = next_work++->second;
            frame_ = {};
        }
        const std::uint64_t end = record.offset + record.payload.size();
        if (record.kind == models::functional::RecordKind::server_reply) {
            frame_.reference = frame_.reference || finder.reads();
            // The answer to the wait that ended a frame belongs to that frame.
            if (!wait_answered) summary_.frames.back().bytes += end - start, start = end;
            wait_answered = true;
            continue;
        }
        wait_answered = true;
        const Message message = models::functional::parse_message(record);
        models::functional::locate(record.offset, name(message.command), [&] { count_message(message); });
        finder.see(message, record.offset);
        const models::functional::FrameEnd* const frame_end = frame_ends.find(record.offset);
        if (frame_end == nullptr) continue;
        frame_.width = frame_end->width;
        frame_.height = frame_end->height;
        frame_.bytes = end - start;
        start = end;
        summary_.frames.push_back(std::exchange(frame_, {}));
        wait_answered = false;
    }
    summary_.trailing_bytes = stream.size() - start;
    return std::move(summary_);
}

}  // namespace

RecordingSummary summarise_recording(models::functional::Bytes stream) {
    return Counter{}.count(stream);
}

}  // namespace io
