#include "models/functional/virgl/record_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace models::functional {

namespace {

constexpr std::array magic{std::byte{'V'}, std::byte{'T'}, std::byte{'R'}, std::byte{'0'}};
constexpr std::uint64_t record_header_bytes = 5;

std::uint32_t little_endian(const std::byte* p) {
    std::uint32_t value = 0;
    std::memcpy(&value, p, 4);
    return value;
}
static_assert(std::endian::native == std::endian::little);

}  // namespace

void refuse(std::uint64_t offset, const std::string& text) {
    throw engine::InputError("byte " + std::to_string(offset) + ": " + text);
}

std::uint32_t Words::operator[](std::uint32_t index) const {
    if (index >= count())
        refuse("expected at least " + std::to_string(index + 1) + " words, found " + std::to_string(count()));
    return little_endian(bytes_.data() + std::size_t{index} * 4);
}

float Words::real(std::uint32_t index) const {
    return std::bit_cast<float>((*this)[index]);
}

double Words::real64(std::uint32_t index) const {
    const std::uint64_t low = (*this)[index];
    const std::uint64_t high = (*this)[index + 1];
    return std::bit_cast<double>(low | high << 32);
}

Bytes Words::bytes_from(std::uint32_t index) const {
    need(index);
    return bytes_.subspan(std::size_t{index} * 4);
}

void Words::need(std::uint32_t needed) const {
    if (count() < needed)
        refuse("expected at least " + std::to_string(needed) + " words, found " + std::to_string(count()));
}

void Words::refuse(const std::string& text) const {
    functional::refuse(offset_, std::string(what_) + ": " + text);
}

RecordStream::RecordStream(Bytes stream) : stream_(stream) {
    if (stream.size() < magic.size() || !std::equal(magic.begin(), magic.end(), stream.begin()))
        refuse(0, "not a recording: expected the four bytes VTR0");
}

bool RecordStream::next(Record& record) {
    while (position_ < stream_.size()) {
        const std::uint64_t left = stream_.size() - position_;
        if (left < record_header_bytes) {
            refuse(position_, "truncated recording: expected a record's header of 5 bytes, found " +
                                  std::to_string(left) + "; record it again");
        }
        const auto kind = std::to_integer<std::uint8_t>(stream_[position_]);
        const std::uint64_t length = little_endian(stream_.data() + position_ + 1);
        const std::uint64_t payload = position_ + record_header_bytes;
        if (length > stream_.size() - payload) {
            refuse(position_, "truncated recording: a record of " + std::to_string(length) + " bytes, but only " +
                                  std::to_string(stream_.size() - payload) + " are left; record it again");
        }
        position_ = payload + length;
        if (kind <= static_cast<std::uint8_t>(RecordKind::server_reply)) {
            record = {static_cast<RecordKind>(kind), payload, stream_.subspan(payload, length)};
            return true;
        }
    }
    return false;
}

}  // namespace models::functional
