#include "io/recording/recording.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <zstd.h>

#include "engine/error.h"
#include "io/recording/checksum.h"
#include "io/recording/file.h"

namespace io {
namespace {

constexpr std::string_view magic = "VTR0";
constexpr std::size_t header_size = 5;  // kind and length
constexpr std::size_t chunk = std::size_t{1} << 20;

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

std::string remedy_for(std::span<const std::byte> bytes) {
    if (starts_with(bytes, "\x89HDF")) return " (an HDF5 file: is it a frame trace or a result?)";
    if (starts_with(bytes, "apitrace") || starts_with(bytes, "SNAP") || starts_with(bytes, "at"))
        return " (an apitrace? replay it with eglretrace under `tessera record`)";
    if (starts_with(bytes, "\x1f\x8b") ||
        starts_with(bytes,
                    "\xfd"
                    "7zXZ") ||
        starts_with(bytes, "BZh"))
        return " (compressed otherwise: only zstd is understood)";
    return "";
}

[[noreturn]] void fail_not_a_recording(const std::string& name, std::span<const std::byte> stream) {
    const auto first = stream.first(std::min(stream.size(), magic.size()));
    throw engine::InputError(name + ": not a recording: expected \"VTR0\" or zstd data at byte 0, found " +
                             (first.empty() ? "an empty file" : in_hexadecimal(first)) + remedy_for(stream));
}

[[noreturn]] void fail_too_large(const std::string& name, std::uint64_t limit) {
    throw engine::InputError(name + ": holds more than " + std::to_string(limit) +
                             " bytes decompressed, the most a recording may; record fewer frames");
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
    explicit Source(const std::filesystem::path& path) : path_(path), file_(open_for_reading(path)), buffer_(chunk) {}
    std::span<const std::byte> next() {
        position_ += size_;
        size_ = read_bytes(file_, buffer_, path_);
        return {buffer_.data(), size_};
    }
    std::uint64_t position() const { return position_; }  // of the last piece

  private:
    const std::filesystem::path& path_;
    Descriptor file_;
    std::vector<std::byte> buffer_;
    std::size_t size_ = 0;
    std::uint64_t position_ = 0;
};

void append(std::vector<std::byte>& stream, std::span<const std::byte> bytes, const std::string& name,
            std::uint64_t limit) {
    if (bytes.size() > limit - std::min<std::uint64_t>(limit, stream.size())) fail_too_large(name, limit);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> load_plain(Source& source, std::span<const std::byte> piece, const std::string& name,
                                  std::uint64_t limit) {
    std::vector<std::byte> stream;
    for (; !piece.empty(); piece = source.next()) append(stream, piece, name, limit);
    return stream;
}

std::vector<std::byte> load_compressed(Source& source, std::span<const std::byte> piece, const std::string& name,
                                       std::uint64_t limit) {
    const std::unique_ptr<ZSTD_DStream, FreeDecoder> decoder{ZSTD_createDStream()};
    std::vector<std::byte> stream;
    std::vector<std::byte> decoded(chunk);
    std::uint64_t end = 0;
    std::size_t missing = 0;  // 0: the last zstd frame is complete
    for (; !piece.empty(); piece = source.next()) {
        ZSTD_inBuffer input{piece.data(), piece.size(), 0};
        ZSTD_outBuffer output{};
        do {  // a full output buffer may leave more inside the decoder
            output = {decoded.data(), decoded.size(), 0};
            missing = ZSTD_decompressStream(decoder.get(), &output, &input);
            if (ZSTD_isError(missing) != 0)
                throw engine::InputError(name + ": damaged zstd data near byte " +
                                         std::to_string(source.position() + input.pos) + " of the file (byte " +
                                         std::to_string(stream.size()) +
                                         " of the recording): " + ZSTD_getErrorName(missing));
            append(stream, std::span(decoded).first(output.pos), name, limit);
            if (stream.size() >= magic.size() && !starts_with(stream, magic)) fail_not_a_recording(name, stream);
        } while (input.pos < input.size || (missing != 0 && output.pos == output.size));
        end = source.position() + piece.size();
    }
    if (missing != 0)
        throw engine::InputError(name + ": truncated: the zstd data breaks off at byte " + std::to_string(end) +
                                 " of the file (byte " + std::to_string(stream.size()) + " of the recording)");
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
    std::vector<std::byte> stream =
        is_zstd(first) ? load_compressed(source, first, name, limit) : load_plain(source, first, name, limit);
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
