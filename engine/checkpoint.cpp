#include "engine/checkpoint.h"

#include <array>
#include <cstdint>
#include <string>

#include <boost/crc.hpp>

#include "engine/scheduling/process_state.h"
#include "engine/transport/collectives.h"

namespace engine {

namespace {

using Buffer = std::vector<std::byte>;

constexpr std::array<char, 8> magic = {'t', 'e', 's', 's', 'e', 'r', 'a', 'K'};
constexpr std::uint32_t version = 2;

std::uint32_t checksum(std::span<const std::byte> bytes) {
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

// What must be the same in the machine that wrote and in the one that reads: the processes and their wiring.
std::string description(const Simulation& simulation) {
    const Graph graph = simulation.graph();
    std::string text;
    const auto add = [&](auto number) { text.append(std::to_string(number)).append(" "); };
    for (const Graph::Channel& channel : graph.channels) {
        add(channel.from);
        add(channel.to);
        add(channel.lookahead);
    }
    for (const Graph::Bundle& bundle : graph.bundles) {
        for (const int from : bundle.from) add(from);
        for (const int to : bundle.to) add(to);
        add(bundle.lookahead);
    }
    return text;
}

struct Header {
    std::array<char, 8> magic = engine::magic;
    std::uint32_t version = engine::version;
    std::uint32_t processes = 0;
    std::uint32_t wiring = 0;  // checksum
    Time now = 0;
    Time window = 0;  // ticks
    std::uint64_t tie_seed = 0;

    void serialize(Archive& archive) { archive(magic, version, processes, wiring, now, window, tie_seed); }
    std::uint32_t checksum() const {
        Header copy = *this;
        Buffer bytes;
        Archive archive(&bytes);
        copy.serialize(archive);
        return engine::checksum(bytes);
    }
};

// A process in the file: this, then its bytes.
struct Entry {
    std::string name;
    std::uint64_t size = 0;
    std::uint32_t checksum = 0;

    void serialize(Archive& archive) { archive(name, size, checksum); }
};

}  // namespace

Buffer Checkpoint::write(const Simulation& simulation) {
    auto& machine = const_cast<Simulation&>(simulation);  // an archive that writes changes nothing
    Buffer mine;
    Archive archive(&mine);
    std::vector<std::uint64_t> sizes;  // of every process, 0 for those of other ranks
    for (std::size_t i = 0; i < machine.processes_.size(); ++i) {
        const std::size_t before = mine.size();
        const bool here = machine.rank_.empty() || machine.rank_[i] == transport::rank();
        if (here) ProcessState{machine, *machine.processes_[i]}.serialize(archive);
        sizes.push_back(mine.size() - before);
    }
    const std::vector<Buffer> parts = transport::gather(mine);
    const std::vector<Buffer> part_sizes = transport::gather(std::as_bytes(std::span(sizes)));
    if (parts.empty()) return {};

    Buffer file;
    Archive out(&file);
    const std::string wiring = description(simulation);
    Header header;
    header.processes = static_cast<std::uint32_t>(machine.processes_.size());
    header.wiring = checksum(std::as_bytes(std::span(wiring)));
    header.now = machine.now_;
    header.window = machine.window_length();
    header.tie_seed = machine.tie_seed_;
    std::uint32_t header_checksum = header.checksum();
    out(header, header_checksum);
    std::vector<std::size_t> at(parts.size(), 0);
    for (std::size_t i = 0; i < machine.processes_.size(); ++i) {
        const std::size_t rank = machine.rank_.empty() ? 0 : static_cast<std::size_t>(machine.rank_[i]);
        Entry entry{machine.processes_[i]->name(), 0, 0};
        std::memcpy(&entry.size, part_sizes[rank].data() + i * sizeof entry.size, sizeof entry.size);
        const std::span<const std::byte> state = std::span(parts[rank]).subspan(at[rank], entry.size);
        at[rank] += entry.size;
        entry.checksum = checksum(state);
        out(entry);
        file.insert(file.end(), state.begin(), state.end());
    }
    return file;
}

namespace {

void check_header(const Header& header, std::uint32_t expected_checksum, const Simulation& simulation, Time window) {
    if (header.magic != magic) throw InputError("byte 0: expected a checkpoint, found something else");
    if (header.version != version)
        throw InputError("byte 8: expected version " + std::to_string(version) + " of a checkpoint, found " +
                         std::to_string(header.version));
    if (header.checksum() != expected_checksum)
        throw InputError("byte 0: damaged: the checksum of the header of a checkpoint does not fit");
    if (header.tie_seed != simulation.tie_seed())
        throw ConfigError("the checkpoint was written with the tie seed " + std::to_string(header.tie_seed) +
                          ", expected " + std::to_string(simulation.tie_seed()));
    const std::string wiring = description(simulation);
    if (header.processes == simulation.processes().size() && header.window == window &&
        header.wiring == checksum(std::as_bytes(std::span(wiring))))
        return;
    throw ConfigError("the checkpoint is of another machine: it has " + std::to_string(header.processes) +
                      " processes, windows of " + std::to_string(header.window) + " ticks, wiring " +
                      std::to_string(header.wiring) + "; expected " + std::to_string(simulation.processes().size()) +
                      ", " + std::to_string(window) + ", " +
                      std::to_string(checksum(std::as_bytes(std::span(wiring)))));
}

}  // namespace

void Checkpoint::read(Simulation& simulation, std::span<const std::byte> bytes) {
    Archive archive(bytes);
    Header header;
    std::uint32_t header_checksum = 0;
    archive(header, header_checksum);
    check_header(header, header_checksum, simulation, simulation.window_length());
    simulation.order_ties();
    simulation.rank_.clear();
    simulation.in_flight_.clear();
    simulation.now_ = header.now;
    for (const auto& process : simulation.processes_) {
        Entry entry;
        archive(entry);
        if (entry.name != process->name())
            throw ConfigError("the checkpoint is of another machine: expected process " + process->name() + ", found " +
                              entry.name);
        const std::size_t start = archive.position();
        const auto fail = [&](const std::string& what) {
            throw InputError("checkpoint, " + entry.name + ", at byte " + std::to_string(start) + ": " + what);
        };
        if (entry.size > bytes.size() - start)
            fail("expected " + std::to_string(entry.size) + " bytes, found " + std::to_string(bytes.size() - start));
        Buffer state(entry.size);
        archive.bytes(state);
        if (checksum(state) != entry.checksum) fail("damaged: the checksum does not fit");
        Archive part(state);
        ProcessState{simulation, *process}.serialize(part);
        if (!part.is_at_end()) fail("expected " + std::to_string(part.position()) + " bytes, found more");
    }
    if (!archive.is_at_end())
        throw InputError("byte " + std::to_string(archive.position()) + ": expected the end of the checkpoint");
}

}  // namespace engine
