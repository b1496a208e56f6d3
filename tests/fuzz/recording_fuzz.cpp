// The reader of recording files: zstd, framing, checksums, origins. Holds a recording to 64 MiB.
#include "io/recording/origin.h"
#include "io/recording/recording.h"
#include "tests/fuzz/accept.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::MemoryFile file(std::as_bytes(std::span(data, size)));
    tests::accepts([&] {
        const std::vector<std::byte> stream = io::load_recording(file.path(), std::uint64_t{64} << 20);
        io::RecordingReader reader(stream);
        for (io::Record record; reader.next(record);) {
        }
    });
    return 0;
}
