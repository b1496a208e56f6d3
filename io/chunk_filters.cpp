#include "io/chunk_filters.h"

#include <algorithm>
#include <new>

#include <zlib.h>

namespace io {

namespace {

constexpr std::size_t checksum_bytes = 4;  // little-endian, behind the rest

// All first bytes of the values, then all second ones, ...
void shuffle(std::span<const std::byte> values, std::size_t value_bytes, std::byte* to) {
    const std::size_t count = values.size() / value_bytes;
    for (std::size_t byte = 0; byte < value_bytes; ++byte)
        for (std::size_t i = 0; i < count; ++i) *to++ = values[i * value_bytes + byte];
}

// Of values of so many bytes, which the compiler knows: whole values are written at once.
template <std::size_t value_bytes>
void unshuffle(const std::byte* from, std::span<std::byte> values) {
    const std::size_t count = values.size() / value_bytes;
    std::byte* const to = values.data();
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t byte = 0; byte < value_bytes; ++byte) to[i * value_bytes + byte] = from[byte * count + i];
}

void unshuffle(const std::byte* from, std::size_t value_bytes, std::span<std::byte> values) {
    switch (value_bytes) {
        case 1:
            return unshuffle<1>(from, values);
        case 2:
            return unshuffle<2>(from, values);
        case 4:
            return unshuffle<4>(from, values);
        case 8:
            return unshuffle<8>(from, values);
        default:
            break;
    }
    const std::size_t count = values.size() / value_bytes;
    for (std::size_t byte = 0; byte < value_bytes; ++byte)
        for (std::size_t i = 0; i < count; ++i) values[i * value_bytes + byte] = *from++;
}

std::uint32_t folded(std::uint32_t sum) {
    return (sum & 0xffffU) + (sum >> 16U);
}

const Bytef* bytes_of(const std::byte* bytes) {
    return reinterpret_cast<const Bytef*>(bytes);
}

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    constexpr std::size_t block = 720;  // bytes whose sums fit into 32 bits
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
    const std::size_t even = bytes.size() / 2 * 2;
    std::uint32_t sum = 0, sum_of_sums = 0;
    for (std::size_t begin = 0; begin < even; begin += block) {
        const std::size_t end = std::min(begin + block, even);
        for (std::size_t i = begin; i < end; i += 2) {
            sum += at(i) << 8U | at(i + 1);
            sum_of_sums += sum;
        }
        sum = folded(sum);
        sum_of_sums = folded(sum_of_sums);
    }
    if (even != bytes.size()) {
        sum += at(even) << 8U;
        sum_of_sums = folded(sum_of_sums + sum);
        sum = folded(sum);
    }
    return folded(sum_of_sums) << 16U | folded(sum);
}

std::size_t ChunkFilters::most_stored(std::size_t bytes) {
    return compressBound(bytes) + checksum_bytes;
}

std::span<const std::byte> ChunkFilters::pack(std::span<const std::byte> values) {
    shuffled_.resize(values.size());
    shuffle(values, value_bytes_, shuffled_.data());
    stored_.resize(most_stored(values.size()));
    uLongf size = stored_.size() - checksum_bytes;
    if (compress2(reinterpret_cast<Bytef*>(stored_.data()), &size, bytes_of(shuffled_.data()), shuffled_.size(),
                  deflate_level_) != Z_OK)
        throw std::bad_alloc();  // there is room enough, so nothing else can be missing
    const std::uint32_t sum = fletcher32({stored_.data(), size});
    for (std::size_t i = 0; i < checksum_bytes; ++i) stored_[size + i] = static_cast<std::byte>(sum >> 8U * i & 0xffU);
    return {stored_.data(), size + checksum_bytes};
}

bool ChunkFilters::unpack(std::span<const std::byte> stored, std::span<std::byte> values) {
    if (stored.size() < checksum_bytes) return false;
    const std::span<const std::byte> deflated = stored.first(stored.size() - checksum_bytes);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < checksum_bytes; ++i)
        sum |= std::to_integer<std::uint32_t>(stored[deflated.size() + i]) << 8U * i;
    if (sum != fletcher32(deflated)) return false;
    shuffled_.resize(values.size());
    uLongf size = shuffled_.size();
    if (uncompress(reinterpret_cast<Bytef*>(shuffled_.data()), &size, bytes_of(deflated.data()), deflated.size()) !=
            Z_OK ||
        size != values.size())
        return false;
    unshuffle(shuffled_.data(), value_bytes_, values);
    return true;
}

}  // namespace io
