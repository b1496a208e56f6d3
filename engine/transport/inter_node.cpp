#include "engine/transport/inter_node.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>

#include <mpi.h>

#include "engine/threads/back_off.h"
#include "engine/transport/collectives.h"

namespace engine::transport {

namespace {

// A packet is made of units: a header, then the slots of the sender's participants if one of them has arrived, then for
// every link with news its clock and messages.
struct alignas(64) Unit {
    std::byte bytes[64];
};
using Packet = std::vector<Unit>;

struct alignas(64) Header {
    std::uint64_t applied;    // packets from the rank this goes to
    std::uint64_t arrived;    // participants here, so far
    std::uint64_t requested;  // reduction
    Time last_window;
    std::uint32_t slots;
    bool counts;   // is one of those that are counted in `applied`
    bool goodbye;  // nothing comes after it
};
struct alignas(64) SlotNews {
    Time next, last_window, last_run;
    std::int32_t stop;
    bool failed;
};
struct alignas(64) LinkNews {
    Time clock;
    std::uint32_t link, messages;
};
static_assert(sizeof(Unit) == 64 && sizeof(Header) == 64 && sizeof(SlotNews) == 64 && sizeof(LinkNews) == 64 &&
              sizeof(Envelope) == 64);

constexpr int tag = 1;
// Packets that a rank has sent and the other one has not applied. It bounds the memory of both.
constexpr std::uint64_t most_under_way = 8;
constexpr std::size_t most_in_flight = 2;  // packets to one rank that MPI has not taken over

template <class T>
void append(Packet& packet, const T& value) {
    std::memcpy(&packet.emplace_back(), &value, sizeof value);
}
template <class T>
T read(const Packet& packet, std::size_t at) {
    T value;
    std::memcpy(&value, &packet[at], sizeof value);
    return value;
}

struct Transfer {
    Packet packet;
    MPI_Request request = MPI_REQUEST_NULL;
    bool done() {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }
};

}  // namespace

struct InterNodeTransport::Channel {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Datatype unit = MPI_DATATYPE_NULL;
    Channel() {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        MPI_Type_contiguous(sizeof(Unit), MPI_BYTE, &unit);
        MPI_Type_commit(&unit);
    }
    ~Channel() {
        MPI_Type_free(&unit);
        MPI_Comm_free(&communicator);
    }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
};

// Another rank.
struct InterNodeTransport::Peer {
    struct Departing {
        std::uint32_t link;
        LinkMemory* memory;
        Time told;
    };
    explicit Peer(int number) : rank(number) {}

    // Buffers are used again.
    std::unique_ptr<Transfer> fresh() {
        if (spare.empty()) return std::make_unique<Transfer>();
        std::unique_ptr<Transfer> transfer = std::move(spare.back());
        spare.pop_back();
        transfer->packet.clear();
        return transfer;
    }
    void collect_sent() {
        while (!outbox.empty() && outbox.front()->done()) {
            spare.push_back(std::move(outbox.front()));
            outbox.pop_front();
        }
    }

    int rank;
    std::vector<std::unique_ptr<Transfer>> spare;

    std::vector<Departing> departing;
    std::deque<std::unique_ptr<Transfer>> outbox;  // MPI has them
    std::uint64_t sent = 0, acknowledged = 0;      // packets that count
    std::uint64_t arrived_told = 0, requested_sent = 0;
    Time last_window_told = never;

