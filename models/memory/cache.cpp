#include "models/memory/cache.h"

#include "models/base/laws.h"

namespace models {
namespace {

constexpr std::uint32_t nobody = 0xffffffff;  // waits for a line that a prefetcher wanted
constexpr std::size_t wanted_blocks = 16;

}  // namespace

Cache::Cache(const engine::CounterScope& scope, const CacheParameters& parameters, const Site& site,
             engine::Time period)
    : accesses(scope, "accesses", "1", "lookups that were served"),
      hits(scope, "hits", "1", "lookups that found their line"),
      merged(scope, "merged", "1", "lookups that joined a line in flight"),
      misses(scope, "misses", "1", "lookups that requested a line"),
      fills(scope, "fills", "1", "lines received"),
      refusals(scope, "refusals", "1", "lookups put off for lack of an MSHR, of room to wait or of a credit"),
      invalidations(scope, "invalidations", "1", "lines forgotten because their memory was written"),
      written_back(scope, "write_backs", "1", "written lines sent back"),
      prefetches(scope, "prefetches", "1", "lines requested by the prefetcher"),
      array_({static_cast<std::uint32_t>(parameters.capacity.count() / (std::int64_t{block_bytes} * parameters.ways())),
              static_cast<std::uint32_t>(parameters.ways()), 1, parameters.replacement()}),
      mshrs_(static_cast<std::uint32_t>(parameters.mshrs()), static_cast<std::uint32_t>(parameters.merges())),
      written_(static_cast<std::size_t>(parameters.mshrs())),
      memory_(&site.memory),
      tag_(RequestTag::of(site.part)),
      client_(site.client),
      latency_(parameters.latency.count() * period),
      write_backs_(2 * static_cast<std::size_t>(parameters.mshrs())),
      watches_(parameters.prefetcher() != 0),
      prefetcher_(parameters.prefetcher()),
      wanted_(wanted_blocks) {}

Cache::Outcome Cache::miss(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution,
                           bool is_write) {
    int entry = mshrs_.find(block);
    const bool joins = entry >= 0 && mshrs_.add_waiter(entry, waiter);
    if (!joins) {
        // Every line on the way may push out a written one.
        if (entry >= 0 || mshrs_.full() || !memory_->can_send(block) || write_backs_.room() <= mshrs_.used()) {
            ++refusals;
            return Outcome::refused;
        }
        entry = mshrs_.allocate(block);
        mshrs_.add_waiter(entry, waiter);
        written_[static_cast<std::size_t>(entry)] = 0;
    }
    if (is_write) written_[static_cast<std::size_t>(entry)] = 1;
    ++accesses;
    ++(joins ? merged : misses);
    if (!joins) request(now, block, entry, attribution);
    if (watches_) watch(now, {block, false, attribution});
    return Outcome::waiting;
}

void Cache::request(engine::Time now, BlockNumber block, int entry, const Attribution& attribution) {
    const RequestTag tag = RequestTag::of(tag_.part, static_cast<std::size_t>(entry));
    memory_->send(now, {block, tag, MemoryOperation::read, client_, attribution}, latency_);
}

// Tells the prefetcher, and requests one line that it wants, if there is more than one MSHR left.
void Cache::watch(engine::Time now, const CacheObservation& observation) {
    prefetcher_.visit([&](auto& prefetcher) { prefetcher.observe(observation, wanted_); });
    if (wanted_.empty()) return;
    const BlockNumber block = wanted_.front();
    if (array_.find(block) == nullptr && mshrs_.find(block) < 0) {
        if (mshrs_.room() < 2 || !memory_->can_send(block) || write_backs_.room() <= mshrs_.used()) return;
        const int entry = mshrs_.allocate(block);
        mshrs_.add_waiter(entry, nobody);
        written_[static_cast<std::size_t>(entry)] = 0;
        ++prefetches;
        request(now, block, entry, observation.attribution);
    }
    wanted_.pop();
}

std::span<const std::uint32_t> Cache::fill(engine::Time /*now*/, RequestTag tag) {
    assert(tag.part == tag_.part);
    const BlockNumber block = mshrs_.block(tag.entry);
    const CacheArray::Line old = array_.insert(block);
    if (old.block != none && old.dirty != 0) write_backs_.push(old.block);
    array_.find(block)->dirty = written_[tag.entry];
    ++fills;
    const std::span<const std::uint32_t> waiters = mshrs_.release(tag.entry);
    // A prefetch has its nobody in front; who joined it comes behind.
    return !waiters.empty() && waiters.front() == nobody ? waiters.subspan(1) : waiters;
}

bool Cache::write_back(engine::Time now) {
    if (write_backs_.empty()) {
        if (flush_.empty()) return false;
        write_backs_.push(flush_.back());
        flush_.pop_back();
    }
    const BlockNumber block = write_backs_.front();
    if (!memory_->can_send(block)) return false;
    memory_->send(now, {block, tag_, MemoryOperation::write_line, client_, {}}, latency_);
    write_backs_.pop();
    ++write_backs_in_flight_;
    ++written_back;
    return true;
}

void Cache::begin_flush() {
    assert(!awaits_lines());
    array_.invalidate([&](const CacheArray::Line& line) {
        if (line.dirty != 0) flush_.push_back(line.block);
        return true;
    });
}

void Cache::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": accesses = hits + merged + misses", {accesses}, {hits, merged, misses});
    laws.equal(name + ": misses + prefetches = fills", {misses, prefetches}, {fills});
}

void Cache::serialize(engine::Archive& archive) {
    archive(array_, mshrs_, written_, write_backs_, write_backs_in_flight_, flush_, prefetcher_, wanted_);
}

}  // namespace models
