#include "models/memory/home_exit.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"

namespace models {

using engine::Time;
using Kind = HomeMessage::Kind;

HomeExit::HomeExit(engine::LogicalProcess* process, MemoryPort& memory, const Shape& shape)
    : messages(process, "home_messages", shape.lookup),
      misses_to_memory(&process->counters(), "home_misses_to_memory", "1",
                       "texture misses that went to the L2 cache at once"),
      misses_to_cores(&process->counters(), "home_misses_to_cores", "1", "texture misses that went to another core"),
      misses_to_table(&process->counters(), "home_misses_to_table", "1",
                      "texture misses that asked the central affinity table"),
      misses_to_directory(&process->counters(), "home_misses_to_directory", "1",
                          "texture misses that asked the directory at the L2 cache"),
      redirected(&process->counters(), "home_redirected", "1",
                 "texture misses that the directory sent on to another core"),
      owned_misses(&process->counters(), "home_owned_misses", "1",
                   "texture misses of which the central table said that the core itself owns the line"),
      remote_hits(&process->counters(), "home_remote_hits", "1",
                  "texture misses that hit in the cache of another core"),
      remote_misses(&process->counters(), "home_remote_misses", "1",
                    "texture misses for which another core waited for the L2 cache"),
      remote_cycles(&process->counters(), "home_remote_cycles", "cycle",
                    "from such a miss until its line came, summed; of remote hits and misses"),
      requests_received(&process->counters(), "home_requests", "1", "requests of other cores"),
      served(&process->counters(), "home_served", "1", "lines sent to other cores"),
      served_hits(&process->counters(), "home_served_hits", "1", "requests of other cores that hit"),
      served_merged(&process->counters(), "home_served_merged", "1",
                    "requests of other cores that joined a line in flight"),
      served_misses(&process->counters(), "home_served_misses", "1",
                    "requests of other cores for which the L2 cache was asked"),
      served_cycles(&process->counters(), "home_served_cycles", "cycle",
                    "from the arrival of a request of another core until the line departs, summed"),
      hits_of_old_owners(&process->counters(), "home_hits_without_owning", "1",
                         "hits that do not make their line recent, as its bucket is another core's"),
      notes(&process->counters(), "home_notes", "1", "messages that tell the central table of hits"),
      sums(&process->counters(), "home_sums", "1", "messages that tell how many accesses there were"),
      claims_sent(&process->counters(), "home_claims", "1", "buckets claimed when an epoch began"),
      claims_heard(&process->counters(), "home_claims_heard", "1", "buckets of which another core's claim came"),
      evictions_told(&process->counters(), "home_evictions_told", "1", "lines of which the directory was told"),
      recalls(&process->counters(), "home_recalls", "1", "lines that the directory has called back"),
      owner_changes(&process->counters(), "home_owner_changes", "1",
                    "changes of owners of buckets in the core's own table"),
      claims(&process->counters()),
      memory_(memory),
      policy_(shape.home.policy, shape.home, shape.core),
      shares_(shape.mshrs, shape.reserved_mshrs),
      flights_(shape.mshrs),
      requests_(std::size_t{shape.home.cores} * shape.mshrs),
      owned_(shape.mshrs),
      evicted_(shape.lines + shape.mshrs),
      core_(shape.core),
      agent_(static_cast<std::uint16_t>(shape.home.cores)),
      has_directory_(needs_of(shape.home.policy).directory),
      has_table_(needs_of(shape.home.policy).tables == HomeNeeds::Tables::of_cores),
      sums_hits_(has_table_ ||
                 (needs_of(shape.home.policy).tables == HomeNeeds::Tables::central && !shape.home.count_hits)),
      sum_accesses_(shape.sum_accesses),
      period_(shape.period),
      lookup_(shape.lookup),
      note_time_(shape.note_time),
      slices_(shape.slices),
      records_claims_(shape.records_claims) {}

void HomeExit::say(HomeMessage message, Time delay) {
    message.from = core_;
    messages.send(message, delay);
}

// A miss of the own core.
void HomeExit::send(Time now, const MemoryRequest& request, Time delay) {
    Flight& flight = flights_[request.tag.entry];
    flight.request = request;
    flight.since = now;
    flight.use = Use::own;
    shares_.take(Use::own);
    const Route route = policy_.visit([&](auto& member) { return member.miss(request.block); });
    if (has_table_) count_access(now);
    ask(now, request, route, delay);
}

void HomeExit::ask(Time now, const MemoryRequest& request, const Route& route, Time delay) {
    Flight& flight = flights_[request.tag.entry];
    flight.is_kept = true;
    flight.has_come = false;
    HomeMessage message;
    message.number = request.block;
    message.tile = request.attribution.tile;
    message.entry = request.tag.entry;
    switch (route.to) {
        case Route::To::memory:
            flight.answer = AnsweredBy::memory;
            ++misses_to_memory;
            memory_.send(now, request, delay);
            break;
        case Route::To::directory: {
            flight.answer = AnsweredBy::unknown;
            ++misses_to_directory;
            MemoryRequest question = request;
            question.asks_directory = 1;
            memory_.send(now, question, delay);
            break;
        }
        case Route::To::core:
            flight.answer = AnsweredBy::core;
            flight.is_kept = false;
            ++misses_to_cores;
            message.to = route.core;
            say(message, delay);
            break;
        case Route::To::table:
            flight.answer = AnsweredBy::unknown;
            flight.is_kept = false;
            ++misses_to_table;
            message.kind = Kind::query;
            message.to = agent_;
            message.count = route.accesses;
            say(message, delay);
            break;
    }
}

bool HomeExit::hit(Time now, BlockNumber block) {
    const HomeHit hit = policy_.visit([&]<class Member>(Member& member) {
        if constexpr (requires { member.hit(block, true); })
            return member.hit(block, may_note(now));
        else
            return member.hit(block);
    });
    if (hit.accesses > 0) {
        HomeMessage note;
        note.kind = Kind::note;
        note.number = block;
        note.to = agent_;
        note.count = hit.accesses;
        note_free_ = now + note_time_;
        ++notes;
        say(note, lookup_);
    }
    if (sums_hits_) count_access(now);
    return hit.recent;
}

// Accesses of which the others are told, so that all know when an epoch ends.
void HomeExit::count_access(Time now) {
    ++accesses_;
    if (accesses_ < sum_accesses_ || !may_note(now)) return;
    HomeMessage sum;
    sum.kind = Kind::accesses;
    sum.to = agent_;
    sum.count = static_cast<std::uint16_t>(std::min(accesses_, 0xffffU));
    accesses_ -= sum.count;
    note_free_ = now + note_time_;
    ++sums;
    say(sum, lookup_);
}

void HomeExit::gone(LineNumber line) {
    if (has_directory_) evicted_.push({now_, line});
}

bool HomeExit::take_line(Time now, std::uint32_t entry) {
    now_ = now;
    shares_.give_back(flights_[entry].use);
    return flights_[entry].is_kept;
}

bool HomeExit::may_join(std::uint32_t entry) const {
    return has_directory_ || MshrShares::may_join(Use::other, flights_[entry].answer);
}

void HomeExit::ask_for_others(Time now, const MemoryRequest& request) {
    Flight& flight = flights_[request.tag.entry];
    flight.request = request;
    flight.since = now;
    flight.use = Use::other;
    flight.answer = AnsweredBy::memory;
    flight.is_kept = !has_directory_;
    shares_.take(Use::other);
    memory_.send(now, request, lookup_);
}

bool HomeExit::wait_for_core(std::uint32_t entry) {
    Flight& flight = flights_[entry];
    flight.answer = AnsweredBy::core;
    flight.is_kept = false;
    ++redirected;
    return flight.has_come;
}

bool HomeExit::take(Time now, const HomeMessage& message, Cache& cache) {
    switch (message.kind) {
        case Kind::request:
            requests_.push({now, message.number, message.tile, message.from, message.entry, is_recent(message)});
            ++requests_received;
            return false;
        case Kind::reply: {
            ++(message.count > 0 ? remote_hits : remote_misses);
            Flight& flight = flights_[message.entry];
            remote_cycles += static_cast<std::uint64_t>((now - flight.since) / period_);
            flight.has_come = has_directory_ && flight.answer == AnsweredBy::unknown;
            return !flight.has_come;
        }
        case Kind::own: {
            Flight& flight = flights_[message.entry];
            flight.answer = AnsweredBy::memory;
            flight.is_kept = true;
            ++owned_misses;
            owned_.push(message.entry);
            ask_owned(now);
            return false;
        }
        case Kind::owner:
            policy_.visit([&](auto& member) {
                if constexpr (requires { member.tell(0U, true); }) member.tell(message.number, message.count > 0);
            });
            return false;
        case Kind::epoch:
            begin_epoch(now, message.number);
            return false;
        case Kind::claims:
            hear(now, message);
            return false;
        case Kind::recall:
            ++recalls;
            cache.recall(message.number);
            for (std::uint32_t entry = 0; entry < flights_.size(); ++entry)
                if (cache.awaits(entry, message.number)) flights_[entry].is_kept = false;
            return false;
        case Kind::query:
        case Kind::note:
        case Kind::accesses:
        case Kind::evicted:
            break;
    }
    assert(false);
    return false;
}

// Another core asks. The policy is told once, when it does.
bool HomeExit::is_recent(const HomeMessage& message) {
    return policy_.visit([&](auto& member) { return member.serve(message.from, message.number); });
}

void HomeExit::begin_epoch(Time now, std::uint32_t epoch) {
    policy_.visit([&](auto& member) {
        if constexpr (requires { member.table().epoch(); }) {
            if (member.table().epoch() >= epoch) return;
            HomeMessage message;
            message.kind = Kind::claims;
            message.to = HomeMessage::everyone;
            message.number = epoch;
            const auto send = [&] {
                claims_sent += message.count;
                say(message, lookup_);
                message.count = 0;
            };
            member.table().begin_epoch(epoch, [&](const OwnershipClaim& claim) {
                if (records_claims_)
                    for (const std::uint64_t noted : {std::uint64_t{epoch}, static_cast<std::uint64_t>(now / period_),
                                                      std::uint64_t{claim.bucket}, std::uint64_t{claim.accesses}})
                        claims.append(noted);
                message.buckets[message.count] = claim.bucket;
                message.counters[message.count] = static_cast<std::uint8_t>(claim.accesses);
                if (++message.count == HomeMessage::most_claims) send();
            });
            if (message.count > 0) send();
        }
    });
}

void HomeExit::hear(Time now, const HomeMessage& message) {
    begin_epoch(now, message.number);
    policy_.visit([&](auto& member) {
        if constexpr (requires { member.table().epoch(); })
            for (std::uint32_t i = 0; i < message.count; ++i)
                member.table().hear({message.number, message.buckets[i], message.from, message.counters[i]});
    });
    claims_heard += message.count;
}

void HomeExit::hand_on(Time now, std::uint32_t waiter) {
    const Waiter waiting = waiters_.take(waiter & ~Cache::others_bit);
    reply(now, waiting.core, static_cast<std::uint8_t>(waiting.entry), false, waiting.arrival);
}

void HomeExit::reply(Time now, CoreNumber to, std::uint8_t entry, bool was_there, Time arrival) {
    HomeMessage message;
    message.kind = Kind::reply;
    message.to = to;
    message.entry = entry;
    message.count = was_there ? 1 : 0;
    ++served;
    served_cycles += static_cast<std::uint64_t>((now + lookup_ - arrival) / period_);
    say(message, lookup_);
}

Time HomeExit::step(Time now, Cache& cache) {
    const bool may_work = !requests_.empty() && !refused_;
    const bool worked = may_work && (served_at_ == now || serve(now, cache));
    if (!evicted_.empty()) {
        HomeMessage message;
        message.kind = Kind::evicted;
        message.number = evicted_.front().line;
        message.at = evicted_.front().at;
        message.to = static_cast<std::uint16_t>(agent_ + slices_.slice(message.number));
        evicted_.pop();
        ++evictions_told;
        say(message, lookup_);
    }
    return worked || !evicted_.empty() ? now + period_ : engine::never;
}

// The oldest request. True if there may be one to serve in the next cycle.
bool HomeExit::serve(Time now, Cache& cache) {
    served_at_ = now;
    const Request& request = requests_.front();
    const std::uint32_t waiter = waiters_.put({request.arrival, request.from, request.entry});
    const Cache::Outcome outcome =
        cache.serve(now, request.block, waiter | Cache::others_bit, request.is_recent, {none, request.tile, 0, 0});
    if (outcome != Cache::Outcome::waiting) waiters_.take(waiter);
    refused_ = outcome == Cache::Outcome::refused;
    if (!Cache::is_served(outcome)) return !refused_;
    if (outcome == Cache::Outcome::hit) reply(now, request.from, request.entry, true, request.arrival);
    requests_.pop();
    return !requests_.empty();
}

// Misses of which a table has said that the core owns their line, in order but for those of slices without credits.
void HomeExit::ask_owned(Time now) {
    for (std::uint32_t i = owned_.size(); i > 0; --i) {
        const std::uint32_t entry = owned_.front();
        owned_.pop();
        const MemoryRequest& request = flights_[entry].request;
        if (memory_.can_send(request.block))
            memory_.send(now, request, lookup_);
        else
            owned_.push(entry);
    }
}

void HomeExit::retry(Time now) {
    refused_ = false;
    if (!owned_.empty()) ask_owned(now);
}

void HomeExit::end_frame() {
    policy_.visit([&](auto& member) {
        if constexpr (requires { member.table().table(); }) {
            const std::uint64_t changes = member.table().table().changes();
            owner_changes += changes - changes_;
            changes_ = changes;
        }
    });
}

std::string HomeExit::unfinished() const {
    std::string text;
    if (!requests_.empty()) text = std::to_string(requests_.size()) + " requests of other cores";
    if (waiters_.used() > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(waiters_.used()) + " other cores wait for lines";
    if (!owned_.empty()) text += (text.empty() ? "" : ", ") + std::string("misses of owned lines wait");
    return text;
}

void HomeExit::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": misses asked of others = lines that came from cores + own ones",
               {misses_to_cores, misses_to_table, redirected}, {remote_hits, remote_misses, owned_misses});
    laws.equal(name + ": requests of other cores = lines sent to them", {requests_received}, {served});
    laws.equal(name + ": requests of other cores = hits + merged + misses", {requests_received},
               {served_hits, served_merged, served_misses});
}

void HomeExit::serialize(engine::Archive& archive) {
    archive(policy_, shares_, flights_, requests_, waiters_, owned_, evicted_, accesses_, note_free_, now_, served_at_,
            refused_, changes_);
}

}  // namespace models
