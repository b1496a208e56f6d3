#include "io/cut/cut.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/error.h"
#include "io/cut/dead_drawing.h"
#include "io/cut/state_history.h"
#include "io/cut/use.h"
#include "io/frame_marks.h"
#include "io/recording/machine_memory.h"
#include "models/functional/renderer.h"
#include "models/functional/virgl/frame_ends.h"

namespace io {

using models::functional::AddressSpace;
using models::functional::Box;
using models::functional::Bytes;
using models::functional::Command;
using models::functional::Context;
using models::functional::FunctionalRenderer;
using models::functional::Message;
using models::functional::RecordStream;
using models::functional::Resource;
using models::functional::ResourceTarget;
using models::functional::VtestCommand;

namespace {

using VtestRecord = models::functional::Record;
using ClientRecord = models::functional::RecordKind;

constexpr std::uint64_t record_header_bytes = 5;

// The client's state without what is in its resources.
class Mirror {
  public:
    // Calls `see` with each command before it is applied.
    template <class See>
    void add(const Message& message, See&& see) {
        if (message.command == VtestCommand::resource_create) context_.create_resource(message.words);
        if (message.command == VtestCommand::resource_unref) context_.destroy_resource(message.words);
        if (message.command != VtestCommand::submit_cmd) return;
        models::functional::CommandStream commands(message.words);
        for (Command command; commands.next(command);)
            models::functional::locate(command.words.offset(), name(command.command), [&] {
                see(command);
                context_.apply(command);
            });
    }
    void add(const Message& message) {
        add(message, [](const Command&) {});
    }
    const Context& context() const { return context_; }

    bool has_addresses_of(const Mirror& other) const {
        const auto& own = context_.resources();
        const auto& others = other.context_.resources();
        return addresses_.allocated_bytes() == other.addresses_.allocated_bytes() &&
               std::equal(own.begin(), own.end(), others.begin(), others.end(), [](const auto& a, const auto& b) {
                   return a.first == b.first && a.second->address() == b.second->address();
               });
    }

  private:
    AddressSpace addresses_;
    Context context_{addresses_, false};
};

[[noreturn]] void fail_range(const CutRange& wanted, std::uint32_t frames) {
    throw engine::InputError("holds " + std::to_string(frames) + " frames, expected frame " +
                             std::to_string(wanted.last) + " (counted from 0)");
}

class Cutter {
  public:
    Cutter(Bytes stream, const CutOptions& options, const CutSink& sink)
        : stream_(stream),
          options_(options),
          sink_(sink),
          records_(stream),
          frame_ends_(stream),
          left_out_(pictures_left_out(stream)) {}
    CutReport cut();

  private:
    void find_start();
    void read_up_to_first_frame();
    void see_frames();
    void write_state();
    bool state_has_same_addresses(bool all) const;
    void fill_resources();
    void draw_up_to_first_frame(FunctionalRenderer& renderer) const;
    void fill(std::uint32_t handle, const Resource& resource);
    void put(std::uint32_t handle, const Resource& resource, std::uint32_t level, const Box& box);
    void copy_frames();

