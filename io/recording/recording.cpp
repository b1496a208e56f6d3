#include "io/recording/recording.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "engine/error.h"
#include "io/recording/checksum.h"
#include "io/recording/input_file.h"
#include "io/recording/machine_memory.h"

namespace io {
namespace {

constexpr std::string_view magic = "VTR0";
constexpr std::size_t header_size = 5;  // kind and length
constexpr std::size_t chunk = std::size_t{1} << 17;
constexpr std::uint64_t unfolded_by_any_file = std::uint64_t{256} << 20;  // bytes, of zstd data however short
constexpr std::uint64_t most_unfolding = 1000;                            // and so many times its size

std::uint32_t little_endian_32(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
    return value;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

std::string in_hexadecimal(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte value : bytes) {
        if (!text.empty()) text += ' ';
        text += digits[std::to_integer<std::size_t>(value >> 4)];
        text += digits[std::to_integer<std::size_t>(value & std::byte{15})];
    }
    return text;
}

[[noreturn]] void fail_not_a_recording(const std::string& name, std::span<const std::byte> stream) {
    throw engine::InputError(name + ": not a recording: expected \"VTR0\" or zstd data at byte 0, found " +
                             describe_content(stream));
}

bool is_zstd(std::span<const std::byte> bytes) {
    if (bytes.size() < 4) return false;
    const std::uint32_t number = little_endian_32(bytes);
    return number == ZSTD_MAGICNUMBER || (number & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

struct FreeDecoder {
    void operator()(ZSTD_DStream* decoder) const { ZSTD_freeDStream(decoder); }
};

// The file piece by piece, and where it was.
class Source {
  public:
    explicit Source(const std::filesystem::path& path) : path_(path), file_(open_input(path)), buffer_(chunk) {}
    std::uint64_t size() const { return size_of(file_, path_); }
    std::span<const std::byte> next() {
        position_ += size_;
        size_ = read_bytes(file_, buffer_, path_);
        return {buffer_.data(), size_};
    }
    std::uint64_t position() const { return position_; }  // of the last piece
    void rewind() {
        if (::lseek(file_.number(), 0, SEEK_SET) != 0) fail_with_errno("cannot read " + path_.string());
        position_ = size_ = 0;
    }

  private:
    const std::filesystem::path& path_;
    Descriptor file_;
    std::vector<std::byte> buffer_;
    std::size_t size_ = 0;
    std::uint64_t position_ = 0;
};

// The most bytes that a recording may have, decompressed, and what is said of one that has more.
struct Limit {
    std::uint64_t bytes = 0;
    std::string problem;

    void lower(std::uint64_t to, const std::string& why) {
        if (to >= bytes) return;
        bytes = to;
        problem = "holds more than " + std::to_string(to) + " bytes decompressed, " + why;
    }
};

Limit limit_for(std::uint64_t most) {
    Limit limit{std::numeric_limits<std::uint64_t>::max(), ""};
    limit.lower(most, "the most a recording may; record fewer frames");
    limit.lower(default_memory_limit(),
                "half of the memory that this program may use; raise the limit, take a machine with more memory, or "
                "record fewer frames");
    return limit;
}

// Calls take(bytes) with piece after piece of what the zstd data unfolds to.
template <class Take>
void decompress(Source& source, const std::string& name, Take take) {
    const std::unique_ptr<ZSTD_DStream, FreeDecoder> decoder{ZSTD_createDStream()};
    if (!decoder) throw std::bad_alloc();
    std::vector<std::byte> decoded(chunk);
    std::uint64_t end = 0, unfolded = 0;
    std::size_t missing = 0;  // 0: the last zstd frame is complete
    for (auto piece = source.next(); !piece.empty(); piece = source.next()) {
        ZSTD_inBuffer input{piece.data(), piece.size(), 0};
        ZSTD_outBuffer output{};
        do {  // a full output buffer may leave more inside the decoder
            output = {decoded.data(), decoded.size(), 0};
            missing = ZSTD_decompressStream(decoder.get(), &output, &input);
            if (ZSTD_getErrorCode(missing) == ZSTD_error_memory_allocation) throw std::bad_alloc();
            if (ZSTD_isError(missing) != 0)
                throw engine::InputError(name + ": damaged zstd data near byte " +
                                         std::to_string(source.position() + input.pos) + " of the file (byte " +
                                         std::to_string(unfolded) +
                                         " of the recording): " + ZSTD_getErrorName(missing));
            take(std::span<const std::byte>(decoded).first(output.pos));
            unfolded += output.pos;
        } while (input.pos < input.size || (missing != 0 && output.pos == output.size));
        end = source.position() + piece.size();
    }
    if (missing != 0)
        throw engine::InputError(name + ": truncated: the zstd data breaks off at byte " + std::to_string(end) +
                                 " of the file (byte " + std::to_string(unfolded) + " of the recording)");
}

// What the zstd data unfolds to is counted before memory is taken for it: no file can make it more than it holds, and
// nothing is copied as it grows.
std::vector<std::byte> load_compressed(Source& source, const std::string& name, Limit limit) {
    limit.lower(unfolded_by_any_file + most_unfolding * source.size(),
                "more than one of its size plausibly does (" + std::to_string(most_unfolding) + " times " +
                    std::to_string(source.size()) +
                    " bytes and 256 MiB); if it is a recording, unpack it with zstd -d");
    std::uint64_t size = 0;
    std::vector<std::byte> first;
    decompress(source, name, [&](std::span<const std::byte> bytes) {
        const auto missing = static_cast<std::ptrdiff_t>(
            std::min<std::size_t>(bytes.size(), magic.size() - std::min(magic.size(), first.size())));
        first.insert(first.end(), bytes.begin(), bytes.begin() + missing);
        if (first.size() == magic.size() && !starts_with(first, magic)) fail_not_a_recording(name, first);
        if ((size += bytes.size()) > limit.bytes) throw engine::InputError(name + ": " + limit.problem);
    });
    std::vector<std::byte> stream;
    stream.reserve(size);
    source.rewind();
    decompress(source, name, [&](std::span<const std::byte> bytes) {
        if (bytes.size() > size - stream.size()) throw engine::InputError(name + ": changes while it is read");
        stream.insert(stream.end(), bytes.begin(), bytes.end());
    });
    return stream;
}

std::vector<std::byte> load_plain(Source& source, const std::string& name, const Limit& limit) {
    const std::uint64_t size = source.size();
    if (size > limit.bytes) throw engine::InputError(name + ": " + limit.problem);
    std::vector<std::byte> stream;
    stream.reserve(size);
    for (auto piece = source.next(); !piece.empty(); piece = source.next()) {
        if (piece.size() > size - stream.size()) throw engine::InputError(name + ": changes while it is read");
        stream.insert(stream.end(), piece.begin(), piece.end());
    }
    return stream;
}

// Where the checksum of a recording does not fit, its bytes were changed after it was written.
void check_checksums(std::span<const std::byte> stream, const std::string& name) {
    RecordingReader reader{stream, name};
    std::uint64_t start = 0;
    for (Record record; reader.next_of_any_kind(record);) {
        if (record.kind != RecordKind::checksum) continue;
        const Checksum found = checksum_of(stream.subspan(start, record.offset - start));
        if (!std::ranges::equal(found, record.payload))
            throw engine::InputError(
                name + ": damaged: bytes " + std::to_string(start) + " to " + std::to_string(record.offset) +
                " have the checksum " + in_hexadecimal(found) + ", expected " +
                in_hexadecimal(record.payload.first(std::min<std::size_t>(record.payload.size(), found.size()))) +
                "; copy or record it again");
        start = record.offset + header_size + record.payload.size();
    }
}

}  // namespace

std::vector<std::byte> load_recording(const std::filesystem::path& path, std::uint64_t limit) {
    const std::string name = path.string();
    Source source{path};
    const std::span<const std::byte> first = source.next();
    const bool compressed = is_zstd(first);
    if (!compressed && !starts_with(first, magic)) fail_not_a_recording(name, first);
    source.rewind();
    std::vector<std::byte> stream =
        compressed ? load_compressed(source, name, limit_for(limit)) : load_plain(source, name, limit_for(limit));
    check_checksums(stream, name);
    return stream;
}

RecordingReader::RecordingReader(std::span<const std::byte> stream, std::string name)
    : stream_(stream),
      name_(std::move(name)),
      offset_(magic.size()) {
    if (!starts_with(stream, magic)) fail_not_a_recording(name_, stream);
}

bool RecordingReader::next_of_any_kind(Record& record) {
    if (offset_ == stream_.size()) return false;
    const std::uint64_t start = offset_;
    const std::span<const std::byte> rest = stream_.subspan(start);
    const std::uint64_t length = rest.size() < header_size ? 0 : little_endian_32(rest.subspan(1));
    const std::uint64_t size = header_size + length;
    if (rest.size() < size)
        throw engine::InputError(name_ + ": truncated or damaged: the record at byte " + std::to_string(start) +
                                 " needs " + std::to_string(size) + " bytes, found " + std::to_string(rest.size()));
    offset_ += size;
    record = {static_cast<RecordKind>(rest[0]), start, rest.subspan(header_size, length)};
    return true;
}

bool RecordingReader::next(Record& record) {
    while (next_of_any_kind(record))
        if (record.kind == RecordKind::message || record.kind == RecordKind::reply) return true;
    return false;
}

}  // namespace io
