#include "models/processes/l2_slice.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"

namespace models {
namespace {

// A waiter of an MSHR: port, tag, client and operation.
std::uint32_t pack(const MemoryRequest& message, std::uint32_t port) {
    return port << 22U | static_cast<std::uint32_t>(message.client) << 18U | std::uint32_t{message.tag.part} << 10U |
           std::uint32_t{message.tag.entry} << 2U | static_cast<std::uint32_t>(message.operation);
}
MemoryRequest unpack(std::uint32_t waiter, BlockNumber block) {
    MemoryRequest request;
    request.block = block;
    request.tag = {static_cast<std::uint8_t>(waiter >> 2U), static_cast<std::uint8_t>(waiter >> 10U)};
    request.operation = static_cast<MemoryOperation>(waiter & 3U);
    request.client = static_cast<MemoryClient>(waiter >> 18U & 15U);
    return request;
}
static_assert(memory_clients <= 16);

}  // namespace

L2Slice::L2Slice(const Shape& shape)
    : Clocked("l2_slice", shape.index, shape.period),
      latency_(shape.l2.latency.count() * period()),
      tag_latency_(shape.l2.tag_latency.count() * period()),
      line_injection_(shape.line_injection),
      interleave_(shape.interleave),
      dram_entries_(shape.dram_entries),
      array_({static_cast<std::uint32_t>(shape.l2.capacity.count() /
                                         (std::int64_t{block_bytes} * shape.l2.ways() * shape.l2.slices())),
              static_cast<std::uint32_t>(shape.l2.ways()), static_cast<std::uint32_t>(shape.l2.slices()),
              shape.l2.replacement()}),
      mshrs_(static_cast<std::uint32_t>(shape.l2.mshrs()), static_cast<std::uint32_t>(shape.l2.merges())),
      queue_(static_cast<std::size_t>(shape.ports) * static_cast<std::size_t>(shape.l2.requests_per_port())),
      writes_waiting_(static_cast<std::size_t>(shape.l2.write_buffer())),
      dram_credits_(shape.dram_entries),
      requests(this, "requests", shape.ports, engine::handler<&L2Slice::on_request>),
      dram_replies(this, "dram_replies", static_cast<int>(dram_entries_.size()), engine::handler<&L2Slice::on_dram>),
      replies(this, "replies", shape.ports, latency_ - tag_latency_),
      dram_requests(this, "dram_requests", static_cast<int>(dram_entries_.size()), tag_latency_) {
    assert(shape.ports < 1 << 10);
}

void L2Slice::on_request(const MemoryRequest& request, int port) {
    ++all_requests;
    ++received[static_cast<std::size_t>(request.client)];
    queue_requests += queue_.size();
    queue_.push({request, static_cast<std::uint32_t>(port)});
}

engine::Time L2Slice::step() {
    const bool wrote = write_buffered();
    const bool asked = !queue_.empty(), served = asked && serve(queue_.front());
    if (served) queue_.pop();
    if (asked && !served) ++blocked;
    account(wrote || served, asked && !served);
    const bool more = served ? !queue_.empty() || !writes_waiting_.empty() : wrote;
    return more ? now() + period() : engine::never;  // until a message comes
}

void L2Slice::account(bool worked, bool refused) {
    const engine::Time until = std::max(worked ? now() + period() : now(), answers_free_ - latency_);
    const bool full = refused || !writes_waiting_.empty();
    time.enter(now(), State::serve_requests, until,
               full             ? State::no_room
               : mshrs_.empty() ? State::idle
                                : State::lines);
}

// Sends the oldest line of the write buffer. True if it went.
bool L2Slice::write_buffered() {
    if (writes_waiting_.empty()) return false;
    const Write& write = writes_waiting_.front();
    const std::size_t to = channel(write.block);
    if (dram_credits_[to] == 0) return false;
    --dram_credits_[to];
    const engine::Time departure = std::max(now() + tag_latency_, dram_free_);
    dram_free_ = departure + line_injection_;
    dram_requests[static_cast<int>(to)].send({write.block, 0, true, write.client}, departure - now());
    writes_waiting_.pop();
    return true;
}

bool L2Slice::serve(const Request& request) {
    const MemoryRequest& message = request.message;
    const bool is_read = message.operation == MemoryOperation::read;
    if (message.operation == MemoryOperation::write_through) {
        if (!serve_write_through(request)) return false;
    } else if (CacheArray::Line* const line = array_.access(message.block); line == nullptr) {
        if (!serve_miss(request)) return false;
    } else if (line->pending != 0) {
        if (!join(mshrs_.find(message.block), request)) return false;
        ++merged;
    } else {
        ++hits;
        if (!is_read) make_dirty(*line, message.client);
        answer(message, request.port, latency_);
    }
    ++(is_read ? reads : writes);
    return true;
}

// What the cache has of the line is old from now on.
bool L2Slice::serve_write_through(const Request& request) {
    if (writes_waiting_.full()) return false;
    const MemoryRequest& message = request.message;
    if (CacheArray::Line* const line = array_.find(message.block); line != nullptr && line->pending == 0) {
        if (line->dirty != 0) ++overwritten;
        *line = {};
    }
    writes_waiting_.push({message.block, message.client});
    ++written_through;
    answer(message, request.port, latency_);
    return true;
}

bool L2Slice::serve_miss(const Request& request) {
    const MemoryRequest& message = request.message;
    const CacheArray::Line* const victim = array_.victim(message.block);
    if (victim == nullptr) return false;
    const bool whole = message.operation == MemoryOperation::write_line;
    if (!whole && (mshrs_.full() || dram_credits_[channel(message.block)] == 0)) return false;
    const bool evicts = victim->block != none && victim->dirty != 0;
    if (evicts && writes_waiting_.full()) return false;
    const CacheArray::Line old = array_.insert(message.block);
    if (evicts) {
        writes_waiting_.push({old.block, static_cast<MemoryClient>(old.client)});
        ++write_backs;
    }
    CacheArray::Line& line = *array_.find(message.block);
    if (whole) {
        ++allocations;
        make_dirty(line, message.client);
        answer(message, request.port, latency_);
        return true;
    }
    line.pending = 1;
    const int entry = mshrs_.allocate(message.block);
    join(entry, request);
    fetch(message, entry);
    return true;
}

bool L2Slice::join(int entry, const Request& request) {
    assert(entry >= 0);
    return mshrs_.add_waiter(entry, pack(request.message, request.port));
}

void L2Slice::make_dirty(CacheArray::Line& line, MemoryClient client) {
    if (line.dirty != 0) return;
    line.dirty = 1;
    line.client = static_cast<std::uint8_t>(client);
    ++dirtied;
}

void L2Slice::fetch(const MemoryRequest& request, int entry) {
    const std::size_t to = channel(request.block);
    --dram_credits_[to];
    ++misses;
    ++missed[static_cast<std::size_t>(request.client)];
    const engine::Time departure = std::max(now() + tag_latency_, dram_free_);
    dram_free_ = departure + period();
    dram_requests[static_cast<int>(to)].send({request.block, static_cast<std::uint16_t>(entry), false, request.client},
                                             departure - now());
}

void L2Slice::answer(const MemoryRequest& request, std::uint32_t port, engine::Time delay) {
    const engine::Time departure = std::max(now() + delay, answers_free_);
    answers_free_ = departure + (request.operation == MemoryOperation::read ? line_injection_ : period());
    ++answered;
    replies[static_cast<int>(port)].send({request.block, request.tag, request.operation}, departure - now());
}

void L2Slice::on_dram(const DramReply& reply, int channel_index) {
    ++dram_credits_[static_cast<std::size_t>(channel_index)];
    if (reply.write) {
        ++write_acknowledgements;
        return;
    }
    ++fills;
    const BlockNumber block = mshrs_.block(reply.tag);
    CacheArray::Line* const line = array_.find(block);
    assert(line != nullptr && line->pending != 0);
    line->pending = 0;
    for (const std::uint32_t waiter : mshrs_.release(reply.tag)) {
        const MemoryRequest request = unpack(waiter, block);
        if (request.operation != MemoryOperation::read) make_dirty(*line, request.client);
        answer(request, waiter >> 22U, latency_ - tag_latency_);
    }
}

std::string L2Slice::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(!queue_.empty(), std::to_string(queue_.size()) + " requests queued");
    say(!writes_waiting_.empty(), std::to_string(writes_waiting_.size()) + " lines in the write buffer");
    say(!mshrs_.empty(), std::to_string(mshrs_.used()) + " lines awaited from DRAM");
    for (std::size_t i = 0; i < dram_credits_.size(); ++i)
        say(dram_credits_[i] != dram_entries_[i], "credits of DRAM channel " + std::to_string(i) + " missing");
    return text;
}

void L2Slice::add_laws(Laws& laws) const {
    time.add_laws(laws, name());
    laws.equal(name() + ": requests = answers", {all_requests}, {answered});
    laws.equal(name() + ": requests = reads + writes", {all_requests}, {reads, writes});
    laws.equal(name() + ": requests = hits + merged + misses + allocations + written through", {all_requests},
               {hits, merged, misses, allocations, written_through});
    laws.equal(name() + ": misses = fills", {misses}, {fills});
    laws.equal(name() + ": write-backs + written through = their acknowledgements", {write_backs, written_through},
               {write_acknowledgements});
}

void L2Slice::serialize(engine::Archive& archive) {
    archive(array_, mshrs_, queue_, writes_waiting_, dram_credits_, answers_free_, dram_free_, time);
}

}  // namespace models