    Bytes stream_;
    const CutOptions& options_;
    const CutSink& sink_;
    RecordStream records_;
    models::functional::FrameEnds frame_ends_;
    std::map<std::uint32_t, std::vector<std::uint64_t>> left_out_;
    std::uint64_t start_ = 0;  // offset of the first record of the first frame
    Mirror mirror_;
    StateHistory history_;
    DeadDrawing drawing_{mirror_.context()};
    std::optional<VtestRecord> first_record_;  // of the first frame
    std::set<std::uint32_t> needed_;           // handles at the cut
    CutReport report_;
};

// Behind the end of the frame before, or of what is not the frame's work.
void Cutter::find_start() {
    RecordStream records(stream_);
    std::uint32_t frame = 0;
    start_ = stream_.size();
    for (VtestRecord record; frame <= options_.frames.first && records.next(record);) {
        if (record.kind == ClientRecord::server_reply) continue;
        if (frame == options_.frames.first) start_ = std::min(start_, record.offset - record_header_bytes);
        static_cast<void>(models::functional::parse_message(record));  // refuses what is damaged
        if (frame_ends_.find(record.offset) != nullptr) ++frame;
    }
    if (frame <= options_.frames.first) fail_range(options_.frames, frame);
    const auto starts = work_starts(stream_);
    const auto found = starts.find(options_.frames.first);
    if (found != starts.end()) start_ = found->second + record_header_bytes;
}

void Cutter::read_up_to_first_frame() {
    bool of_frame_before = false;  // a reply to the message that ended it
    for (VtestRecord record; records_.next(record);) {
        if (record.kind == ClientRecord::server_reply) {
            if (!of_frame_before) history_.add_reply(record);
            continue;
        }
        if (record.offset > start_) {
            first_record_ = record;
            return;
        }
        const Message message = models::functional::parse_message(record);
        models::functional::locate(record.offset, name(message.command), [&] {
            history_.add(record, message);
            mirror_.add(message, [&](const Command& command) { drawing_.see(command); });
        });
        of_frame_before = frame_ends_.find(record.offset) != nullptr;
    }
}

// Follows the frames with a state of its own, for the mirror stays where the cut is.
void Cutter::see_frames() {
    Mirror ahead;
    ResourceUse use(ahead.context());
    std::map<const Resource*, std::uint32_t> handles;
    RecordStream records(stream_);
    std::uint32_t frame = 0;
    bool counting = false;
    std::set<std::shared_ptr<Resource>> kept;  // all that have a handle then or later: no pointer means two of them
    for (VtestRecord record; frame <= options_.frames.last && records.next(record);) {
        if (record.kind == ClientRecord::server_reply) continue;
        if (!counting && record.offset == first_record_->offset) {
            counting = true;
            for (const auto& [handle, resource] : ahead.context().resources()) {
                handles.emplace(resource.get(), handle);
                kept.insert(resource);
            }
        }
        const Message message = models::functional::parse_message(record);
        models::functional::locate(record.offset, name(message.command), [&] {
            if (counting) use.see(message);
            ahead.add(message, [&](const Command& command) {
                if (counting) use.see(command);
            });
        });
        if (counting && message.command == VtestCommand::resource_create)
            kept.insert(ahead.context().resource(message.words, message.words[0]));
        if (frame_ends_.find(record.offset) != nullptr) ++frame;
    }
    if (frame <= options_.frames.last) fail_range(options_.frames, frame);
    for (const Resource* resource : use.needed()) {
        const auto found = handles.find(resource);
        if (found != handles.end())
            needed_.insert(found->second);
        else if (std::ranges::none_of(kept, [&](const auto& known) { return known.get() == resource; }))
            throw engine::InputError("cannot be cut at frame " + std::to_string(options_.frames.first) +
                                     ": a resource that was destroyed before is still in use; cut at another frame");
    }
}

bool Cutter::state_has_same_addresses(bool all) const {
    Mirror replayed;
    history_.write(all, [&](bool reply, Bytes payload) {
        if (!reply) replayed.add(models::functional::parse_message({ClientRecord::client_message, 0, payload}));
    });
    return replayed.has_addresses_of(mirror_);
}

void Cutter::write_state() {
    const bool all = !state_has_same_addresses(false);
    report_.same_addresses = !all || state_has_same_addresses(true);
    history_.write(
        all, [&](bool reply, Bytes payload) { sink_.add(reply ? RecordKind::reply : RecordKind::message, payload); });
}

void Cutter::put(std::uint32_t handle, const Resource& resource, std::uint32_t level, const Box& box) {
    const std::size_t size = resource.transfer_bytes(box, 0, 0);
    const auto words = static_cast<std::uint32_t>(size);
    const std::array<std::uint32_t, 13> header{11 + (words + 3) / 4,
                                               static_cast<std::uint32_t>(VtestCommand::transfer_put),
                                               handle,
                                               level,
                                               0,
                                               0,
                                               box.x,
                                               box.y,
                                               box.z,
                                               box.width,
                                               box.height,
                                               box.depth,
                                               words};
    const auto bytes = std::as_bytes(std::span(header));
    std::vector<std::byte> message(bytes.begin(), bytes.end());
    message.resize(bytes.size() + size);
    const std::span<std::byte> data = std::span(message).subspan(bytes.size());
    resource.transfer_get(level, box, 0, 0, data);
    if (std::ranges::all_of(data, [](std::byte value) { return value == std::byte{0}; })) return;  // as it was created
    sink_.add(RecordKind::message, message);
    report_.bytes_filled += size;
}

void Cutter::fill(std::uint32_t handle, const Resource& resource) {
    const std::uint64_t before = report_.bytes_filled;
    const bool volume = resource.description().target == ResourceTarget::t3d;
    for (std::uint32_t level = 0; level < resource.levels(); ++level) {
        const Resource::Level& size = resource.level(level);
        const std::uint32_t steps = volume ? 1 : size.layers;
        for (std::uint32_t layer = 0; layer < steps; ++layer)
            put(handle, resource, level,
                {.x = 0,
                 .y = 0,
                 .z = layer,
                 .width = size.width,
                 .height = size.height,
                 .depth = volume ? size.layers : 1});
    }
    if (report_.bytes_filled > before) ++report_.resources_filled;
}

void Cutter::draw_up_to_first_frame(FunctionalRenderer& renderer) const {
    const std::uint32_t first = options_.frames.first;
    std::uint64_t drawn = 0;
    std::uint64_t all = first;
    for (const auto& [frame, ends] : left_out_)
        if (frame <= first) all += ends.size();
    const auto tell = [&] {
        if (options_.on_drawn && all > 0) options_.on_drawn(drawn, all);
        ++drawn;
    };
    tell();
    for (std::uint32_t frame = 0; frame <= first; ++frame) {
        const auto found = left_out_.find(frame);
        if (found != left_out_.end())
            for (const std::uint64_t end : found->second) {
                renderer.execute_to(end);
                tell();
            }
        if (frame < first && renderer.next_frame(nullptr, nullptr, nullptr)) tell();
    }
    renderer.execute_to(start_);
}

void Cutter::fill_resources() {
    const Bytes before = stream_.first(start_);
    std::vector<std::byte> stream(before.begin(), before.end());
    std::set<const Resource*> needed;
    for (const std::uint32_t handle : needed_) needed.insert(mirror_.context().resources().at(handle).get());
    drawing_.erase(stream, needed);
    FunctionalRenderer renderer(stream, {.threads = options_.threads,
                                         .undefined_as_zero = options_.undefined_as_zero,
                                         .memory_limit = default_memory_limit()});
    draw_up_to_first_frame(renderer);
    for (const std::uint32_t handle : needed_) fill(handle, *renderer.context().resources().at(handle));
    sink_.add(RecordKind::filled, {});
}

void Cutter::copy_frames() {
    bool ended = false;
    const auto end_frame = [&] {
        if (!ended) return;
        sink_.end_frame();
        ended = false;
        ++report_.frames;
    };
    const std::uint32_t wanted = options_.frames.last - options_.frames.first + 1;
    VtestRecord record = *first_record_;
    do {
        if (record.kind == ClientRecord::client_message) {
            end_frame();
            if (report_.frames == wanted) return;
            sink_.add(RecordKind::message, record.payload);
            ended = frame_ends_.find(record.offset) != nullptr;
        } else {
            sink_.add(RecordKind::reply, record.payload);
        }
    } while (records_.next(record));
    end_frame();
}

CutReport Cutter::cut() {
    find_start();
    read_up_to_first_frame();
    see_frames();
    write_state();
    fill_resources();
    copy_frames();
    return report_;
}

}  // namespace

CutReport cut_recording(std::span<const std::byte> stream, const CutOptions& options, const CutSink& sink) {
    return Cutter(stream, options, sink).cut();
}

}  // namespace io
