#include "models/processes/mmu.h"

#include <algorithm>
#include <cassert>

namespace models {

using engine::Time;

Mmu::Mmu(const Shape& shape)
    : Clocked("mmu", -1, shape.period),
      latency_(shape.mmu.latency.count() * shape.period),
      tables_(shape.tables),
      queue_(shape.questions),
      pages_({static_cast<std::uint32_t>(shape.mmu.entries() / shape.mmu.ways()),
              static_cast<std::uint32_t>(shape.mmu.ways()), 1, 0}),
      last_tables_({1, static_cast<std::uint32_t>(shape.mmu.walk_entries()), 1, 0}),
      walks_(static_cast<std::size_t>(shape.mmu.walkers())),
      requests(this, "requests", engine::handler<&Mmu::on_question>),
      replies(this, "replies", engine::handler<&Mmu::on_reply>),
      answers(this, "answers", latency_),
      memory(this, shape.memory, shape.period),
      questions(&counters(), "questions", "1", "pages asked for by all ports"),
      hits(&counters(), "hits", "1", "questions answered from the shared TLB"),
      joins(&counters(), "joined", "1", "questions that waited for a walk of an earlier one"),
      walks(&counters(), "walks", "1", "page walks"),
      short_walks(&counters(), "short_walks", "1", "page walks that began with the last level"),
      reads(&counters(), "entries_read", "1", "entries of page tables read"),
      answered(&counters(), "answers", "1", "questions answered"),
      refusals(&counters(), "refusals", "1", "lookups that found no free walker and were tried again"),
      time(&counters(),
           {{{"idle", Activity::starved, requesters},
             {"looks_up", Activity::busy},
             {"walking", Activity::starved, memory.answered_by()},
             {"no_walker", Activity::blocked, memory.answered_by()}}},
           period()) {
    joined_.reserve(shape.questions);
}

void Mmu::on_question(const MemoryRequest& question) {
    assert(question.asks_for_page());
    assert(queue_.size() + joined_.size() < queue_.capacity());
    ++questions;
    queue_.push(question);
}

void Mmu::on_reply(const MemoryReply& reply) {
    [[maybe_unused]] const bool is_entry = memory.take_reply(now(), reply);
    assert(is_entry && reply.tag.entry < walks_.size());
    Walk& walk = walks_[reply.tag.entry];
    assert(walk.page != none && !walk.asks && !walk.is_done());
    ++walk.level;
    walk.asks = !walk.is_done();
}

Time Mmu::step() {
    bool works = false;
    for (Walk& walk : walks_) {
        if (walk.is_done()) end(walk);
        if (walk.asks) read(walk);
    }
    const bool asked = !queue_.empty();
    if (asked && serve(queue_.front())) {
        queue_.pop();
        works = true;
    }
    const bool walks_on = std::any_of(walks_.begin(), walks_.end(), [](const Walk& walk) { return walk.page != none; });
    time.enter(now(), State::looks_up, works ? now() + period() : now(),
               asked && !works ? State::no_walker
               : walks_on      ? State::walking
                               : State::idle);
    return works && !queue_.empty() ? now() + period() : engine::never;  // until a message comes
}

// False if it needs a walker and there is none.
bool Mmu::serve(const MemoryRequest& question) {
    const PageNumber page = page_of(question.block);
    if (pages_.access(page) != nullptr) {
        ++hits;
        answer(question);
        return true;
    }
    Walk* free = nullptr;
    for (Walk& walk : walks_) {
        if (walk.page == page) {
            ++joins;
            joined_.push_back(question);
            return true;
        }
        if (walk.page == none && free == nullptr) free = &walk;
    }
    if (free == nullptr) {
        ++refusals;
        return false;
    }
    begin(*free, question);
    return true;
}

void Mmu::begin(Walk& walk, const MemoryRequest& question) {
    assert(walk.page == none && walk.level == 0);
    ++walks;
    walk.page = page_of(question.block);
    walk.attribution = question.attribution;
    walk.asks = true;
    if (last_tables_.access(PageTables::last_table(walk.page)) != nullptr) {
        walk.level = PageTables::levels - 1;
        ++short_walks;
    }
    joined_.push_back(question);
    read(walk);
}

void Mmu::read(Walk& walk) {
    const Address entry = tables_.entry(walk.page, walk.level);
    MemoryRequest request;
    request.block = static_cast<BlockNumber>(entry / block_bytes);
    if (!memory.can_send(request.block)) return;
    request.tag = RequestTag::of(0, static_cast<std::size_t>(&walk - walks_.data()));
    request.client = MemoryClient::page_table;
    request.attribution = walk.attribution;
    request.sectors = sectors_between(request.block, entry, entry + PageTables::entry_bytes - 1);
    memory.send(now(), request, period());
    ++reads;
    walk.asks = false;
}

void Mmu::end(Walk& walk) {
    const CacheArray::Placed page = pages_.place(walk.page);
    assert(!page.was_there);
    page.line->valid = 1;
    const std::uint32_t table = PageTables::last_table(walk.page);
    last_tables_.place(table).line->valid = 1;
    std::size_t kept = 0;
    for (const MemoryRequest& question : joined_)
        if (page_of(question.block) == walk.page)
            answer(question);
        else
            joined_[kept++] = question;
    joined_.resize(kept);
    walk = {};
}

void Mmu::answer(const MemoryRequest& question) {
    const Time departure = std::max(now() + latency_, answers_free_);
    answers_free_ = departure + period();
    ++answered;
    answers.send(MemoryReply::to(question), departure - now());
}

std::string Mmu::unfinished() const {
    const std::size_t count = queue_.size() + joined_.size();
    return count == 0 ? "" : std::to_string(count) + " pages are asked for";
}

void Mmu::serialize(engine::Archive& archive) {
    archive(queue_, joined_, pages_, last_tables_, walks_, answers_free_, memory, time);
}

void Mmu::add_laws(Laws& laws) const {
    laws.equal(name() + ": questions = hits, walks and those that joined one", {questions}, {hits, walks, joins});
    laws.equal(name() + ": questions = answers", {questions}, {answered});
    Sum read;
    read.add(memory.reads);
    laws.equal(name() + ": entries read = reads of its port", {reads}, read);
    laws.equal(name() + ": reads of its port = replies", read, {memory.replies});
    time.add_laws(laws, name());
}

}  // namespace models
