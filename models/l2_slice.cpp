#include "models/l2_slice.h"

#include <algorithm>
#include <cassert>

namespace models {
namespace {

// A waiter of an MSHR: port, tag and whether it writes.
std::uint32_t pack(const MemoryRequest& message, std::uint32_t port) {
    return port << 18 | std::uint32_t{message.tag.client} << 10 | std::uint32_t{message.tag.entry} << 2 |
           static_cast<std::uint32_t>(message.operation);
}
RequestTag tag_of(std::uint32_t waiter) {
    return {static_cast<std::uint8_t>(waiter >> 2), static_cast<std::uint8_t>(waiter >> 10)};
}

}  // namespace

L2Slice::L2Slice(int index, const MachineParameters& parameters, int ports)
    : Clocked("l2_slice", index, Clocks(parameters).gpu),
      latency_(parameters.l2.latency.count() * period()),
      tag_latency_(parameters.l2.tag_latency.count() * period()),
      line_injection_((block_bytes + parameters.network.link_width.count() - 1) /
                      parameters.network.link_width.count() * period()),
      channels_(parameters.dram.channels()),
      interleave_(static_cast<std::uint32_t>(parameters.dram.interleave.count() / block_bytes)),
      dram_queue_(share_of(parameters.dram.queue(), parameters.l2.slices(), index)),
      array_(static_cast<std::uint32_t>(parameters.l2.capacity.count() /
                                        (std::int64_t{block_bytes} * parameters.l2.ways() * parameters.l2.slices())),
             static_cast<std::uint32_t>(parameters.l2.ways()), static_cast<std::uint32_t>(parameters.l2.slices())),
      mshrs_(static_cast<std::uint32_t>(parameters.l2.mshrs()), static_cast<std::uint32_t>(parameters.l2.merges())),
      queue_(static_cast<std::size_t>(ports) * static_cast<std::size_t>(parameters.l2.requests_per_port())),
      dram_credits_(static_cast<std::size_t>(channels_), dram_queue_),
      requests(this, "requests", ports, engine::handler<&L2Slice::on_request>),
      dram_replies(this, "dram_replies", channels_, engine::handler<&L2Slice::on_dram>),
      replies(this, "replies", ports, latency_ - tag_latency_),
      dram_requests(this, "dram_requests", channels_, tag_latency_) {}

void L2Slice::on_request(const MemoryRequest& request, int port) {
    ++requests_;
    queue_requests_ += queue_.size();
    queue_.push({request, static_cast<std::uint16_t>(port)});
}

engine::Time L2Slice::step() {
    if (queue_.empty()) return engine::never;
    if (!serve(queue_.front())) {
        ++cycles_blocked_;
        return engine::never;  // until DRAM answers
    }
    queue_.pop();
    return queue_.empty() ? engine::never : now() + period();
}

bool L2Slice::serve(const Request& request) {
    const MemoryRequest& message = request.message;
    CacheArray::Line* const line = array_.access(message.block);
    if (line == nullptr) {
        if (!serve_miss(request)) return false;
    } else if (line->pending) {
        if (!join(mshrs_.find(message.block), request)) return false;
        ++merged_;
    } else {
        ++hits_;
        if (message.operation != MemoryOperation::read && !line->dirty) {
            line->dirty = true;
            ++dirtied_;
        }
        answer(message, request.port, latency_);
    }
    ++(message.operation == MemoryOperation::read ? reads_ : writes_);
    return true;
}

bool L2Slice::serve_miss(const Request& request) {
    const MemoryRequest& message = request.message;
    const CacheArray::Line* const victim = array_.victim(message.block);
    if (victim == nullptr) return false;
    const bool whole = message.operation == MemoryOperation::write_line;
    const std::size_t to = channel(message.block);
    if (!whole && (mshrs_.full() || dram_credits_[to] == 0)) return false;
    if (victim->dirty) {
        const std::size_t back_to = channel(victim->block);
        if (dram_credits_[back_to] < (!whole && back_to == to ? 2 : 1)) return false;
    }
    evict(array_.insert(message.block, whole, !whole));
    if (whole) {
        ++allocations_;
        ++dirtied_;
        answer(message, request.port, latency_);
        return true;
    }
    const int entry = mshrs_.allocate(message.block);
    join(entry, request);
    fetch(request, entry);
    return true;
}

bool L2Slice::join(int entry, const Request& request) {
    assert(entry >= 0);
    return mshrs_.add_waiter(entry, pack(request.message, request.port));
}

void L2Slice::evict(const CacheArray::Line& line) {
    if (line.block == none || !line.dirty) return;
    const std::size_t to = channel(line.block);
    --dram_credits_[to];
    ++write_backs_;
    const engine::Time departure = std::max(now() + tag_latency_, dram_free_);
    dram_free_ = departure + line_injection_;
    dram_requests[static_cast<int>(to)].send({line.block, 0, true}, departure - now());
}

void L2Slice::fetch(const Request& request, int entry) {
    const std::size_t to = channel(request.message.block);
    --dram_credits_[to];
    ++misses_;
    const engine::Time departure = std::max(now() + tag_latency_, dram_free_);
    dram_free_ = departure + period();
    dram_requests[static_cast<int>(to)].send({request.message.block, static_cast<std::uint16_t>(entry), false},
                                             departure - now());
}

void L2Slice::answer(const MemoryRequest& request, std::uint32_t port, engine::Time delay) {
    const engine::Time departure = std::max(now() + delay, answers_free_);
    answers_free_ = departure + (request.operation == MemoryOperation::read ? line_injection_ : period());
    ++replies_;
    replies[static_cast<int>(port)].send({request.block, request.tag, request.operation}, departure - now());
}

void L2Slice::on_dram(const DramReply& reply, int channel_index) {
    ++dram_credits_[static_cast<std::size_t>(channel_index)];
    if (reply.write) {
        ++write_acknowledgements_;
        return;
    }
    ++fills_;
    const BlockNumber block = mshrs_.block(reply.tag);
    CacheArray::Line* const line = array_.find(block);
    assert(line != nullptr && line->pending);
    line->pending = false;
    for (const std::uint32_t waiter : mshrs_.release(reply.tag)) {
        const auto operation = static_cast<MemoryOperation>(waiter & 3U);
        if (operation != MemoryOperation::read && !line->dirty) {
            line->dirty = true;
            ++dirtied_;
        }
        MemoryRequest request;
        request.block = block;
        request.tag = tag_of(waiter);
        request.operation = operation;
        answer(request, waiter >> 18, latency_ - tag_latency_);
    }
}

std::string L2Slice::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(!queue_.empty(), std::to_string(queue_.size()) + " requests queued");
    say(!mshrs_.empty(), std::to_string(mshrs_.used()) + " lines awaited from DRAM");
    for (int i = 0; i < channels_; ++i)
        say(dram_credits_[static_cast<std::size_t>(i)] != dram_queue_,
            "credits of DRAM channel " + std::to_string(i) + " missing");
    return text;
}

}  // namespace models
