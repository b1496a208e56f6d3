#include "models/processes/colour.h"

#include <algorithm>

#include "models/base/laws.h"

namespace models {

using engine::Time;

Colour::Colour(const Shape& shape, const Workload& workload)
    : Clocked("colour", -1, shape.period),
      hop_(shape.hop),
      quads(this, "quads", static_cast<int>(shape.entries.size()), engine::handler<&Colour::on_quad>),
      replies(this, "replies", engine::handler<&Colour::on_reply>),
      blended(this, "blended", static_cast<int>(shape.entries.size()), hop_),
      free_tiles(this, "free_tiles", hop_),
      stored(this, "stored", hop_),
      stored_for_geometry(this, "stored_for_geometry", hop_),
      memory(this, shape.memory, period()),
      stage_(&counters(), shape.colour, static_cast<int>(shape.entries.size()), workload, memory, 0, period()) {
    for (const int entries : shape.entries) credits_.emplace_back(entries, shape.credit_patience);
}

void Colour::on_start(const TileStart& start) {
    if (start.pass == next_pass_) {
        passes_.begin_pass(start.pass);
        ++next_pass_;
    }
    passes_.begin_tile(start.pass);
    if (start.last_of_pass != 0) passes_.end_pass(start.pass);
    stage_.begin_tile(now(), start.pass, start.tile, start.buffer);
}

void Colour::on_skipped(const PassSkipped& message) {
    passes_.begin_pass(message.pass);
    passes_.end_pass(message.pass);
    next_pass_ = message.pass + 1;
}

void Colour::on_quad(const ShadedQuad& quad, int source) {
    stage_.take_quad(now(), quad.quad, quad.buffer, static_cast<std::uint32_t>(source));
}

void Colour::on_reply(const MemoryReply& reply) {
    if (memory.take_reply(now(), reply)) stage_.on_reply(now(), reply);
}

void Colour::quad_done(std::uint32_t source) {
    CreditReturn& credits = credits_[source];
    if (credits.due() == engine::never) owed_.push_back(source);
    credits.add(now(), 1);
}

Time Colour::step() {
    Time next = stage_.step(now(), *this);
    for (std::uint32_t pass = 0; passes_.take_stored(pass);) {
        stored.send({pass}, hop_);
        stored_for_geometry.send({pass}, hop_);
    }
    for (std::size_t i = 0; i < owed_.size();) {
        CreditReturn& credits = credits_[owed_[i]];
        if (!credits.is_due(now())) {
            next = std::min(next, credits.due());
            ++i;
            continue;
        }
        blended[static_cast<int>(owed_[i])].send({credits.take()}, hop_);
        owed_[i] = owed_.back();
        owed_.pop_back();
    }
    return next;
}

std::string Colour::unfinished() const {
    std::string text = stage_.unfinished();
    if (memory.in_flight() > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(memory.in_flight()) + " answers awaited";
    return text;
}

void Colour::add_laws(Laws& laws) const {
    stage_.add_laws(laws, "colour");
    Sum reads, writes, requested, answered{memory.replies};
    reads.add(memory.reads);
    writes.add(memory.writes);
    requested.add(memory.reads);
    requested.add(memory.writes);
    laws.equal("colour: requests to the L2 cache = answers", requested, answered);
    laws.equal("colour: lines requested = old colours", reads, {stage_.lines_loaded});
    laws.equal("colour: lines written = lines of finished tiles", writes, {stage_.lines_stored});
}

void Colour::serialize(engine::Archive& archive) {
    archive(credits_, passes_, next_pass_, owed_, memory, stage_);
}

}  // namespace models