    std::deque<std::unique_ptr<Transfer>> inbox;  // in the order in which they were sent
    std::size_t at = 0, pushed = 0;               // delivered of the first: units, and messages of the next link
    std::uint64_t applied = 0, applied_told = 0;
    std::uint64_t arrived = 0;
    bool goodbye = false;
};

InterNodeTransport::InterNodeTransport(ReductionMemory& reduction, std::span<ReductionSlot> slots,
                                       std::span<const int> ranks)
    : reduction_(reduction),
      slots_(slots),
      ranks_(ranks.begin(), ranks.end()),
      channel_(std::make_unique<Channel>()) {
    for (int other = 0; other < size(); ++other)
        peers_.push_back(other == rank() ? nullptr : std::make_unique<Peer>(other));
}

InterNodeTransport::~InterNodeTransport() = default;

void InterNodeTransport::carry_to(int rank, std::uint32_t link, LinkMemory& from) {
    peers_[static_cast<std::size_t>(rank)]->departing.push_back({link, &from, 0});
}

void InterNodeTransport::deliver_to(std::uint32_t link, LinkMemory& to) {
    if (arriving_.size() <= link) arriving_.resize(link + 1);
    arriving_[link] = &to;
}

void InterNodeTransport::progress() {
    receive();
    for (const auto& peer : peers_) {
        if (peer == nullptr) continue;
        deliver(*peer);
        send(*peer);
    }
}

// The last packet holds all that is left: all participants have arrived at the last reduction.
void InterNodeTransport::finish() {
    for (const auto& peer : peers_)
        if (peer != nullptr) pack(*peer, true);
    BackOff back_off(false);
    for (bool done = false; !done; back_off.pause()) {
        receive();
        done = true;
        for (const auto& peer : peers_) {
            if (peer == nullptr) continue;
            deliver(*peer);
            peer->collect_sent();
            done = done && peer->goodbye && peer->outbox.empty();
        }
    }
}

void InterNodeTransport::receive() {
    for (;;) {
        int found = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, tag, channel_->communicator, &found, &message, &status);
        if (found == 0) return;
        int units = 0;
        MPI_Get_count(&status, channel_->unit, &units);
        Peer& peer = *peers_[static_cast<std::size_t>(status.MPI_SOURCE)];
        Transfer& transfer = *peer.inbox.emplace_back(peer.fresh());
        transfer.packet.resize(static_cast<std::size_t>(units));
        MPI_Imrecv(transfer.packet.data(), units, channel_->unit, &message, &transfer.request);
    }
}

// Of a packet whose messages find no room the rest is delivered later. There will be room: a worker that waits drains
// its rings, also while it waits for this rank to send.
void InterNodeTransport::deliver(Peer& peer) {
    while (!peer.inbox.empty()) {
        Transfer& transfer = *peer.inbox.front();
        if (!transfer.done()) return;
        if (peer.at == 0) {
            const auto header = read<Header>(transfer.packet, 0);
            peer.acknowledged = std::max(peer.acknowledged, header.applied);
            peer.at = 1 + header.slots;
        }
        if (!deliver_links(peer)) return;
        deliver_reduction(peer);
        peer.at = 0;
        peer.spare.push_back(std::move(peer.inbox.front()));
        peer.inbox.pop_front();
    }
}

bool InterNodeTransport::deliver_links(Peer& peer) {
    const Packet& packet = peer.inbox.front()->packet;
    while (peer.at < packet.size()) {
        const auto news = read<LinkNews>(packet, peer.at);
        LinkMemory& memory = *arriving_[news.link];
        const auto* messages = std::launder(reinterpret_cast<const Envelope*>(packet.data() + peer.at + 1));
        peer.pushed += memory.ring.push(messages + peer.pushed, news.messages - peer.pushed);
        if (peer.pushed < news.messages) return false;
        memory.clock.store(news.clock, std::memory_order_release);
        peer.at += 1 + news.messages;
        peer.pushed = 0;
    }
    return true;
}

// First the slots, then the number of arrivals.
void InterNodeTransport::deliver_reduction(Peer& peer) {
    const Packet& packet = peer.inbox.front()->packet;
    const auto header = read<Header>(packet, 0);
    std::size_t at = 1;
    for (std::size_t i = 0; i < slots_.size() && at <= header.slots; ++i) {
        if (ranks_[i] != peer.rank) continue;
        const auto news = read<SlotNews>(packet, at++);
        slots_[i].next.store(news.next, std::memory_order_relaxed);
        slots_[i].last_window.store(news.last_window, std::memory_order_relaxed);
        slots_[i].last_run.store(news.last_run, std::memory_order_relaxed);
        slots_[i].stop.store(news.stop, std::memory_order_relaxed);
        slots_[i].failed.store(news.failed, std::memory_order_relaxed);
    }
    if (header.counts) {
        reduction_.lower_last_window(header.last_window);
        reduction_.raise_requested(header.requested);
        peer.last_window_told = std::min(peer.last_window_told, header.last_window);
        peer.requested_sent = std::max(peer.requested_sent, header.requested);
        if (header.arrived > peer.arrived)
            reduction_.arrived.fetch_add(header.arrived - peer.arrived, std::memory_order_acq_rel);
        peer.arrived = header.arrived;
        ++peer.applied;
    }
    peer.goodbye = header.goodbye;
}

