#include "io/recording/recording_writer.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <string_view>

#include <zstd.h>

#include "engine/error.h"

namespace io {
namespace {

constexpr int compression_level = 3;
constexpr std::string_view magic = "VTR0";

}  // namespace

void RecordingWriter::FreeEncoder::operator()(ZSTD_CCtx_s* encoder) const {
    ZSTD_freeCCtx(encoder);
}

RecordingWriter::RecordingWriter(const std::filesystem::path& path, const RecordingOrigin& origin, Existing existing)
    : file_(path, existing) {
    if (path.extension() == ".zst") {
        encoder_.reset(ZSTD_createCCtx());
        ZSTD_CCtx_setParameter(encoder_.get(), ZSTD_c_compressionLevel, compression_level);
        ZSTD_CCtx_setParameter(encoder_.get(), ZSTD_c_checksumFlag, 1);
        encoded_.resize(ZSTD_CStreamOutSize());
    }
    put(std::as_bytes(std::span(magic)));
    const std::string text = encode_origin(origin);
    if (!text.empty()) add(RecordKind::origin, std::as_bytes(std::span(text)));
}

RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::put(std::span<const std::byte> bytes) {
    checksum_.add(bytes);
    if (!encoder_) return file_.write(bytes);
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos < input.size) {
        ZSTD_outBuffer output{encoded_.data(), encoded_.size(), 0};
        const std::size_t result = ZSTD_compressStream2(encoder_.get(), &output, &input, ZSTD_e_continue);
        if (ZSTD_isError(result) != 0) throw engine::InternalError(ZSTD_getErrorName(result));
        file_.write(std::span(encoded_).first(output.pos));
    }
}

// The file may be cut after any complete zstd frame: a recording is one zstd frame per picture.
void RecordingWriter::finish_compressed_frame() {
    std::size_t missing = 1;
    while (missing != 0) {
        ZSTD_inBuffer input{nullptr, 0, 0};
        ZSTD_outBuffer output{encoded_.data(), encoded_.size(), 0};
        missing = ZSTD_compressStream2(encoder_.get(), &output, &input, ZSTD_e_end);
        if (ZSTD_isError(missing) != 0) throw engine::InternalError(ZSTD_getErrorName(missing));
        file_.write(std::span(encoded_).first(output.pos));
    }
}

void RecordingWriter::add(RecordKind kind, std::span<const std::byte> payload) {
    assert(payload.size() <= std::numeric_limits<std::uint32_t>::max());
    std::array<std::byte, 5> header{static_cast<std::byte>(kind)};
    for (std::size_t i = 0; i < 4; ++i) header.at(1 + i) = static_cast<std::byte>(payload.size() >> (8 * i));
    put(header);
    put(payload);
}

void RecordingWriter::end_frame() {
    add(RecordKind::checksum, checksum_.finish());
    (void)checksum_.finish();  // a checksum is not part of the next one
    if (encoder_) finish_compressed_frame();
    kept_size_ = file_.size();
    ++frames_;
}

void RecordingWriter::commit() {
    if (frames_ == 0) throw engine::InternalError("a recording without a frame is never written");
    file_.truncate(kept_size_);
    file_.commit();
}

}  // namespace io
