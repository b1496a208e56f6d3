#include "io/cut/state_history.h"

#include <cstring>
#include <optional>

namespace io {

using models::functional::Bytes;
using models::functional::Command;
using models::functional::Message;
using models::functional::Record;
using models::functional::VirglCommand;
using models::functional::VtestCommand;
using models::functional::Words;

namespace {

// The state a command sets, as numbers: two commands with the same key set exactly the same. Nothing: it sets no state.
std::optional<std::vector<std::uint32_t>> state_key(const Command& command) {
    const Words& words = command.words;
    const auto number = static_cast<std::uint32_t>(command.command);
    switch (command.command) {
        case VirglCommand::bind_object:
            return {{number, static_cast<std::uint32_t>(command.object)}};
        case VirglCommand::bind_shader:
            return {{number, words[1]}};
        case VirglCommand::set_constant_buffer:
        case VirglCommand::set_uniform_buffer:  // of one slot, the one replaces the other
            return {{static_cast<std::uint32_t>(VirglCommand::set_constant_buffer), words[0], words[1]}};
        case VirglCommand::set_sampler_views:
        case VirglCommand::bind_sampler_states:
        case VirglCommand::set_shader_buffers:
        case VirglCommand::set_shader_images:  // a range of slots
            return {{number, words[0], words[1], words.count()}};
        case VirglCommand::set_viewport_state:
        case VirglCommand::set_scissor_state:
        case VirglCommand::set_atomic_buffers:
            return {{number, words[0], words.count()}};
        case VirglCommand::set_tweaks:
            return {{number, words[0]}};
        case VirglCommand::set_framebuffer_state:
        case VirglCommand::set_framebuffer_state_no_attach:
        case VirglCommand::set_vertex_buffers:
        case VirglCommand::set_index_buffer:
        case VirglCommand::set_stencil_ref:
        case VirglCommand::set_blend_color:
        case VirglCommand::set_polygon_stipple:
        case VirglCommand::set_clip_state:
        case VirglCommand::set_sample_mask:
        case VirglCommand::set_streamout_targets:
        case VirglCommand::set_render_condition:
        case VirglCommand::set_tess_state:
        case VirglCommand::set_min_samples:
            return {{number}};
        default:
            return std::nullopt;
    }
}

bool may_name_objects(VirglCommand command) {
    return command == VirglCommand::bind_object || command == VirglCommand::bind_shader ||
           command == VirglCommand::set_framebuffer_state || command == VirglCommand::set_sampler_views ||
           command == VirglCommand::bind_sampler_states || command == VirglCommand::set_streamout_targets ||
           command == VirglCommand::set_render_condition;
}

std::uint32_t word_at(Bytes bytes, std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * index, 4);
    return value;
}

// Operands with the header word in front of them.
Bytes with_header(const Words& words) {
    const Bytes operands = words.bytes_from(0);
    return {operands.data() - 4, operands.size() + 4};
}

class Submission {
  public:
    explicit Submission(const StateHistory::Emit& emit) : emit_(emit) {}
    void add(Bytes command) { words_.insert(words_.end(), command.begin(), command.end()); }
    void add(VirglCommand command, std::uint32_t operand) {
        const std::uint32_t words[2] = {static_cast<std::uint32_t>(command) | 1U << 16, operand};
        add(std::as_bytes(std::span(words)));
    }
    void flush() {
        if (words_.empty()) return;
        const std::uint32_t header[2] = {static_cast<std::uint32_t>(words_.size() / 4),
                                         static_cast<std::uint32_t>(VtestCommand::submit_cmd)};
        const auto bytes = std::as_bytes(std::span(header));
        words_.insert(words_.begin(), bytes.begin(), bytes.end());
        emit_(false, words_);
        words_.clear();
    }
    bool is_long() const { return words_.size() > std::size_t{1} << 16; }

  private:
    const StateHistory::Emit& emit_;
    std::vector<std::byte> words_;
};

}  // namespace

