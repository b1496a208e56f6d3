// Logical process: the mesh between texture caches that are one (memory/home/README.md), with what sits at the router
// in its middle: of dtm_nuca the affinity table, of dtm_nuca_distributed who counts the accesses of an epoch.
//
// A message to everyone leaves the router of its sender once for each core. The table serves a question or note every
// `table_interval`, in the order in which they came; what it answers departs `table_latency` later: who has a bucket
// gets the request, a core that has it itself is told so, and both cores are told of a change of owner. Then it counts
// the accesses; an epoch ends with the one that makes it full, in the same cycle. The table shares the port of its
// router, which hands on a flit a cycle, with the core there: where the table is as quick as that, all that contend for
// it wait in the mesh.
//
// Room: there is a question of each MSHR of each core at most. Notes and sums of a core are note_time() apart, so that
// all cores together send half of what a table serves; so no more of them wait than questions do, and it is no limit
// that the queue has none. The receiver of a message has room for it (memory/home_message.h), so the mesh moves on.
// Lookahead: a cycle.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "engine/block.h"
#include "engine/series.h"
#include "models/memory/home/affinity_table.h"
#include "models/memory/home/epoch_counter.h"
#include "models/memory/home_message.h"
#include "models/network/mesh.h"
#include "models/structures/slot_pool.h"

namespace models {

class Laws;

class HomeNetwork final : public engine::Clocked<HomeNetwork> {
  public:
    struct Shape {
        HomeShape home;
        std::uint32_t epoch_accesses;
        engine::Time table_interval, table_latency;
        int slices;            // that have a directory
        NetworkShape network;  // inputs and outputs: cores, then slices or the agent
        bool records_owners;   // at the end of every epoch
    };
    explicit HomeNetwork(const Shape& shape);
    // Between two notes of a core.
    static engine::Time note_time(int cores, engine::Time table_interval) { return 2 * cores * table_interval; }

    void end_frame();

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.3 * cores_; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    bool has_table() const { return table_ != nullptr; }
    // As owner_records() (memory/home) takes them; of tables of cores the numbers of the epochs that begin.
    const engine::Series& owners() const { return owners_; }

  private:
    struct Answer {
        engine::Time at = 0;
        HomeMessage message;
    };
    struct Question {
        engine::Time arrival = 0, late = 0;  // than through an empty mesh
        HomeMessage message;
    };
    void on_message(const HomeMessage& message, int from);
    void enter(const HomeMessage& message, int from);
    void inject(const HomeMessage& message, int from, int to);
    void serve(const HomeMessage& message);
    void look_up(const HomeMessage& message);
    void count(std::uint32_t accesses);
    void end_epoch();
    void record_owners();
    void tell(CoreNumber core, std::uint32_t bucket, bool owned);
    void answer(HomeMessage message);

    // Shape.
    int cores_, agent_;
    engine::Time table_interval_, table_latency_;
    bool records_owners_;

    // State.
    Mesh mesh_;
    SlotPool<HomeMessage> messages_;
    std::unique_ptr<AffinityTable> table_;  // null: none here
    EpochCounter epochs_counted_;
    std::deque<Question> questions_;
    std::deque<Answer> answers_;
    engine::Time table_free_ = 0;  // the next question is served
    std::uint64_t changes_ = 0;    // of owners, counted before

  public:
    engine::Row<engine::In<HomeMessage>> in;  // cores, slices
    engine::Row<engine::Out<HomeMessage>> out;
    engine::Counter questions{&counters(), "table_questions", "1", "misses that asked the affinity table"};
    engine::Counter notes{&counters(), "table_notes", "1", "messages that told it of hits"};
    engine::Counter sums{&counters(), "access_sums", "1", "messages that told how many accesses there were"};
    engine::Counter waiting_cycles{&counters(), "table_waiting_cycles", "cycle",
                                   "by which questions, notes and sums were served later than if nobody else had come, "
                                   "in the mesh and at the table, summed"};
    engine::Counter passed_on{&counters(), "requests_passed_on", "1", "misses that the table sent to another core"};
    engine::Counter owned{&counters(), "owned_misses", "1", "misses of the owner itself"};
    engine::Counter owner_changes{&counters(), "owner_changes", "1", "changes of owners of buckets in the table"};
    engine::Counter accesses{&counters(), "texture_accesses", "1", "of which the agent was told"};
    engine::Counter epochs{&counters(), "epochs", "1", "epochs that have ended"};

  private:
    // By epoch: time, of each bucket the owner + 1 and the owner's counter. Without a table: the number of the next.
    engine::Series owners_{&counters()};
};

}  // namespace models
