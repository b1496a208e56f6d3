#include "models/processes/home_network.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "models/base/laws.h"
#include "models/memory/home/home_policy.h"

namespace models {

using engine::Time;
using Kind = HomeMessage::Kind;

HomeNetwork::HomeNetwork(const Shape& shape)
    : Clocked("home_mesh", -1, shape.network.period),
      cores_(static_cast<int>(shape.home.cores)),
      agent_(shape.slices > 0 ? -1 : cores_),
      table_interval_(shape.table_interval),
      table_latency_(shape.table_latency),
      records_owners_(shape.records_owners),
      mesh_(engine::CounterScope(&counters()), shape.network),
      table_(needs_of(shape.home.policy).tables == HomeNeeds::Tables::central
                 ? std::make_unique<AffinityTable>(shape.home.affinity)
                 : nullptr),
      epochs_counted_(shape.epoch_accesses),
      in(this, "in", cores_ + shape.slices, engine::handler<&HomeNetwork::on_message>),
      out(this, "out", cores_ + shape.slices, shape.network.period) {}

void HomeNetwork::on_message(const HomeMessage& message, int from) {
    needs_no_step();
    enter(message, from);
}

void HomeNetwork::enter(const HomeMessage& message, int from) {
    if (message.to != HomeMessage::everyone) {
        inject(message, from, message.to);
        return;
    }
    for (int core = 0; core < cores_; ++core)
        if (core != from) inject(message, from, core);
}

void HomeNetwork::inject(const HomeMessage& message, int from, int to) {
    wake_at(mesh_.inject(now(), {messages_.put(message), static_cast<std::uint16_t>(from),
                                 static_cast<std::uint16_t>(to), message.data()}));
}

Time HomeNetwork::step() {
    for (; !answers_.empty() && answers_.front().at <= now(); answers_.pop_front())
        enter(answers_.front().message, agent_);
    if (!questions_.empty() && questions_.front().arrival <= now() && table_free_ <= now()) {
        const Question question = questions_.front();
        questions_.pop_front();
        waiting_cycles += static_cast<std::uint64_t>((now() - question.arrival + question.late) / period());
        table_free_ = now() + table_interval_;
        serve(question.message);
    }
    Time next = mesh_.step(now(), [this](std::uint32_t number, int output, Time delay) {
        const HomeMessage message = messages_.take(number);
        if (output == agent_)
            questions_.push_back({now() + delay, mesh_.late(now(), number), message});
        else
            out[output].send(message, delay);
    });
    if (!questions_.empty())
        next = std::min(next, std::max({questions_.front().arrival, table_free_, now() + period()}));
    if (!answers_.empty()) next = std::min(next, std::max(answers_.front().at, now() + period()));
    return next;
}

void HomeNetwork::serve(const HomeMessage& message) {
    switch (message.kind) {
        case Kind::query:
        case Kind::note:
            ++(message.kind == Kind::query ? questions : notes);
            look_up(message);
            return;
        case Kind::accesses:
            ++sums;
            count(message.count);
            return;
        default:
            assert(false);
    }
}

void HomeNetwork::look_up(const HomeMessage& message) {
    const std::uint32_t bucket = table_->bucket(message.number);
    const AffinityTable::Access access = table_->access(message.from, bucket, message.count);
    if (access.before != access.after) {
        if (access.before != no_core) tell(access.before, bucket, false);
        tell(access.after, bucket, true);
    }
    if (message.kind == Kind::query) {
        HomeMessage reply = message;
        const CoreNumber owner = access.asked();
        const bool is_own = owner == message.from;
        reply.kind = is_own ? Kind::own : Kind::request;
        reply.to = owner;
        reply.count = 0;
        ++(is_own ? owned : passed_on);
        answer(reply);
    }
    count(message.count);
}

void HomeNetwork::count(std::uint32_t more) {
    accesses += more;
    for (std::uint32_t ended = epochs_counted_.add(more); ended > 0; --ended) {
        if (records_owners_ && !table_) owners_.append(epochs_counted_.epoch() - ended + 1);
        end_epoch();
    }
}

void HomeNetwork::end_epoch() {
    ++epochs;
    if (table_) {
        record_owners();
        table_->end_epoch([this](std::uint32_t bucket, CoreNumber before, CoreNumber after) {
            if (before != no_core) tell(before, bucket, false);
            if (after != no_core) tell(after, bucket, true);
        });
        return;
    }
    HomeMessage message;
    message.kind = Kind::epoch;
    message.to = HomeMessage::everyone;
    message.number = epochs_counted_.epoch();
    answer(message);
}

void HomeNetwork::record_owners() {
    if (!records_owners_) return;
    owners_.append(static_cast<std::uint64_t>(now() / period()));
    for (std::uint32_t bucket = 0; bucket < table_->buckets(); ++bucket) {
        const CoreNumber owner = table_->owner(bucket);
        owners_.append(owner == no_core ? 0 : std::uint64_t{owner} + 1);
        owners_.append(owner == no_core ? 0 : table_->counter(bucket, owner));
    }
}

void HomeNetwork::tell(CoreNumber core, std::uint32_t bucket, bool is_owned) {
    HomeMessage message;
    message.kind = Kind::owner;
    message.to = core;
    message.number = bucket;
    message.count = is_owned ? 1 : 0;
    answer(message);
}

void HomeNetwork::answer(HomeMessage message) {
    answers_.push_back({now() + table_latency_, message});
}

void HomeNetwork::end_frame() {
    if (!table_) return;
    owner_changes += table_->changes() - changes_;
    changes_ = table_->changes();
}

std::string HomeNetwork::unfinished() const {
    const std::size_t all = messages_.used() + questions_.size() + answers_.size();
    return all == 0 ? "" : std::to_string(all) + " messages on their way";
}

void HomeNetwork::serialize(engine::Archive& archive) {
    archive(mesh_, messages_, epochs_counted_, questions_, answers_, table_free_, changes_);
    if (table_) archive(*table_);
}

void HomeNetwork::add_laws(Laws& laws) const {
    mesh_.add_laws(laws, name());
    laws.equal(name() + ": misses that asked the table = owned + passed on", {questions}, {owned, passed_on});
}

}  // namespace models
