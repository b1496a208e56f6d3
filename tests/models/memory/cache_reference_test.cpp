// The cache against one written the slow way: every message that leaves it, access after access, for every replacement
// policy and write policy.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"
#include "models/memory/cache.h"
#include "tests/models/structures/replacement/slow_policies.h"
#include "tests/sanitized.h"

namespace models {
namespace {

struct Message {
    BlockNumber block;
    SectorMask sectors;
    MemoryOperation operation;
    friend bool operator==(const Message&, const Message&) = default;
};
std::ostream& operator<<(std::ostream& out, const Message& message) {
    return out << static_cast<int>(message.operation) << " of " << message.block << " sectors " << +message.sectors;
}

// What lies behind the cache: writes down what comes.
class Behind final : public MemoryExit {
  public:
    bool can_send(BlockNumber /*block*/, int /*requests*/) const override { return true; }
    std::string_view answered_by() const override { return "memory"; }
    void send(engine::Time /*now*/, const MemoryRequest& request, engine::Time /*delay*/) override {
        seen.push_back({request.block, request.sectors, request.operation});
        if (request.operation == MemoryOperation::read)
            asked.push_back(request.tag);
        else
            ++writes;
    }
    std::vector<Message> seen;
    std::vector<RequestTag> asked;
    int writes = 0;
};

// The cache under test: each access ends before the next one comes.
class Subject {
  public:
    explicit Subject(const CacheShape& shape) : cache_(&counters_, shape, {behind_, 0, MemoryClient::colour}) {}

    std::vector<Message> access(BlockNumber block, SectorMask sectors, Cache::Kind kind) {
        behind_.seen.clear();
        const Cache::Access access{block, sectors, kind, MemoryClient::colour, 7, {}};
        Cache::Outcome outcome = Cache::Outcome::busy;
        while (!Cache::is_served(outcome)) outcome = cache_.access(++now_, access);
        std::size_t woken = 0;
        for (const RequestTag tag : std::exchange(behind_.asked, {})) woken += cache_.fill(now_, tag).size();
        RC_ASSERT(woken == Cache::lines_awaited(outcome));
        while (cache_.write_back(++now_)) {
        }
        for (; behind_.writes > 0; --behind_.writes) cache_.on_written();
        RC_ASSERT(cache_.is_idle());
        return behind_.seen;
    }
    std::vector<Message> flush() {
        behind_.seen.clear();
        cache_.begin_flush();
        while (cache_.write_back(++now_)) {
        }
        return behind_.seen;
    }

  private:
    engine::CounterList counters_;
    Behind behind_;
    Cache cache_;
    engine::Time now_ = 0;
};

// The same, with maps.
class Reference {
  public:
    explicit Reference(const CacheShape& shape)
        : shape_(shape),
          policy_(slow::policy(Replacement::names[shape.array.replacement], shape.array.sets, shape.array.ways)) {}

    std::vector<Message> access(BlockNumber block, SectorMask sectors, Cache::Kind kind) {
        messages_.clear();
        std::vector<std::pair<LineNumber, unsigned>> fetched;
        for (const auto& [line, wanted] : lines_of(block, sectors))
            if (access_line(line, wanted, block, sectors, kind)) fetched.emplace_back(line, with_whole_sectors(wanted));
        for (const auto& [line, needed] : fetched) install(line, needed, kind);
        return messages_;
    }
    std::vector<Message> flush() {
        messages_.clear();
        for (const auto& [place, line] : lines_)
            if (line.dirty != 0) send(line.number, line.dirty, MemoryOperation::write_line);
        lines_.clear();
        return messages_;
    }

  private:
    struct Line {
        LineNumber number = 0;
        unsigned valid = 0, dirty = 0;  // a bit for every 32 bytes
    };
    using Place = std::pair<std::uint32_t, std::uint32_t>;  // set, way

