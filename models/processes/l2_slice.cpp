#include "models/processes/l2_slice.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"
#include "models/base/unfinished.h"

namespace models {

using engine::Time;

L2Slice::L2Slice(const Shape& shape)
    : Clocked("l2_slice", shape.index, shape.period),
      latency_(shape.l2.latency.count() * period()),
      tag_latency_(shape.l2.tag_latency.count() * period()),
      link_width_(shape.link_width),
      channels_(shape.interleave, static_cast<int>(shape.dram_entries.size())),
      line_(shape.l2.line_blocks()),
      dram_entries_(shape.dram_entries),
      observed_(shape.observed),
      memory_blocks_(shape.memory_blocks),
      queue_(static_cast<std::size_t>(shape.requesters) * static_cast<std::size_t>(shape.l2.requests_per_port())),
      missed_(static_cast<std::size_t>(shape.l2.miss_queue())),
      waiting_(queue_.capacity()),
      dram_credits_(shape.dram_entries),
      requests(this, "requests", engine::handler<&L2Slice::on_request>),
      dram_replies(this, "dram_replies", static_cast<int>(dram_entries_.size()), engine::handler<&L2Slice::on_dram>),
      replies(this, "replies", latency_ - tag_latency_),
      dram_requests(this, "dram_requests", static_cast<int>(dram_entries_.size()), tag_latency_),
      evicted(this, "evicted", shape.directory != nullptr ? 1 : 0, engine::handler<&L2Slice::on_evicted>),
      to_cores(this, "to_cores", shape.directory != nullptr ? 1 : 0, tag_latency_),
      latencies_(shape.observed.latency ? std::make_unique<Latencies>(&counters()) : nullptr),
      owners_(shape.directory != nullptr ? std::make_unique<Owners>(&counters(), *shape.directory) : nullptr),
      cache_(&counters(), shape.l2.shape(period()), {*this, 0, MemoryClient::texture}) {
    for (std::size_t place = waiting_.size(); place-- > 0;) free_waiting_.push_back(static_cast<std::uint32_t>(place));
}

L2Slice::Latencies::Latencies(const engine::CounterScope& scope)
    : hits(scope, "hit_latency", memory_client_names, "cycle",
           "from the arrival of a request that waited for no line until its answer departed", latency_scale()),
      misses(scope, "miss_latency", memory_client_names, "cycle",
             "from the arrival of a request that waited for a line until its answer departed", latency_scale()) {}

L2Slice::Owners::Owners(engine::CounterList* counters, const DirectoryShape& shape)
    : directory(shape),
      sent_on(counters, "directory_sent_on", "1", "requests for a line that another core has"),
      taken(counters, "directory_taken", "1", "lines that a core took which nobody had"),
      renewed(counters, "directory_renewed", "1",
              "requests of the core that had the line last, those included that are tried again"),
      recalls(counters, "directory_recalls", "1", "lines that a core had to give up for lack of an entry"),
      evictions(counters, "directory_evictions", "1", "lines that a core said were gone") {}

void L2Slice::on_request(const MemoryRequest& request) {
    ++all_requests;
    ++received[static_cast<std::size_t>(request.client)];
    queue_.push({request, now()});
}

Time L2Slice::step() {
    const bool served = serve_one();
    const bool sent = cache_.write_back(now());
    retries_ |= sent;
    account(sent || served);
    const bool more = sent || (served && (!queue_.empty() || cache_.has_evictions() || (retries_ && !missed_.empty())));
    return more ? now() + period() : engine::never;  // until a message comes
}

// One lookup: of the oldest request that was put off, if it may succeed now, or of the oldest one that was not. True if
// there may be another one in the next cycle.
bool L2Slice::serve_one() {
    if (retries_ && !missed_.empty()) {
        const Cache::Outcome outcome = serve(missed_.front());
        if (Cache::is_served(outcome)) missed_.pop();
        retries_ = outcome != Cache::Outcome::refused;
        if (retries_) return true;
    }
    if (queue_.empty()) return false;
    const Request& request = queue_.front();
    const bool waits = has_to_wait(request.message);
    if (waits && missed_.full()) {
        ++blocked;
        return false;
    }
    const Cache::Outcome outcome = waits ? Cache::Outcome::refused : serve(request);
    if (outcome == Cache::Outcome::busy) return true;
    if (outcome == Cache::Outcome::refused) {
        if (missed_.full()) {
            ++blocked;
            return false;
        }
        missed_.push(request);
        ++put_off;
        retries_ = false;
    }
    queue_.pop();
    return true;
}

// One for its line was put off before.
bool L2Slice::has_to_wait(const MemoryRequest& message) const {
    for (std::uint32_t i = missed_.first_number(); i != missed_.end_number(); ++i)
        if (line_.quotient(missed_.numbered(i).message.block) == line_.quotient(message.block)) return true;
    return false;
}

Cache::Outcome L2Slice::serve(const Request& request) {
    const MemoryRequest& message = request.message;
    const bool is_read = message.operation == MemoryOperation::read;
    if (owners_ && message.asks_directory != 0 && is_sent_on(request)) return Cache::Outcome::hit;
    Cache::Outcome outcome = Cache::Outcome::hit;
    if (message.operation == MemoryOperation::write_through) {
        if (!write_past(message)) return Cache::Outcome::refused;
    } else {
        const Cache::Kind kind = is_read                                            ? Cache::Kind::read
                                 : message.operation == MemoryOperation::write_line ? Cache::Kind::write_line
                                                                                    : Cache::Kind::write_part;
        const std::uint32_t place = free_waiting_.back();
        outcome =
            cache_.access(now(), {message.block, message.sectors, kind, message.client, place, message.attribution});
        if (!Cache::is_served(outcome)) return outcome;
        if (outcome != Cache::Outcome::hit) {
            waiting_[place] = request;
            waiting_[place].lines_awaited = Cache::lines_awaited(outcome);
            free_waiting_.pop_back();
        }
    }
    ++(is_read ? reads : writes);
    queue_cycles += static_cast<std::uint64_t>((now() - request.arrival) / period());
    if (outcome == Cache::Outcome::hit) answer(request, latency_, true);
    return outcome;
}

bool L2Slice::write_past(const MemoryRequest& message) {
    return message.client == MemoryClient::upload ? cache_.pass_by(message.block, message.sectors, message.client)
                                                  : cache_.write_around(message.block, message.sectors, message.client);
}

// True if another core has the line: it is to send it, and the requester is told to wait for it. Asked again for a
// request that was put off, the directory says that the requester has the line.
bool L2Slice::is_sent_on(const Request& request) {
    const MemoryRequest& message = request.message;
    const auto core = static_cast<CoreNumber>(message.requester);
    const CoreNumber owner = owners_->directory.look_up(message.block);
    if (owner == core) {
        owners_->directory.renew(message.block, now());
        ++owners_->renewed;
        return false;
    }
    HomeMessage to;
    if (owner == no_core) {
        const Directory::Entry old = owners_->directory.take(core, message.block, now());
        ++owners_->taken;
        if (old.line == none) return false;
        to.kind = HomeMessage::Kind::recall;
        to.number = old.line;
        to.to = old.owner;
        ++owners_->recalls;
        to_cores[0].send(to, tag_latency_);
        return false;
    }
    to.number = message.block;
    to.tile = message.attribution.tile;
    to.from = core;
    to.to = owner;
    to.entry = message.tag.entry;
    ++owners_->sent_on;
    to_cores[0].send(to, tag_latency_);
    answer(request, MemoryReply::elsewhere(message), latency_ - tag_latency_, true);
    queue_cycles += static_cast<std::uint64_t>((now() - request.arrival) / period());
    return true;
}

void L2Slice::on_evicted(const HomeMessage& message, int /*port*/) {
    ++owners_->evictions;
    owners_->directory.evicted(message.from, message.number, message.at);
    needs_no_step();
}

void L2Slice::send(Time now, const MemoryRequest& request, Time delay) {
    const std::size_t to = channel(request.block);
    assert(dram_credits_[to] > 0);
    --dram_credits_[to];
    const bool is_read = request.operation == MemoryOperation::read;
    if (is_read) ++missed[static_cast<std::size_t>(request.client)];
    const Time departure = std::max(now + delay, dram_free_);
    dram_free_ = departure + (is_read ? period() : period() * link_width_.quotient_up(bytes_of(request.sectors)));
    DramRequest message;
    message.block = request.block;
    message.tag = request.tag.entry;
    message.write = !is_read;
    message.client = request.client;
    message.sectors = request.sectors;
    dram_requests[static_cast<int>(to)].send(message, departure - now);
}

void L2Slice::answer(const Request& request, const MemoryReply& reply, Time delay, bool hit) {
    const MemoryRequest& message = request.message;
    const Time departure = std::max(now() + delay, answers_free_);
    const bool has_data = reply.operation == MemoryOperation::read;
    answers_free_ = departure + (has_data ? period() * link_width_.quotient_up(bytes_of(reply.sectors)) : period());
    ++answered;
    if (latencies_)
        (hit ? latencies_->hits : latencies_->misses)[static_cast<std::size_t>(message.client)].add(
            static_cast<std::uint64_t>((departure - request.arrival) / period()));
    MemoryReply sent = reply;
    if (!hit) {
        sent.has_waited = 1;
        ++waited;
    }
    replies.send(sent, departure - now());
}

void L2Slice::on_dram(const DramReply& reply, int channel_index) {
    dram_credits_[static_cast<std::size_t>(channel_index)] += reply.credits;
    retries_ = true;
    if (reply.outcome == DramOutcome::accepted) {
        if (missed_.empty() && !cache_.has_evictions()) needs_no_step();  // nobody waited for the credit
        return;
    }
    if (reply.outcome == DramOutcome::written) {
        ++write_acknowledgements;
        cache_.on_written();
        return;
    }
    for (const std::uint32_t place : cache_.fill(now(), RequestTag::of(0, reply.tag))) {
        if (--waiting_[place].lines_awaited > 0) continue;
        answer(waiting_[place], latency_ - tag_latency_, false);
        free_waiting_.push_back(place);
    }
}

void L2Slice::account(bool worked) {
    const Time until = std::max(worked ? now() + period() : now(), answers_free_ - latency_);
    const bool full = !missed_.empty() || cache_.has_evictions();
    time.enter(now(), State::serve_requests, until,
               full                    ? State::no_room
               : cache_.awaits_lines() ? State::lines
                                       : State::idle);
}

std::string L2Slice::unfinished() const {
    Unfinished work;
    work.add_if(!queue_.empty(), std::to_string(queue_.size()) + " requests queued");
    work.add_if(!missed_.empty(), std::to_string(missed_.size()) + " requests put off");
    work.add_if(!cache_.is_clean(), "written lines on their way to DRAM");
    work.add_if(cache_.awaits_lines(), "lines awaited from DRAM");
    for (std::size_t i = 0; i < dram_credits_.size(); ++i)
        work.add_if(dram_credits_[i] != dram_entries_[i], "credits of DRAM channel " + std::to_string(i) + " missing");
    return work.text();
}

void L2Slice::add_laws(Laws& laws) const {
    time.add_laws(laws, name());
    cache_.add_laws(laws, name());
    laws.equal(name() + ": requests = answers", {all_requests}, {answered});
    Sum served{reads, writes}, looked_up{cache_.accesses, cache_.written_around};
    if (owners_) {
        served.add(owners_->sent_on);
        looked_up.add(owners_->sent_on);
    }
    laws.equal(name() + ": requests = reads + writes, and those sent on to another core", {all_requests}, served);
    laws.equal(name() + ": requests = lookups + lines written past the cache, and those sent on", {all_requests},
               looked_up);
    Sum by_client;
    by_client.add(missed);
    laws.equal(name() + ": lines fetched = those of all clients", {cache_.misses, cache_.prefetches}, by_client);
    if (latencies_) {
        Sum latencies;
        latencies.add(latencies_->hits);
        latencies.add(latencies_->misses);
        laws.equal(name() + ": answers = their latencies", {answered}, latencies);
        Sum of_misses;
        of_misses.add(latencies_->misses);
        laws.equal(name() + ": requests that waited for a line = their latencies", {waited}, of_misses);
    }
    laws.equal(name() + ": writes to DRAM = their acknowledgements",
               {cache_.written_back, cache_.passed_on, cache_.written_through}, {write_acknowledgements});
}

void L2Slice::serialize(engine::Archive& archive) {
    archive(queue_, missed_, waiting_, free_waiting_, dram_credits_, answers_free_, dram_free_, retries_, cache_, time);
    if (owners_) archive(owners_->directory);
}

}  // namespace models