void InterNodeTransport::send(Peer& peer) {
    peer.collect_sent();
    if (peer.outbox.size() >= most_in_flight) return;
    if (peer.sent - peer.acknowledged < most_under_way) {
        if (has_news(peer)) return pack(peer, false);
    }
    if (peer.applied - peer.applied_told < most_under_way / 2) return;
    append(peer.outbox.emplace_back(peer.fresh())->packet, Header{peer.applied, 0, 0, never, 0, false, false});
    ship(peer);
}

bool InterNodeTransport::has_news(const Peer& peer) const {
    return reduction_.arrived_here.load(std::memory_order_relaxed) != peer.arrived_told ||
           reduction_.requested.load(std::memory_order_relaxed) > peer.requested_sent ||
           reduction_.last_window.load(std::memory_order_relaxed) < peer.last_window_told ||
           std::any_of(
               peer.departing.begin(), peer.departing.end(),
               [](const Peer::Departing& link) {
                   return link.memory->clock.load(std::memory_order_relaxed) != link.told ||
                          link.memory->ring.read_available() > 0;
               });
}

// First the number of arrivals, then what was handed over before them.
void InterNodeTransport::pack(Peer& peer, bool goodbye) {
    Packet& packet = peer.outbox.emplace_back(peer.fresh())->packet;
    Header header{};
    header.applied = peer.applied;
    header.arrived = reduction_.arrived_here.load(std::memory_order_acquire);
    header.last_window = reduction_.last_window.load(std::memory_order_relaxed);
    header.requested = reduction_.requested.load(std::memory_order_relaxed);
    header.counts = true;
    header.goodbye = goodbye;
    append(packet, header);
    if (header.arrived != peer.arrived_told) pack_slots(peer);
    for (Peer::Departing& link : peer.departing) {
        LinkNews news{link.memory->clock.load(std::memory_order_acquire), link.link, 0};
        const std::size_t at = packet.size();
        packet.emplace_back();
        link.memory->ring.consume_all([&](const Envelope& envelope) { append(packet, envelope); });
        news.messages = static_cast<std::uint32_t>(packet.size() - at - 1);
        if (news.messages == 0 && news.clock == link.told) {
            packet.pop_back();
            continue;
        }
        std::memcpy(&packet[at], &news, sizeof news);
        link.told = news.clock;
    }
    peer.arrived_told = header.arrived;
    peer.requested_sent = std::max(peer.requested_sent, header.requested);
    peer.last_window_told = std::min(peer.last_window_told, header.last_window);
    ++peer.sent;
    ++packets_;
    ship(peer);
}

void InterNodeTransport::pack_slots(Peer& peer) {
    Packet& packet = peer.outbox.back()->packet;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (ranks_[i] != rank()) continue;
        SlotNews news{};
        news.next = slots_[i].next.load(std::memory_order_relaxed);
        news.last_window = slots_[i].last_window.load(std::memory_order_relaxed);
        news.last_run = slots_[i].last_run.load(std::memory_order_relaxed);
        news.stop = slots_[i].stop.load(std::memory_order_relaxed);
        news.failed = slots_[i].failed.load(std::memory_order_relaxed);
        append(packet, news);
    }
    auto header = read<Header>(packet, 0);
    header.slots = static_cast<std::uint32_t>(packet.size() - 1);
    std::memcpy(packet.data(), &header, sizeof header);
}

void InterNodeTransport::ship(Peer& peer) {
    Transfer& transfer = *peer.outbox.back();
    peer.applied_told = peer.applied;
    MPI_Isend(transfer.packet.data(), static_cast<int>(transfer.packet.size()), channel_->unit, peer.rank, tag,
              channel_->communicator, &transfer.request);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): collect_sent() waits for it

}  // namespace engine::transport