    // The lines in which the sectors lie, and which bits of them.
    std::vector<std::pair<LineNumber, unsigned>> lines_of(BlockNumber block, SectorMask sectors) const {
        std::map<LineNumber, unsigned> found;
        for (unsigned i = 0; i < 4; ++i) {
            if ((sectors >> i & 1U) == 0) continue;
            const std::uint64_t byte = std::uint64_t{block} * 64 + std::uint64_t{i} * 32;
            const auto line = static_cast<LineNumber>(byte / shape_.line_bytes);
            found[line] |= 1U << byte % shape_.line_bytes / 32;
        }
        return {found.begin(), found.end()};
    }
    unsigned with_whole_sectors(unsigned bits) const {
        unsigned all = 0;
        for (unsigned i = 0; i < shape_.line_bytes / 32; ++i)
            for (unsigned j = 0; j < shape_.line_bytes / 32; ++j)
                if ((bits >> j & 1U) != 0 && i * 32 / shape_.sector_bytes == j * 32 / shape_.sector_bytes)
                    all |= 1U << i;
        return all;
    }
    void send(LineNumber line, unsigned bits, MemoryOperation operation) {
        const std::uint64_t byte = std::uint64_t{line} * shape_.line_bytes;
        messages_.push_back(
            {static_cast<BlockNumber>(byte / 64), static_cast<SectorMask>(bits << byte % 64 / 32), operation});
    }
    Line* find(LineNumber number) {
        for (auto& [place, line] : lines_)
            if (line.number == number) return &line;
        return nullptr;
    }
    // True if the line has to be fetched.
    bool access_line(LineNumber number, unsigned wanted, BlockNumber block, SectorMask sectors, Cache::Kind kind) {
        const bool writes = kind != Cache::Kind::read;
        const unsigned needed = with_whole_sectors(wanted);
        for (auto& [place, line] : lines_)
            if (line.number == number) policy_->hit(place.first, place.second);
        Line* const line = find(number);
        const bool hit = line != nullptr && (line->valid & needed) == needed;
        const bool through = shape_.write_policy == WritePolicy::write_through;
        if (writes && (through || (!hit && shape_.write_policy == WritePolicy::no_allocate))) {
            const MemoryOperation operation =
                kind == Cache::Kind::write_line ? MemoryOperation::write_line : MemoryOperation::write_part;
            if (shape_.line_bytes == 32)
                send(number, 1, operation);
            else
                messages_.push_back({block, sectors, operation});
            return false;
        }
        if (hit || (kind == Cache::Kind::write_line && wanted == needed)) {
            install(number, needed, kind);
            return false;
        }
        send(number, line == nullptr ? needed : needed & ~line->valid, MemoryOperation::read);
        return true;
    }
    void install(LineNumber number, unsigned needed, Cache::Kind kind) {
        Line* line = find(number);
        if (line == nullptr) line = insert(number, number % shape_.array.sets);
        line->valid |= needed;
        if (kind != Cache::Kind::read) line->dirty |= needed;
    }
    Line* insert(LineNumber number, std::uint32_t set) {
        std::uint32_t way = 0;
        while (way < shape_.array.ways && lines_.count({set, way}) > 0) ++way;
        if (way == shape_.array.ways) {
            way = policy_->victim(set);
            const Line& old = lines_[{set, way}];
            if (old.dirty != 0) send(old.number, old.dirty, MemoryOperation::write_line);
        }
        policy_->fill(set, way);
        lines_[{set, way}] = {number, 0, 0};
        return &lines_[{set, way}];
    }

    CacheShape shape_;
    std::unique_ptr<slow::Policy> policy_;
    std::map<Place, Line> lines_;
    std::vector<Message> messages_;
};

// Requests of a line leave in the order of lines, evictions after them.
std::vector<Message> sorted(std::vector<Message> messages) {
    std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
        return std::tie(a.operation, a.block, a.sectors) < std::tie(b.operation, b.block, b.sectors);
    });
    return messages;
}

class CacheReference : public testing::TestWithParam<std::tuple<std::size_t, WritePolicy>> {};

// A hundred caches of random shape, ten thousand accesses each.
TEST_P(CacheReference, AMillionRandomAccessesSendTheSameMessages) {
    const int accesses = tests::is_sanitized ? 500 : 10'000;
    const bool passed = rc::check([&] {
        CacheShape shape;
        shape.line_bytes = *rc::gen::element(32U, 64U, 128U);
        shape.sector_bytes = std::min(shape.line_bytes, *rc::gen::element(32U, 64U, 128U));
        shape.array = {1U << *rc::gen::inRange(shape.line_bytes == 32 ? 1 : 0, 4),
                       static_cast<std::uint32_t>(*rc::gen::inRange(1, 9)), 1, std::get<0>(GetParam())};
        shape.banks = 1U << *rc::gen::inRange(0, 3);
        shape.mshrs = 4;
        shape.targets = 2;
        shape.eviction_buffer = 4;
        shape.write_policy = std::get<1>(GetParam());
        engine::CounterRng draws(*rc::gen::arbitrary<std::uint64_t>(), 0);
        const std::uint32_t blocks = 1 + draws.below(3 * shape.array.sets * shape.array.ways);
        Subject subject(shape);
        Reference reference(shape);
        for (int i = 0; i < accesses; ++i) {
            const BlockNumber block = draws.below(blocks);
            const auto sectors = static_cast<SectorMask>(1 + draws.below(3));
            const auto kind = static_cast<Cache::Kind>(draws.below(3));
            RC_ASSERT(sorted(subject.access(block, sectors, kind)) == sorted(reference.access(block, sectors, kind)));
        }
        RC_ASSERT(sorted(subject.flush()) == sorted(reference.flush()));
    });
    EXPECT_TRUE(passed);
}

std::string name_of(const testing::TestParamInfo<CacheReference::ParamType>& test) {
    constexpr std::array<const char*, 3> modes{"_write_back", "_no_allocate", "_write_through"};
    const auto& [policy, mode] = test.param;
    return std::string(Replacement::names[policy]) + modes[static_cast<std::size_t>(mode)];
}

INSTANTIATE_TEST_SUITE_P(All, CacheReference,
                         testing::Combine(testing::Range(std::size_t{0}, Replacement::names.size()),
                                          testing::Values(WritePolicy::write_back, WritePolicy::no_allocate,
                                                          WritePolicy::write_through)),
                         name_of);

}  // namespace
}  // namespace models
