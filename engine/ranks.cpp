#include "engine/ranks.h"

#include <cstring>

#include "engine/transport/collectives.h"
#include "engine/transport/shared_block.h"

namespace engine {

namespace {

std::vector<std::uint64_t> values_of(std::span<const std::byte> bytes) {
    std::vector<std::uint64_t> values(bytes.size() / sizeof(std::uint64_t));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

}  // namespace

Ranks::Ranks() : started_(transport::start()), rank_(transport::rank()), size_(transport::size()) {}

Ranks::~Ranks() {
    if (started_) transport::finish();
}

void Ranks::abort(ExitCode code) const {
    transport::abort(code);
}

void Ranks::limit_waiting(double seconds) const {
    transport::limit_waiting(seconds);
}

void Ranks::name_stage(const std::string& stage) const {
    transport::name_stage(stage);
}

void Ranks::give_sign() const {
    transport::give_sign();
}

std::vector<int> Ranks::nodes() const {
    const auto guard = transport::guard();
    return transport::Nodes(true).by_rank();
}

std::vector<std::vector<std::byte>> Ranks::gather(std::span<const std::byte> mine) const {
    return transport::gather(mine);
}

std::vector<std::vector<std::uint64_t>> Ranks::gather(std::span<const std::uint64_t> mine) const {
    std::vector<std::vector<std::uint64_t>> parts;
    for (const std::vector<std::byte>& part : transport::gather(std::as_bytes(mine))) parts.push_back(values_of(part));
    return parts;
}

void Ranks::broadcast(std::vector<std::byte>& bytes) const {
    transport::broadcast(bytes);
}

void Ranks::broadcast(std::vector<std::uint64_t>& values) const {
    const std::span<const std::byte> sent = std::as_bytes(std::span(values));
    std::vector<std::byte> bytes(sent.begin(), sent.end());
    transport::broadcast(bytes);
    values = values_of(bytes);
}

bool Ranks::any(bool mine) const {
    const std::byte flag{static_cast<unsigned char>(mine)};
    for (const std::vector<std::byte>& other : transport::all_gather({&flag, 1}))
        if (other[0] != std::byte{0}) return true;
    return false;
}

}  // namespace engine