void StateHistory::add(const Record& record, const Message& message) {
    kept_ = false;
    switch (message.command) {
        case VtestCommand::submit_cmd: {
            models::functional::CommandStream commands(message.words);
            for (Command command; commands.next(command);)
                models::functional::locate(command.words.offset(), name(command.command),
                                           [&] { add_command(command); });
            break;
        }
        case VtestCommand::transfer_get:
        case VtestCommand::transfer_put:
        case VtestCommand::resource_busy_wait:
            break;
        default:
            entries_.push_back({.bytes = record.payload});
            kept_ = true;
    }
}

void StateHistory::add_reply(const Record& record) {
    if (kept_) entries_.push_back({.kind = Entry::Kind::reply, .bytes = record.payload});
    kept_ = false;
}

void StateHistory::add_state(Entry entry, Key key) {
    key.insert(key.begin(), current_);
    const auto [found, is_new] = last_.try_emplace(std::move(key), entries_.size());
    if (!is_new) {
        entries_[found->second].superseded = true;
        found->second = entries_.size();
    }
    entries_.push_back(entry);
}

void StateHistory::add_object(Entry entry, const Command& command) {
    std::uint32_t& life = objects_[{current_, command.words[0]}];
    if (life == 0) {
        life = static_cast<std::uint32_t>(ended_.size());
        ended_.push_back(false);
    }
    entry.life = life;
    if (command.command == VirglCommand::destroy_object) {
        ended_[life] = true;
        life = 0;
    }
    entries_.push_back(entry);
}

void StateHistory::add_command(const Command& command) {
    const Words& words = command.words;
    Entry entry{.kind = Entry::Kind::command, .sub_context = current_, .bytes = with_header(words)};
    switch (command.command) {
        case VirglCommand::create_object:
        case VirglCommand::destroy_object:
            return add_object(entry, command);
        case VirglCommand::create_sub_ctx:
            current_ = words[0];
            entry.sub_context = words[0];  // creating it makes it the current one
            entries_.push_back(entry);
            return;
        case VirglCommand::destroy_sub_ctx:
            if (current_ == words[0]) current_ = 0;
            entry.sub_context = current_;
            entries_.push_back(entry);
            return;
        case VirglCommand::set_sub_ctx:
            current_ = words[0];
            return;
        default:
            break;
    }
    if (auto key = state_key(command)) {
        entry.names_objects = may_name_objects(command.command);
        add_state(entry, std::move(*key));
    }
}

// An object is of use if it was never destroyed, or if a command that is kept may name it.
std::vector<bool> StateHistory::lives_in_use(bool all) const {
    std::vector<bool> used(ended_.size(), all);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> alive;
    for (const Entry& entry : entries_) {
        if (entry.life != 0) {
            alive[{entry.sub_context, word_at(entry.bytes, 1)}] = entry.life;
            if (!ended_[entry.life]) used[entry.life] = true;
        }
        if (!entry.names_objects || entry.superseded) continue;
        for (std::size_t i = 1; i < entry.bytes.size() / 4; ++i) {
            const auto found = alive.find({entry.sub_context, word_at(entry.bytes, i)});
            if (found != alive.end()) used[found->second] = true;
        }
    }
    return used;
}

void StateHistory::write(bool all, const Emit& emit) const {
    const std::vector<bool> used = lives_in_use(all);
    Submission submission(emit);
    std::uint32_t current = 0;
    const auto enter = [&](std::uint32_t sub_context) {
        if (sub_context != current) submission.add(VirglCommand::set_sub_ctx, sub_context);
        current = sub_context;
    };
    for (const Entry& entry : entries_) {
        if (entry.kind != Entry::Kind::command) {
            submission.flush();
            emit(entry.kind == Entry::Kind::reply, entry.bytes);
            continue;
        }
        if ((entry.superseded && !all) || (entry.life != 0 && !used[entry.life])) continue;
        const auto command = static_cast<VirglCommand>(word_at(entry.bytes, 0) & 0xff);
        if (command == VirglCommand::create_sub_ctx) {  // whether it is current then, renderers disagree
            submission.add(entry.bytes);
            submission.add(VirglCommand::set_sub_ctx, current = entry.sub_context);
            continue;
        }
        enter(entry.sub_context);
        submission.add(entry.bytes);
        if (submission.is_long()) submission.flush();
    }
    enter(current_);
    submission.flush();
}

}  // namespace io
